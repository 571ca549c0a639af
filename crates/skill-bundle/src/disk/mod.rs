//! Bundles on disk: written below an opened folder, read back without following links, compared with a tree.

mod compare;
mod error;
mod foreign;
mod installed;
mod stage;

use crate::Tree;

pub use compare::{Comparison, compare};
pub use error::DiskError;
pub use foreign::ForeignFile;
pub use installed::read_installed;
pub use stage::{Staged, stage};

/// What lies in the folder of an installed skill.
#[derive(Debug)]
pub struct DiskReport {
    /// The regular files with legal names.
    pub tree: Tree,
    /// What can be in no bundle, in byte order of the paths. Never part of the tree.
    pub findings: Vec<DiskFinding>,
    /// Those of the files that other tools are known to leave; in the tree too, as a bundle may hold them.
    pub foreign: Vec<ForeignFile>,
    /// Whether the file system keeps the executable bit; where it does not, modes are not compared.
    pub keeps_modes: bool,
}

/// One thing on disk that is not as published.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiskFinding {
    /// Which check fails.
    pub check: DiskCheck,
    /// Path below the skill's folder; bytes that are no UTF-8 read U+FFFD.
    pub path: String,
    /// What is found there.
    pub detail: String,
}

/// The checks of an installed skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiskCheck {
    /// A file has other bytes.
    Content,
    /// A file is gone.
    Missing,
    /// A file or a folder was added.
    Extra,
    /// A file has the other mode.
    Mode,
    /// A link; bundles have none.
    Link,
    /// A device, a pipe or a socket.
    Special,
    /// A name that no bundle has.
    Name,
    /// What running a script leaves: `__pycache__`.
    Generated,
    /// A known file of another tool that is not what that tool writes.
    ForeignUnreadable,
}

impl DiskCheck {
    /// The stable id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Content => "disk-content",
            Self::Missing => "disk-missing",
            Self::Extra => "disk-extra",
            Self::Mode => "disk-mode",
            Self::Link => "disk-link",
            Self::Special => "disk-special",
            Self::Name => "disk-name",
            Self::Generated => "disk-generated",
            Self::ForeignUnreadable => "foreign-unreadable",
        }
    }
}
