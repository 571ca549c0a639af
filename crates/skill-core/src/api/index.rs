use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::digest::{Sha256, TreeDigest};
use crate::name::{Owner, Slug, Tag};
use crate::state::ReleaseState;
use crate::verdict::Verdict;
use crate::version::Version;

/// One line of `/index/{owner}/{slug}`: one release that was ever public.
///
/// The index only helps to choose. What is installed is checked against the signed release, and
/// requirements are read from there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexLine {
    /// Whose skill it is.
    pub owner: Owner,
    /// Canonical slug.
    pub slug: Slug,
    /// Number of the release.
    pub version: Version,
    /// Where the release stands now.
    pub state: ReleaseState,
    /// Verdict of the last scan.
    pub verdict: Verdict,
    /// Identity of the content.
    pub tree_digest: TreeDigest,
    /// SHA-256 of the archive that is served.
    pub archive_sha256: Sha256,
    /// Length of that archive in bytes.
    pub archive_size: u64,
    /// Bytes of the unpacked files together.
    pub size: u64,
    /// How many files.
    pub files: u32,
    /// When the release was stored.
    pub published_at: Timestamp,
    /// Number of the release statement's leaf.
    pub log_index: u64,
    /// Tags that point here; `latest` is one of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// Why it was yanked, withdrawn, quarantined or taken down; absent while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When that happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restricted_at: Option<Timestamp>,
    /// Why the skill should not be used any more, in its owner's words; the same on every line. Nobody signs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// Keys that a newer server adds; kept, not understood.
    #[serde(flatten)]
    pub other: BTreeMap<String, serde_json::Value>,
}
