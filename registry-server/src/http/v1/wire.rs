//! The JSON shapes of `/api/v1`, as stock clients check them (ClawHub contract sections 1.4 to 1.11).
//!
//! Clients reject `null` where the contract only lets a key be absent, so those keys are left out;
//! `license` always is: this registry has no licence terms of its own. Times are milliseconds since
//! 1970. Keys that stock clients do not know (`state`, `verdict`, `requirements`) are ignored by them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use skill_core::digest::Sha256;
use skill_core::name::{Owner, Slug};
use skill_core::state::ReleaseState;
use skill_core::verdict::Verdict;
use skill_core::version::Version;
use utoipa::ToSchema;

/// Answer of a search.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SearchResults {
    /// Best first.
    pub results: Vec<SearchItem>,
}

/// One answer of a search.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchItem {
    /// How well it fits; only comparable within one answer.
    #[serde(default)]
    pub score: f32,
    /// Opaque id.
    pub id: String,
    /// Slug of the skill.
    #[schema(value_type = String)]
    pub slug: Slug,
    /// Name for people.
    pub display_name: String,
    /// What it does, in one paragraph.
    pub summary: String,
    /// Version that `latest` stands for.
    #[schema(value_type = String)]
    pub version: Version,
    /// Handle of the publisher.
    #[schema(value_type = String)]
    pub owner_handle: Owner,
    /// The publisher.
    pub owner: SearchOwner,
    /// Downloads so far.
    pub downloads: i64,
    /// Last change.
    pub updated_at: i64,
    /// Page of the skill.
    pub canonical_url: String,
    /// Verdict of that version.
    #[schema(value_type = String)]
    pub verdict: Verdict,
}

/// The publisher of a found skill.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchOwner {
    /// Handle.
    #[schema(value_type = String)]
    pub handle: Owner,
    /// Name for people.
    pub display_name: String,
    /// Always null: there are no pictures.
    pub image: Option<String>,
    /// `user` or `org`.
    pub kind: String,
}

/// A page of skills.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SkillPage {
    /// In the order that was asked for.
    pub items: Vec<SkillItem>,
    /// What to ask for next; null at the end.
    pub next_cursor: Option<String>,
}

/// A skill as it stands in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SkillItem {
    /// What every answer about a skill holds.
    #[serde(flatten)]
    pub skill: Skill,
    /// Handle of the publisher.
    #[schema(value_type = String)]
    pub owner_handle: Owner,
    /// The version that `latest` stands for; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest_version: Option<LatestVersion>,
    /// What it needs before use.
    pub metadata: Option<Metadata>,
}

/// What every answer about a skill holds.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skill {
    /// Slug.
    #[schema(value_type = String)]
    pub slug: Slug,
    /// Name for people.
    pub display_name: String,
    /// What it does, in one paragraph.
    pub summary: String,
    /// The whole `SKILL.md`, up to 200 KB; only in the detail answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Catalogue topics.
    pub topics: Vec<String>,
    /// Version by tag; `latest` is one of them.
    pub tags: BTreeMap<String, String>,
    /// Counts.
    pub stats: Stats,
    /// First publish.
    pub created_at: i64,
    /// Last change.
    pub updated_at: i64,
}

/// Counts of a skill.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) struct Stats {
    /// Downloads so far.
    pub downloads: i64,
    /// Users that starred it.
    pub stars: i64,
    /// Installs that clients reported.
    pub installs: i64,
    /// Releases that can be seen.
    pub versions: i64,
    /// Always 0: there are no comments.
    pub comments: i64,
}

/// The version that `latest` stands for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LatestVersion {
    /// Its number.
    #[schema(value_type = String)]
    pub version: Version,
    /// When it was published.
    pub created_at: i64,
    /// What changed.
    pub changelog: String,
}

/// What a skill needs before use, as stock clients read it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Metadata {
    /// Environment variables and configuration keys.
    pub setup: Vec<Setup>,
    /// Operating systems; null if any.
    pub os: Option<Vec<String>>,
    /// Always null.
    pub systems: Option<Vec<String>>,
}

/// One environment variable or configuration key.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Setup {
    /// Its name.
    pub key: String,
    /// Whether the skill does nothing useful without it.
    pub required: bool,
}

/// Answer about one skill.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SkillDetail {
    /// The skill.
    pub skill: Skill,
    /// The version that `latest` stands for; null if none can be chosen.
    pub latest_version: Option<LatestVersion>,
    /// The publisher.
    pub owner: DetailOwner,
    /// What it needs before use.
    pub metadata: Option<Metadata>,
    /// The requirements in full, as the manifest states them.
    #[schema(value_type = Object)]
    pub requirements: serde_json::Value,
    /// Null unless there is something to warn of.
    pub moderation: Option<Moderation>,
    /// Why the skill should not be used any more, in its owner's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
}

