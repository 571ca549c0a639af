//! Whose token it is, and for whom it acts.

use jiff::Timestamp;
use serde::Deserialize;
use skill_core::name::Owner;

use crate::client::{ClientError, Session};

/// Whose token it is and what it may do.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// The account.
    pub user: String,
    /// The publishers that it may publish for.
    #[serde(default)]
    pub publishers: Vec<Membership>,
    /// What the token may do.
    #[serde(default)]
    pub scopes: Vec<String>,
    /// When the token ends.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
}

/// A publisher that an account belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Membership {
    /// The publisher.
    pub owner: Owner,
    /// What the account is there.
    pub role: String,
}

impl Session {
    /// Whose token this session carries.
    pub async fn whoami(&self) -> Result<Identity, ClientError> {
        self.json(self.own(&["whoami"])).await
    }
}
