use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::digest::{RegistryId, Sha256};
use skill_core::name::{Owner, Slug};
use skill_core::version::Version;

/// `release`: the registry took these bytes as this release. The number is used once for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReleasePredicate {
    /// In which registry.
    pub registry: RegistryId,
    /// Whose skill.
    pub owner: Owner,
    /// Which skill.
    pub slug: Slug,
    /// Which number.
    pub version: Version,
    /// The release of this skill that was stored before; absent for the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<PreviousRelease>,
    /// `requires.skills` of the manifest: reference to requirement, as texts. Clients resolve
    /// from here, never from the index.
    #[serde(deserialize_with = "crate::unique::deserialize")]
    pub requirements: BTreeMap<String, String>,
    /// Which publisher's rights were used.
    pub publisher: Owner,
    /// The commit that the files come from, as the author says; nobody checked it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_commit: Option<String>,
    /// Bytes of the archive.
    pub archive_size: u64,
    /// When it was taken.
    pub published_at: Timestamp,
}

/// Which release came before, so that none can be slipped in between.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviousRelease {
    /// Its number.
    pub version: Version,
    /// SHA-256 of the DSSE envelope of its release statement.
    pub statement: Sha256,
}
