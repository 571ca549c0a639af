//! Links that sign in once. Only the digest of a link's secret is kept.

use jiff::Timestamp;
use skill_core::digest::Sha256;
use sqlx::any::AnyRow;

use super::row::Columns as _;
use super::{Conn, StoreError};
use crate::auth::{Credential, Scopes};

/// What stands in `made_by` of a link of the operator.
const OPERATOR: &str = "operator";

/// A row of `sign_in_links`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRow {
    /// Digest of its secret.
    pub sha256: Sha256,
    /// Whom it signs in.
    pub user_id: String,
    /// What the session may be used for.
    pub scopes: Scopes,
    /// What made it; `None`: the operator.
    pub made_by: Option<Credential>,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is refused.
    pub expires_at: Timestamp,
}

macro_rules! columns {
    () => {
        "sha256, user_id, scopes, made_by, created_at, expires_at"
    };
}

impl LinkRow {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let made_by = match row.text("made_by")?.as_str() {
            OPERATOR => None,
            _ => Some(row.parsed("made_by")?),
        };
        Ok(Self {
            sha256: row.parsed("sha256")?,
            user_id: row.text("user_id")?,
            scopes: row.parsed("scopes")?,
            made_by,
            created_at: row.time("created_at")?,
            expires_at: row.time("expires_at")?,
        })
    }
}

/// Links of one user that wait to be used; one more takes the place of the oldest.
const WAITING: i64 = 20;

/// Adds a link. Those of its user go that are good for nothing any more, and all but the newest.
pub async fn insert(conn: &mut Conn, link: &LinkRow) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM sign_in_links WHERE user_id = $1 AND (expires_at <= $2 OR used_at IS NOT NULL)")
        .bind(link.user_id.clone())
        .bind(link.created_at.as_millisecond())
        .execute(&mut *conn)
        .await?;
    sqlx::query(
        "DELETE FROM sign_in_links WHERE user_id = $1 AND sha256 NOT IN
             (SELECT sha256 FROM sign_in_links WHERE user_id = $1 ORDER BY created_at DESC, sha256 LIMIT $2)",
    )
    .bind(link.user_id.clone())
    .bind(WAITING - 1)
    .execute(&mut *conn)
    .await?;
    sqlx::query(concat!("INSERT INTO sign_in_links (", columns!(), ") VALUES ($1, $2, $3, $4, $5, $6)"))
        .bind(link.sha256.to_hex())
        .bind(link.user_id.clone())
        .bind(link.scopes.to_string())
        .bind(link.made_by.as_ref().map_or_else(|| OPERATOR.to_owned(), ToString::to_string))
        .bind(link.created_at.as_millisecond())
        .bind(link.expires_at.as_millisecond())
        .execute(conn)
        .await?;
    Ok(())
}

/// The link, if it can still be used.
pub async fn find(conn: &mut Conn, sha256: Sha256, now: Timestamp) -> Result<Option<LinkRow>, StoreError> {
    sqlx::query(concat!(
        "SELECT ",
        columns!(),
        " FROM sign_in_links WHERE sha256 = $1 AND used_at IS NULL AND expires_at > $2"
    ))
    .bind(sha256.to_hex())
    .bind(now.as_millisecond())
    .fetch_optional(conn)
    .await?
    .as_ref()
    .map(LinkRow::from_row)
    .transpose()
}

/// Uses the link, if it can still be used; of several who try, one does.
pub async fn take(conn: &mut Conn, sha256: Sha256, now: Timestamp) -> Result<Option<LinkRow>, StoreError> {
    sqlx::query(concat!(
        "UPDATE sign_in_links SET used_at = $2 WHERE sha256 = $1 AND used_at IS NULL AND expires_at > $2 RETURNING ",
        columns!()
    ))
    .bind(sha256.to_hex())
    .bind(now.as_millisecond())
    .fetch_optional(conn)
    .await?
    .as_ref()
    .map(LinkRow::from_row)
    .transpose()
}

/// Drops the links of a user.
pub async fn drop_all(conn: &mut Conn, user_id: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM sign_in_links WHERE user_id = $1").bind(user_id).execute(conn).await?;
    Ok(())
}
