//! The life of a release: its states and what each lets through (docs/API.md, "States").

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::name::NameError;

/// Where a release stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleaseState {
    /// A required scan engine has not answered yet.
    Pending,
    /// Shown, chosen, downloaded.
    Visible,
    /// Shown with a mark; installing needs acceptance.
    Suspicious,
    /// Chosen only by a lock that names it.
    Yanked,
    /// Taken back by its owner.
    Withdrawn,
    /// Closed; a `restore` statement alone opens it.
    Quarantined,
    /// The whole skill was deleted by its owner.
    Deleted,
    /// Gone for ever; a tombstone stays.
    TakenDown,
}

impl ReleaseState {
    /// Every state, in the order of the table in docs/API.md, "States".
    pub const ALL: [Self; 8] = [
        Self::Pending,
        Self::Visible,
        Self::Suspicious,
        Self::Yanked,
        Self::Withdrawn,
        Self::Quarantined,
        Self::Deleted,
        Self::TakenDown,
    ];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Visible => "visible",
            Self::Suspicious => "suspicious",
            Self::Yanked => "yanked",
            Self::Withdrawn => "withdrawn",
            Self::Quarantined => "quarantined",
            Self::Deleted => "deleted",
            Self::TakenDown => "taken-down",
        }
    }

    /// Whether ranges and `latest` may choose it; also: whether search and lists show it.
    pub const fn is_selectable(self) -> bool {
        matches!(self, Self::Visible | Self::Suspicious)
    }

    /// Whether the archive may be downloaded.
    pub const fn is_downloadable(self) -> bool {
        matches!(self, Self::Visible | Self::Suspicious | Self::Yanked)
    }
}

impl fmt::Display for ReleaseState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ReleaseState {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::ALL
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| NameError { text: text.to_owned(), wanted: "a release state" })
    }
}
