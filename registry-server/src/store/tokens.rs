//! Tokens: what a caller shows. Only the digest of a token's text is kept.

use jiff::Timestamp;
use skill_core::digest::Sha256;
use skill_core::name::{Owner, SkillName};
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};
use crate::auth::{Credential, Scopes};

/// A row of `tokens`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// Made by the program.
    pub id: String,
    /// Whose it is.
    pub user_id: String,
    /// The first characters of the text, to recognise it by.
    pub prefix: String,
    /// Digest of the text.
    pub sha256: Sha256,
    /// What it is for, as its maker says.
    pub label: String,
    /// What it may be used for.
    pub scopes: Scopes,
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
    /// Since when it is refused.
    pub revoked_at: Option<Timestamp>,
    /// What made it; it is revoked with that. `None`: the operator did.
    pub made_from: Option<Credential>,
}

macro_rules! columns {
    () => {
        "t.id, t.user_id, t.prefix, t.sha256, t.label, t.scopes, t.publisher, t.skill, t.created_at,
         t.expires_at, t.last_used_at, t.revoked_at, t.made_from"
    };
}

impl TokenRow {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text("id")?,
            user_id: row.text("user_id")?,
            prefix: row.text("prefix")?,
            sha256: row.parsed("sha256")?,
            label: row.text("label")?,
            scopes: row.parsed("scopes")?,
            publisher: row.maybe_parsed("publisher")?,
            skill: row.maybe_parsed("skill")?,
            created_at: row.time("created_at")?,
            expires_at: row.maybe_time("expires_at")?,
            last_used_at: row.maybe_time("last_used_at")?,
            revoked_at: row.maybe_time("revoked_at")?,
            made_from: row.maybe_parsed("made_from")?,
        })
    }
}

/// Adds a token.
pub async fn insert(conn: &mut Conn, token: &TokenRow) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO tokens (id, user_id, prefix, sha256, label, scopes, publisher, skill, created_at, expires_at,
         made_from) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(token.id.clone())
    .bind(token.user_id.clone())
    .bind(token.prefix.clone())
    .bind(token.sha256.to_hex())
    .bind(token.label.clone())
    .bind(token.scopes.to_string())
    .bind(token.publisher.as_ref().map(ToString::to_string))
    .bind(token.skill.as_ref().map(ToString::to_string))
    .bind(token.created_at.as_millisecond())
    .bind(token.expires_at.map(Timestamp::as_millisecond))
    .bind(token.made_from.as_ref().map(ToString::to_string))
    .execute(conn)
    .await?;
    Ok(())
}

/// The token whose text has this digest.
pub async fn by_digest(conn: &mut Conn, sha256: Sha256) -> Result<Option<TokenRow>, StoreError> {
    sqlx::query(concat!("SELECT ", columns!(), " FROM tokens t WHERE t.sha256 = $1"))
        .bind(sha256.to_hex())
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(TokenRow::from_row)
        .transpose()
}

/// The tokens whose id or prefix this is; several only if prefixes meet.
pub async fn by_id_or_prefix(conn: &mut Conn, text: &str) -> Result<Vec<TokenRow>, StoreError> {
    sqlx::query(concat!(
        "SELECT ",
        columns!(),
        " FROM tokens t WHERE t.id = $1 OR t.prefix = $1 ORDER BY t.id"
    ))
    .bind(text)
    .fetch_all(conn)
    .await?
    .iter()
    .map(TokenRow::from_row)
    .collect()
}

/// Every token with its user's name, oldest first.
pub async fn all(conn: &mut Conn) -> Result<Vec<(TokenRow, Owner)>, StoreError> {
    sqlx::query(concat!(
        "SELECT ",
        columns!(),
        ", u.name AS user_name FROM tokens t JOIN users u ON u.id = t.user_id ORDER BY t.created_at, t.id"
    ))
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| Ok((TokenRow::from_row(row)?, row.parsed("user_name")?)))
    .collect()
}

/// The tokens of a user that are not revoked, newest first: `limit` of them, after the one that was made at that time
/// with that id.
pub async fn of_user(
    conn: &mut Conn,
    user_id: &str,
    after: Option<(Timestamp, String)>,
    limit: usize,
) -> Result<Vec<TokenRow>, StoreError> {
    let (at, id) = after.map_or((i64::MAX, String::new()), |(at, id)| (at.as_millisecond(), id));
    sqlx::query(concat!(
        "SELECT ",
        columns!(),
        " FROM tokens t WHERE t.user_id = $1 AND t.revoked_at IS NULL AND (t.created_at, t.id) < ($2, $3)
         ORDER BY t.created_at DESC, t.id DESC LIMIT $4"
    ))
    .bind(user_id)
    .bind(at)
    .bind(id)
    .bind(to_int(limit as u64))
    .fetch_all(conn)
    .await?
    .iter()
    .map(TokenRow::from_row)
    .collect()
}

/// How many tokens of a user are good at `now`.
pub async fn good_of_user(conn: &mut Conn, user_id: &str, now: Timestamp) -> Result<u64, StoreError> {
    sqlx::query(
        "SELECT COUNT(*) AS good FROM tokens
         WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
    )
    .bind(user_id)
    .bind(now.as_millisecond())
    .fetch_one(conn)
    .await?
    .count("good")
}

/// Keeps a credential from being revoked until the transaction ends; `false` if it is already.
pub async fn hold(conn: &mut Conn, credential: &Credential) -> Result<bool, StoreError> {
    let (sql, key) = match credential {
        Credential::Token(id) => {
            ("UPDATE tokens SET revoked_at = NULL WHERE id = $1 AND revoked_at IS NULL", id)
        }
        Credential::Session(sha256) => ("UPDATE sessions SET seen_at = seen_at WHERE sha256 = $1", sha256),
    };
    Ok(sqlx::query(sql).bind(key.clone()).execute(conn).await?.rows_affected() == 1)
}

/// Refuses what was made with `maker`, from `at` on, and gives the ids.
pub async fn revoke_made_from(
    conn: &mut Conn,
    user_id: &str,
    maker: &Credential,
    at: Timestamp,
) -> Result<Vec<String>, StoreError> {
    sqlx::query(
        "UPDATE tokens SET revoked_at = $1 WHERE user_id = $2 AND made_from = $3 AND revoked_at IS NULL
         RETURNING id",
    )
    .bind(at.as_millisecond())
    .bind(user_id)
    .bind(maker.to_string())
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| row.text("id"))
    .collect()
}

/// Refuses the token from `at` on; `false` if it was revoked before.
pub async fn revoke(conn: &mut Conn, id: &str, at: Timestamp) -> Result<bool, StoreError> {
    let done = sqlx::query("UPDATE tokens SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL")
        .bind(at.as_millisecond())
        .bind(id)
        .execute(conn)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Notes that the token was shown, unless a later time is noted already.
pub async fn used(conn: &mut Conn, id: &str, at: Timestamp) -> Result<(), StoreError> {
    sqlx::query("UPDATE tokens SET last_used_at = $1 WHERE id = $2 AND COALESCE(last_used_at, 0) < $1")
        .bind(at.as_millisecond())
        .bind(id)
        .execute(conn)
        .await?;
    Ok(())
}
