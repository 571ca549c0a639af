use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::name::{Owner, SkillName};
use crate::token::Life;

/// Body of `POST /api/registry/v1/tokens`: a token about to be made, for oneself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTokenRequest {
    /// What it is for, in words; at most 120 bytes.
    #[serde(default)]
    pub label: String,
    /// `read`, `publish`, `moderate`, `admin`; absent: `read` and `publish`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<String>>,
    /// The only publisher that it is to be good for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publisher: Option<Owner>,
    /// The only skill that it is to be good for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill: Option<SkillName>,
    /// How long it is good for; absent: 90 days, or as long as the token that makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Life>,
}

/// A token without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenLine {
    /// Made by the registry.
    pub id: String,
    /// The first characters of its text, to recognise it by.
    pub prefix: String,
    /// What it is for, in words.
    pub label: String,
    /// What it may be used for.
    pub scopes: Vec<String>,
    /// The only publisher that it is good for.
    pub publisher: Option<Owner>,
    /// The only skill that it is good for.
    pub skill: Option<SkillName>,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
    /// When it was last shown, to the hour.
    pub last_used_at: Option<Timestamp>,
}

/// Answer of `POST /api/registry/v1/tokens`: the only one that ever holds the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenMade {
    /// The text.
    pub token: String,
    /// What is known of it.
    #[serde(flatten)]
    pub line: TokenLine,
}

/// Answer of `GET /api/registry/v1/tokens`: own tokens that are not revoked, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenPage {
    /// The tokens.
    pub tokens: Vec<TokenLine>,
    /// `cursor` of the next page, if there is one.
    pub next_cursor: Option<String>,
}

/// Answer of `POST /api/registry/v1/sign-in-links`: the only one that ever holds the link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignInLink {
    /// Where a browser is signed in, once.
    pub url: String,
    /// From when on it is refused.
    pub expires_at: Timestamp,
}

/// Answer of `DELETE /api/registry/v1/tokens/{id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokensRevoked {
    /// The token that was named.
    pub id: String,
    /// The first characters of its text.
    pub prefix: String,
    /// How many tokens are refused from now on: this one and those made with it; 0 if that was so before.
    pub revoked: u64,
}
