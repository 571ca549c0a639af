//! Who may say what: the roles that root metadata gives keys to (docs/FORMAT.md, "Roles").

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A role. Each has keys of its own; no key serves two roles of one root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Signs root metadata.
    Root,
    /// Signs releases and names.
    Release,
    /// Signs scan results.
    Scan,
    /// Signs yanks, quarantines, takedowns and what undoes a yank or a deletion.
    Restrict,
    /// Signs what lifts a quarantine or a takedown, and resets of a publisher's key.
    Restore,
    /// Signs index notes.
    Index,
    /// Signs checkpoints of the log.
    Log,
    /// Signs timestamp notes.
    Timestamp,
}

/// A word that names no role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no role")]
pub struct RoleError {
    /// What was read.
    pub text: String,
}

impl Role {
    /// Every role, in the order in which they are written down.
    pub const ALL: [Self; 8] = [
        Self::Root,
        Self::Release,
        Self::Scan,
        Self::Restrict,
        Self::Restore,
        Self::Index,
        Self::Log,
        Self::Timestamp,
    ];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Release => "release",
            Self::Scan => "scan",
            Self::Restrict => "restrict",
            Self::Restore => "restore",
            Self::Index => "index",
            Self::Log => "log",
            Self::Timestamp => "timestamp",
        }
    }

    /// Whether the server needs the key at hand to serve; such a role has threshold 1 and one
    /// key in use at a time. The others can be taken off the machine.
    pub const fn is_online(self) -> bool {
        !matches!(self, Self::Root | Self::Restore)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = RoleError;

    fn from_str(text: &str) -> Result<Self, RoleError> {
        Self::ALL
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| RoleError { text: text.to_owned() })
    }
}
