use std::net::SocketAddr;
use std::path::PathBuf;

use super::Source;

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is not there or may not be read.
    #[error("cannot read the settings")]
    Unreadable(#[source] std::io::Error),
    /// The file is not TOML.
    #[error("{}:{line}:{column}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// In characters, from 1.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// The file says something that no setting takes.
    #[error("{}:{line}: `{key}` is not a setting", path.display())]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What was read.
        key: String,
        /// The setting that was probably meant.
        nearest: Option<&'static str>,
    },
    /// A list, a table, a date or a fraction where one value is wanted.
    #[error("{}:{line}: `{key}` takes a text, a whole number, or true or false", path.display())]
    NotScalar {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// The setting.
        key: &'static str,
    },
    /// A variable that is not Unicode.
    #[error("{name} is not Unicode text")]
    EnvEncoding {
        /// The variable.
        name: String,
    },
    /// A value that does not read as its setting wants it.
    #[error("`{text}` does not read as {wanted} ({key}, from {from})")]
    Value {
        /// The setting.
        key: &'static str,
        /// Where it was said.
        from: Source,
        /// What was said.
        text: String,
        /// What is accepted.
        wanted: &'static str,
    },
    /// Others than this machine can reach the address, and nobody said under which URL.
    #[error("{listen} is reachable from other machines, and public_url is not set")]
    PublicUrlMissing {
        /// The address.
        listen: SocketAddr,
    },
    /// A limit above what clients take.
    #[error("{key} = {value} is above {ceiling}, which no client goes beyond")]
    LimitAbove {
        /// The setting.
        key: &'static str,
        /// What was said.
        value: u64,
        /// What clients take.
        ceiling: u64,
    },
}
