use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::name::Owner;
use crate::verdict::Verdict;

/// Which door a skill comes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceKind {
    /// A registry.
    Registry,
    /// A git repository.
    Git,
    /// A zip or tar, from a file or a URL.
    Archive,
    /// A folder of this machine.
    Path,
}

impl SourceKind {
    /// The word for it, as rules and skills.toml write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Registry => "registry",
            Self::Git => "git",
            Self::Archive => "archive",
            Self::Path => "path",
        }
    }
}

/// What is known of a skill that is to be installed, as far as rules ask for it.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Which door it comes through.
    pub source: SourceKind,
    /// Whether its bytes came over a network.
    pub network: bool,
    /// Whose it is, in a registry.
    pub owner: Option<Owner>,
    /// Who published this release there, if that is somebody else.
    pub publisher: Option<Owner>,
    /// Whether a registry's signature over exactly these bytes was checked.
    pub signed: bool,
    /// Whether its inclusion in that registry's log was proved.
    pub logged: bool,
    /// What the scan says.
    pub verdict: Verdict,
    /// When it was published, as signed.
    pub published_at: Option<Timestamp>,
    /// The licence that its manifest names.
    pub licence: Option<String>,
    /// What it can do ([`super::capabilities`]).
    pub capabilities: BTreeSet<String>,
}
