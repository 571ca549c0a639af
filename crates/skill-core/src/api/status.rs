use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Waiting;
use crate::name::{Owner, Slug};
use crate::state::ReleaseState;
use crate::verdict::Verdict;
use crate::version::Version;

/// How a skill stands, for its publisher and for moderators: `GET /api/registry/v1/skills/{owner}/{slug}/status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillStatus {
    /// Whose skill it is.
    pub owner: Owner,
    /// Its slug.
    pub slug: Slug,
    /// Until when the slug of a deleted skill is kept for its owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserved_until: Option<Timestamp>,
    /// Every release, highest first, in whatever state.
    pub releases: Vec<ReleaseStatus>,
}

/// How a release stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReleaseStatus {
    /// Its number.
    pub version: Version,
    /// Where it stands.
    pub state: ReleaseState,
    /// What the last scan said.
    pub verdict: Verdict,
    /// When it was published.
    pub published_at: Timestamp,
    /// Why it is closed, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<Closed>,
    /// What it waits for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Waiting>,
}

/// Why a release is closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Closed {
    /// As it is signed, for everybody.
    pub reason: String,
    /// For the publisher alone; empty: nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Who closed it.
    pub by: String,
    /// Since when.
    pub at: Timestamp,
}
