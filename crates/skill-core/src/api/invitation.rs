use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::name::Owner;

/// Body of `POST /api/registry/v1/publishers/{owner}/invitations`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvitationRequest {
    /// Name of who is invited.
    pub user: Owner,
    /// `publisher`, `admin` or `owner`; absent: `publisher`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}

/// An open invitation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvitationLine {
    /// Made by the registry.
    pub id: String,
    /// To what.
    pub publisher: Owner,
    /// Who is invited.
    pub user: Owner,
    /// What the user would be there.
    pub role: String,
    /// Name of who invited.
    pub invited_by: Owner,
    /// When.
    pub created_at: Timestamp,
    /// From when on it can no longer be accepted.
    pub expires_at: Timestamp,
}

/// Answer of `GET /api/registry/v1/invitations` and of `GET …/publishers/{owner}/invitations`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvitationPage {
    /// The invitations.
    pub invitations: Vec<InvitationLine>,
    /// `cursor` of the next page, if there is one.
    pub next_cursor: Option<String>,
}
