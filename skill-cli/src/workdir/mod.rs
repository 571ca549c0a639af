//! The work directory: where skills.toml, skills.lock and the skills lie, and how it is changed.
//!
//! One command at a time changes it ([`Guard`]), and every change is a [`Transaction`]: made ready
//! beside the real thing, decided by one write of the journal, finished by renames. Whatever stops
//! a command, the disk is as before or the next command finishes the work ([`settle`]).

mod discover;
mod disk;
mod fingerprint;
mod guard;
mod holder;
mod journal;
mod links;
mod moves;
mod open;
mod recover;
mod seal;
mod spot;
mod target;
mod transaction;

use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use skill_core::digest::{RegistryId, Sha256, TreeDigest};

pub use discover::Search;
pub use guard::Guard;
pub use moves::{ChangeError, Seen};
pub use open::{locate, lock_absent, read_lock, refused};
pub use recover::{Recovered, settle};
pub use target::{TargetError, TargetRoot, USUAL};
pub use transaction::Transaction;

/// Why the work directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WorkdirError {
    /// `--workdir` names something that is no folder.
    #[error("{} is not a folder", .0.display())]
    Absent(PathBuf),
    /// `--global` and `--workdir` exclude each other.
    #[error("--global and --workdir name two work directories")]
    Both,
    /// `--global` without a HOME.
    #[error("--global needs a home folder, and HOME is not set")]
    Homeless,
    /// Another command changes it at this moment.
    #[error("another `skill` works in {}", .path.display())]
    Busy {
        /// The work directory.
        path: PathBuf,
        /// Process id of the other, where the system tells it.
        process: Option<u32>,
        /// Since when.
        since: Option<Timestamp>,
    },
    /// `.skill` is a link, or one lies in it where this program writes.
    #[error("{} is a link", .0.display())]
    Link(PathBuf),
    /// The journal is none that this user's `skill` wrote here, or none that this build can finish.
    #[error("{} cannot be finished: {why}", .path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The system refused, or what lies there is no regular file.
    #[error("cannot read or write {}", .path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
}

impl WorkdirError {
    fn at(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }

    /// Whether this user may not write there.
    pub fn is_denied(&self) -> bool {
        self.code() == "disk-denied"
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Absent(_) | Self::Homeless | Self::Link(_) => "workdir-absent",
            Self::Both => "workdir-global",
            Self::Busy { .. } => "busy",
            Self::Journal { .. } => "journal-unreadable",
            Self::Io { error, .. } => io_code(error),
        }
    }
}

/// The code of a refusal by the system while something is written or read.
pub fn io_code(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "disk-full",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "disk-denied",
        _ => "disk-io",
    }
}

/// A work directory, found and absolute; it need not exist yet if it is the global one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workdir {
    root: PathBuf,
    global: bool,
}

impl Workdir {
    /// The work directory at `root`.
    pub const fn at(root: PathBuf, global: bool) -> Self {
        Self { root, global }
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A place below it by its name, with `/`. `../` leads to the folder that holds it, whatever links
    /// are in the way.
    pub fn join(&self, name: &str) -> PathBuf {
        match (name.strip_prefix("../"), self.root.parent()) {
            (Some(beside), Some(parent)) => parent.join(beside),
            _ => self.root.join(name),
        }
    }

    /// Whether it is the user's own (`--global`).
    pub const fn is_global(&self) -> bool {
        self.global
    }

    /// What is wanted.
    pub fn wanted(&self) -> PathBuf {
        self.root.join("skills.toml")
    }

    /// What was got.
    pub fn lock(&self) -> PathBuf {
        self.root.join("skills.lock")
    }

    /// Everything beside the skills.
    pub fn state(&self) -> PathBuf {
        self.root.join(".skill")
    }

    /// The trust envelope of a release with this tree.
    pub fn envelope(&self, tree: TreeDigest) -> PathBuf {
        self.state().join("envelopes").join(format!("{}.json", tree.sha256()))
    }

    /// The envelope of a further release with the same tree; `key` digests its full name.
    pub fn other_envelope(&self, tree: TreeDigest, key: Sha256) -> PathBuf {
        self.state().join("envelopes").join(format!("{}-{}.json", tree.sha256(), key.short()))
    }

    /// The preimage of a tree digest.
    pub fn tree(&self, tree: TreeDigest) -> PathBuf {
        self.state().join("trees").join(format!("{}.tree", tree.sha256()))
    }

    /// The root chain of a registry.
    pub fn trust(&self, registry: RegistryId) -> PathBuf {
        self.state().join("trust").join(registry.to_string())
    }

    /// Where a changed copy goes before it is replaced or removed.
    pub fn backup(&self) -> PathBuf {
        self.state().join("backup")
    }

    /// `path` as documents name it: relative to the work directory when inside it, with `/`.
    pub fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned()
    }
}