/// The publisher in a detail answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DetailOwner {
    /// Handle.
    #[schema(value_type = String)]
    pub handle: Owner,
    /// Name for people.
    pub display_name: String,
    /// Always null: there are no pictures.
    pub image: Option<String>,
}

/// A warning about a skill.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Moderation {
    /// Whether installing needs acceptance.
    pub is_suspicious: bool,
    /// Whether nothing of it may be installed.
    pub is_malware_blocked: bool,
    /// `clean`, `suspicious` or `malicious`.
    pub verdict: &'static str,
    /// Rules that found something.
    pub reason_codes: Vec<String>,
    /// When it was scanned.
    pub updated_at: Option<i64>,
    /// Rule set that found it.
    pub engine_version: Option<String>,
    /// The worst finding as a sentence.
    pub summary: Option<String>,
}

/// A page of versions.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VersionPage {
    /// Highest first.
    pub items: Vec<VersionItem>,
    /// What to ask for next; null at the end.
    pub next_cursor: Option<String>,
}

/// A version in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VersionItem {
    /// Its number.
    #[schema(value_type = String)]
    pub version: Version,
    /// When it was published.
    pub created_at: i64,
    /// What changed.
    pub changelog: String,
    /// `user`: the publisher wrote the changelog; null: there is none.
    pub changelog_source: Option<&'static str>,
    /// Where the release stands.
    #[schema(value_type = String)]
    pub state: ReleaseState,
    /// Verdict of its scan.
    #[schema(value_type = String)]
    pub verdict: Verdict,
}

/// Answer about one version.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VersionDetail {
    /// The skill it belongs to.
    pub skill: SkillName,
    /// The version.
    pub version: VersionFull,
}

/// The names of a skill.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SkillName {
    /// Slug.
    #[schema(value_type = String)]
    pub slug: Slug,
    /// Name for people.
    pub display_name: String,
}

/// A version with its files.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VersionFull {
    /// What lists say of it too.
    #[serde(flatten)]
    pub item: VersionItem,
    /// In byte order of their paths.
    pub files: Vec<VersionFile>,
    /// What the scan said.
    pub security: Security,
}

/// One file of a version.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VersionFile {
    /// Path inside the bundle.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Digest of the bytes.
    #[schema(value_type = String)]
    pub sha256: Sha256,
    /// Media type by its name.
    pub content_type: String,
    /// Whether it has the executable bit.
    pub executable: bool,
}

/// What the scan of a version said.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Security {
    /// `clean`, `suspicious`, `malicious` or `pending`.
    pub status: &'static str,
    /// Whether there are findings.
    pub has_warnings: bool,
    /// When it was scanned.
    pub checked_at: Option<i64>,
    /// Always null: no language model judges here.
    pub model: Option<String>,
    /// Whether a scan has ended.
    pub has_scan_result: bool,
    /// Digest of the archive.
    #[serde(rename = "sha256hash")]
    #[schema(value_type = String)]
    pub sha256_hash: Sha256,
    /// Always null.
    pub virustotal_url: Option<String>,
    /// Foreign scanners; none answers yet.
    pub scanners: Scanners,
}

/// Foreign scanners by name.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct Scanners {
    /// Always null.
    pub vt: Option<String>,
    /// Always null.
    pub skillspector: Option<String>,
    /// Always null.
    pub llm: Option<String>,
}

/// Which version has a fingerprint.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Resolved {
    /// Slug of the skill.
    #[schema(value_type = String)]
    pub slug: Slug,
    /// The newest version whose files have that fingerprint.
    #[serde(rename = "match")]
    pub matching: Option<VersionOnly>,
    /// The version that `latest` stands for.
    pub latest_version: Option<VersionOnly>,
}

/// A version and nothing more.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VersionOnly {
    /// Its number.
    #[schema(value_type = String)]
    pub version: Version,
}

/// Who a token belongs to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WhoAmI {
    /// The account.
    pub user: User,
}

/// An account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct User {
    /// Handle of its own publisher.
    pub handle: Option<String>,
    /// Name for people.
    pub display_name: String,
    /// Always null: there are no pictures.
    pub image: Option<String>,
    /// `admin`, `moderator` or `user`.
    pub role: String,
}

/// A bare slug that several publishers use and none is bound to (status 409).
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Ambiguous {
    /// `AMBIGUOUS_SKILL_SLUG`.
    pub code: &'static str,
    /// A sentence.
    pub message: String,
    /// The slug.
    #[schema(value_type = String)]
    pub slug: Slug,
    /// The skills it may mean.
    pub matches: Vec<Candidate>,
}

/// One skill that a bare slug may mean.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Candidate {
    /// Handle of the publisher.
    #[schema(value_type = String)]
    pub owner_handle: Owner,
    /// The slug again.
    #[schema(value_type = String)]
    pub slug: Slug,
    /// `@owner/slug`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Page of the skill.
    pub url: String,
}
