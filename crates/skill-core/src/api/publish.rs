use serde::{Deserialize, Serialize};

use super::ServerLimits;
use crate::digest::{Sha256, TreeDigest};
use crate::name::{Owner, Slug, Tag};
use crate::state::ReleaseState;
use crate::verdict::{Finding, Verdict};
use crate::version::{Bump, Version};

/// The first part (`meta`) of a publish: `POST /api/registry/v1/publish`, `multipart/form-data`
/// with the parts `meta` (this, as JSON) and `archive` (the bytes), in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishMeta {
    /// Publisher to publish for; absent: the token's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// Slug to publish as.
    pub slug: Slug,
    /// Exact number; excludes `bump`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    /// Which part goes up; absent without `version`: 1.0.0 first, nothing if the tree equals
    /// `latest`, else the next patch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bump: Option<Bump>,
    /// Tags to set on the release. `latest` must be honoured or the publish is refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// What changed, for people; at most 10,000 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub changelog: String,
    /// Commit that the files come from, as the author says: 40 or 64 hex digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_commit: Option<String>,
    /// Tree digest of what the client packed; the server refuses other content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree_digest: Option<TreeDigest>,
}

/// Answer of a publish that was taken, or that changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Published {
    /// Whose skill it is.
    pub owner: Owner,
    /// Its slug.
    pub slug: Slug,
    /// The number of the release.
    pub version: Version,
    /// Identity of the content.
    pub tree_digest: TreeDigest,
    /// SHA-256 of the archive that the registry serves.
    pub archive_sha256: Sha256,
    /// What the scan said.
    pub verdict: Verdict,
    /// Where the release stands.
    pub status: ReleaseState,
    /// Page of the skill.
    pub url: String,
    /// Number of the release statement's leaf.
    pub log_index: u64,
    /// True if the release was there already with the same content.
    #[serde(default)]
    pub unchanged: bool,
    /// What the scan found.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// What it waits for before others see it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Waiting>,
}

/// What a release waits for: a person's word, before anybody but its publisher sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    /// `look-alike`, `first-publishes` or another word.
    pub kind: String,
    /// Why, in a sentence without a full stop.
    pub why: String,
}

/// What a publish would come to as the registry stands now: `POST /api/registry/v1/publish/plan`, with the same
/// [`PublishMeta`] and a tree digest. What the publish would be refused for, the plan is refused for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishPlan {
    /// Whose skill it would be.
    pub owner: Owner,
    /// Its slug.
    pub slug: Slug,
    /// The number that the release would get, or has.
    pub version: Version,
    /// The release of the skill that came last; absent: it would be the first, or nothing changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<Version>,
    /// Where it would stand if the scan finds nothing, or stands.
    pub status: ReleaseState,
    /// True if the release is there already with the same content.
    #[serde(default)]
    pub unchanged: bool,
    /// What the scan of that one said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The tags that would be set; `latest` follows by itself.
    #[serde(default)]
    pub tags: Vec<Tag>,
    /// What it would wait for before others see it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Waiting>,
    /// Page of the skill.
    pub url: String,
    /// The rules that the registry would scan it with.
    pub ruleset: RulesetId,
    /// What a publish may weigh.
    pub limits: ServerLimits,
}

/// Which rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RulesetId {
    /// Their name.
    pub name: String,
    /// Digest over them.
    pub sha256: Sha256,
}
