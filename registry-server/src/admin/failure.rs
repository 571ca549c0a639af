use std::error::Error;
use std::fmt;

use crate::accounts::AccountError;
use crate::config::ConfigError;
use crate::data::DataError;
use crate::entropy::EntropyError;
use crate::store::{OpenError, StoreError};

/// Why a command did not do what it was asked: what happened, why, and what to do.
///
/// Its text form is what belongs on stderr, line ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    exit: u8,
    message: String,
    because: Vec<String>,
    hints: Vec<String>,
    told: String,
}

impl Failure {
    /// Something that did not work: exit 1.
    pub fn new(message: impl Into<String>) -> Self {
        Self { exit: 1, message: message.into(), because: Vec::new(), hints: Vec::new(), told: String::new() }
    }

    /// Something that was not asked right: exit 2.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { exit: 2, ..Self::new(message) }
    }

    /// A check that was made and did not hold: what it found, for stdout, and exit 1.
    pub fn told(text: String) -> Self {
        Self { told: text, ..Self::new("") }
    }

    /// An error, and each error below it as a reason.
    pub(super) fn of(error: &(dyn Error + 'static)) -> Self {
        let mut failure = Self::new(error.to_string());
        let mut below = error.source();
        while let Some(cause) = below {
            let text = cause.to_string();
            // fs_err begins so; what follows says it all.
            let text = text.strip_prefix("failed to ").map_or(text.clone(), |rest| format!("cannot {rest}"));
            if failure.because.last() != Some(&text) && failure.message != text {
                failure.because.push(text);
            }
            below = cause.source();
        }
        failure.because.truncate(3);
        failure
    }

    /// Adds a reason.
    #[must_use]
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.because.push(reason.into());
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// What belongs on stdout all the same.
    pub fn stdout(&self) -> &str {
        &self.told
    }

    /// The status with which the program ends.
    pub const fn exit(&self) -> u8 {
        self.exit
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.message.is_empty() {
            writeln!(f, "error: {}", self.message)?;
        }
        for reason in &self.because {
            writeln!(f, "  because: {reason}")?;
        }
        for hint in &self.hints {
            writeln!(f, "hint: {hint}")?;
        }
        Ok(())
    }
}

impl From<AccountError> for Failure {
    fn from(error: AccountError) -> Self {
        let failure = Self::new(error.to_string());
        match error {
            AccountError::Store(error) => error.into(),
            AccountError::LastAdmin { .. } => {
                failure.hint("`skill-registry user role NAME admin` makes another one")
            }
            _ => failure,
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        let failure = Self { exit: 2, ..Self::of(&error) };
        match error {
            ConfigError::UnknownKey { nearest: Some(nearest), .. } => {
                failure.hint(format!("did you mean `{nearest}`"))
            }
            ConfigError::UnknownKey { nearest: None, .. } => {
                failure.hint("`skill-registry config show` lists every setting")
            }
            ConfigError::PublicUrlMissing { .. } => failure
                .because("clients, archives and signed pages have to be told one URL, and only you know it")
                .hint("add `--public-url https://skills.example.com`, or listen on 127.0.0.1"),
            _ => failure,
        }
    }
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        let error = match error {
            DataError::Open(error) => return error.into(),
            error => error,
        };
        let failure = Self::of(&error);
        match error {
            DataError::InUse { .. } => failure.because("one folder is served by one process at a time"),
            DataError::NotMade { folder } => {
                failure.hint(format!("`skill-registry serve --data {}` makes one", folder.display()))
            }
            DataError::KeyExposed { path, .. } => failure.hint(format!("`chmod 600 {}`", path.display())),
            DataError::RootLost { .. } => failure
                .because("new keys would make another registry, which no client of this one accepts")
                .hint("restore the folders keys and trust of the data folder from a backup"),
            DataError::OtherRegistry { .. } => {
                failure.hint("name the database or the folder that belongs to it")
            }
            _ => failure,
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        let failure = Self::of(&error);
        match error {
            OpenError::Newer { .. } => failure
                .because("nothing was changed")
                .hint("run the skill-registry that was used last, or a newer one"),
            OpenError::NotEmpty { .. } => failure
                .because("nothing is written over")
                .hint("name an empty database, or empty this one, if what is in it may go"),
            OpenError::Collation { .. } => failure
                .because("names and versions are compared byte by byte")
                .hint("`CREATE DATABASE name TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`"),
            _ => failure,
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::of(&error)
    }
}

impl From<EntropyError> for Failure {
    fn from(error: EntropyError) -> Self {
        Self::of(&error)
    }
}
