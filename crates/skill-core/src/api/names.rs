use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::name::{Owner, Slug};
use crate::version::Version;

/// Body of whatever closes or opens releases: `POST …/yank`, `…/unyank`, `…/withdraw`, `…/restore` of a version,
/// `DELETE` and `POST …/undelete` of a skill. No body stands for no reason.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReasonRequest {
    /// Why, for people; at most 500 bytes as JSON writes it.
    #[serde(default)]
    pub reason: String,
}

/// Body of `PUT …/tags/{tag}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagRequest {
    /// The release that the tag is to point to.
    pub version: Version,
}

/// Body of `PUT …/deprecation`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeprecationRequest {
    /// What to do instead, for people; at most 500 bytes as JSON writes it, and not blank.
    #[serde(default)]
    pub message: String,
}

/// Answer of `DELETE /api/registry/v1/skills/{owner}/{slug}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillDeleted {
    /// Whose skill it was.
    pub owner: Owner,
    /// Its slug.
    pub slug: Slug,
    /// How many releases are closed by it.
    pub releases: u64,
    /// Until when nobody else may take the bare slug; absent if it was another skill's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserved_until: Option<Timestamp>,
}

/// Answer of `POST /api/registry/v1/skills/{owner}/{slug}/undelete`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillUndeleted {
    /// Whose skill it is.
    pub owner: Owner,
    /// Its slug.
    pub slug: Slug,
    /// How many releases are no longer deleted; each stands as it did before.
    pub releases: u64,
    /// Whether the bare slug means this skill.
    pub bare_slug: bool,
}
