use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::digest::{RegistryId, Sha256};
use skill_core::name::{Owner, Slug};
use skill_core::verdict::Verdict;
use skill_core::version::Version;

/// `scan`: these rules said this about these bytes. Logged again only when the verdict or the
/// findings change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScanPredicate {
    /// In which registry.
    pub registry: RegistryId,
    /// Whose skill.
    pub owner: Owner,
    /// Which skill.
    pub slug: Slug,
    /// Which release.
    pub version: Version,
    /// The program that looked.
    pub scanner: Scanner,
    /// The rules that it used.
    pub ruleset: Ruleset,
    /// What it concluded.
    pub verdict: Verdict,
    /// Digest over the findings ([`skill_core::verdict::findings_digest`]).
    pub findings: Sha256,
    /// Whether every file that could matter was read.
    pub analysable: bool,
    /// When it looked.
    pub scanned_at: Timestamp,
}

/// A program that scans.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scanner {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// A set of rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruleset {
    /// What people call it, such as `2026.11.1`.
    pub name: String,
    /// Digest over its content.
    pub sha256: Sha256,
}
