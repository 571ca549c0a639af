use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::name::Owner;

/// Body of `POST /api/registry/v1/publishers`: a publisher for several users.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PublisherRequest {
    /// Its handle, which nobody else ever gets.
    pub handle: Owner,
    /// Name for people, at most 200 bytes; empty: the handle.
    #[serde(default)]
    pub display_name: String,
}

/// A publisher as its members see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublisherLine {
    /// Its handle.
    pub handle: Owner,
    /// `user` or `org`.
    pub kind: String,
    /// Name for people.
    pub display_name: String,
    /// When it came.
    pub created_at: Timestamp,
    /// What whoever asks is there: `publisher`, `admin` or `owner`.
    pub role: String,
}

/// A member of a publisher.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberLine {
    /// Name of the user.
    pub user: Owner,
    /// Name for people.
    pub display_name: String,
    /// `publisher`, `admin` or `owner`.
    pub role: String,
    /// Since when.
    pub since: Timestamp,
}

/// Answer of `GET /api/registry/v1/publishers/{owner}/members`, by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberPage {
    /// The members.
    pub members: Vec<MemberLine>,
    /// `cursor` of the next page, if there is one.
    pub next_cursor: Option<String>,
}

/// Body of `PUT /api/registry/v1/publishers/{owner}/members/{user}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleRequest {
    /// `publisher`, `admin` or `owner`.
    #[serde(default)]
    pub role: String,
}
