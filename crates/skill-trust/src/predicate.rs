//! What can be said, and which role's word each thing is.
//!
//! A predicate type is `urn:skill-registry:predicate:<kind>:v1`. Every predicate refuses keys
//! that it does not know and keys that stand twice: what was not understood was not checked.

mod name;
mod publisher;
mod publisher_reset;
mod release;
mod restoration;
mod restriction;
mod scan;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use skill_core::digest::RegistryId;
use skill_core::name::{Owner, Slug};
use skill_core::version::Version;

pub use name::{NameAction, NamePredicate, NameTarget};
pub use publisher::{PublisherAction, PublisherPredicate};
pub use publisher_reset::PublisherResetPredicate;
pub use release::{PreviousRelease, ReleasePredicate};
pub use restoration::RestorationPredicate;
pub use restriction::{Restriction, RestrictionPredicate, TakedownScope};
pub use scan::{Ruleset, ScanPredicate, Scanner};

use crate::role::Role;

/// The kinds of statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// These bytes are this release.
    Release,
    /// These bytes were scanned, with this outcome.
    Scan,
    /// This name belongs to, stands for or moves to that owner.
    Name,
    /// This release is restricted, or its owner's own restriction is undone.
    Restriction,
    /// This quarantine or takedown is lifted.
    Restoration,
    /// The author vouches for a release, or adds or drops a key.
    Publisher,
    /// A publisher's keys are replaced without any of them.
    PublisherReset,
}

/// Whose word a kind of statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signer {
    /// A role of the registry's root metadata.
    Role(Role),
    /// The author's own key, which no root knows.
    Author,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::Release,
        Self::Scan,
        Self::Name,
        Self::Restriction,
        Self::Restoration,
        Self::Publisher,
        Self::PublisherReset,
    ];

    /// The word for it, as leaves and envelopes write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Scan => "scan",
            Self::Name => "name",
            Self::Restriction => "restriction",
            Self::Restoration => "restoration",
            Self::Publisher => "publisher",
            Self::PublisherReset => "publisher-reset",
        }
    }

    /// Who may sign it. This is the only place that says so.
    pub const fn signer(self) -> Signer {
        match self {
            Self::Release | Self::Name => Signer::Role(Role::Release),
            Self::Scan => Signer::Role(Role::Scan),
            Self::Restriction => Signer::Role(Role::Restrict),
            Self::Restoration | Self::PublisherReset => Signer::Role(Role::Restore),
            Self::Publisher => Signer::Author,
        }
    }

    /// The `predicateType` of its statements.
    pub fn predicate_type(self) -> String {
        format!("urn:skill-registry:predicate:{self}:v1")
    }

    /// The kind of a `predicateType`; `None` for one that this version does not know.
    pub fn from_predicate_type(text: &str) -> Option<Self> {
        text.strip_prefix("urn:skill-registry:predicate:")?.strip_suffix(":v1")?.parse().ok()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that names no kind of statement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no kind of statement")]
pub struct KindError {
    /// What was read.
    pub text: String,
}

impl FromStr for Kind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<Self, KindError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| KindError { text: text.to_owned() })
    }
}

/// One of the seven predicates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Predicate {
    /// See [`Kind::Release`].
    Release(ReleasePredicate),
    /// See [`Kind::Scan`].
    Scan(ScanPredicate),
    /// See [`Kind::Name`].
    Name(NamePredicate),
    /// See [`Kind::Restriction`].
    Restriction(RestrictionPredicate),
    /// See [`Kind::Restoration`].
    Restoration(RestorationPredicate),
    /// See [`Kind::Publisher`].
    Publisher(PublisherPredicate),
    /// See [`Kind::PublisherReset`].
    PublisherReset(PublisherResetPredicate),
}

/// What a predicate is about, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target<'p> {
    /// In which registry.
    pub registry: RegistryId,
    /// Whose.
    pub owner: &'p Owner,
    /// Which skill; `None` if it is about the owner.
    pub slug: Option<&'p Slug>,
    /// Which release; `None` if it is about the skill or the owner.
    pub version: Option<&'p Version>,
}

impl fmt::Display for Target<'_> {
    /// `owner`, `owner/slug` or `owner/slug@version`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.owner)?;
        self.slug.map_or(Ok(()), |slug| write!(f, "/{slug}"))?;
        self.version.map_or(Ok(()), |version| write!(f, "@{version}"))
    }
}

impl Predicate {
    /// Its kind.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Release(_) => Kind::Release,
            Self::Scan(_) => Kind::Scan,
            Self::Name(_) => Kind::Name,
            Self::Restriction(_) => Kind::Restriction,
            Self::Restoration(_) => Kind::Restoration,
            Self::Publisher(_) => Kind::Publisher,
            Self::PublisherReset(_) => Kind::PublisherReset,
        }
    }

    /// What it is about.
    pub fn target(&self) -> Target<'_> {
        macro_rules! release {
            ($p:expr) => {
                Target {
                    registry: $p.registry,
                    owner: &$p.owner,
                    slug: Some(&$p.slug),
                    version: Some(&$p.version),
                }
            };
        }
        match self {
            Self::Release(p) => release!(p),
            Self::Scan(p) => release!(p),
            Self::Restriction(p) => release!(p),
            Self::Restoration(p) => release!(p),
            Self::Name(p) => {
                Target { registry: p.registry, owner: &p.owner, slug: Some(&p.slug), version: None }
            }
            Self::Publisher(p) => p.target(),
            Self::PublisherReset(p) => {
                Target { registry: p.registry, owner: &p.owner, slug: None, version: None }
            }
        }
    }
}
