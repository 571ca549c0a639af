//! Sessions: who is signed in with a browser. Only the digest of what the cookie holds is kept.

use jiff::{SignedDuration, Timestamp};
use skill_core::digest::Sha256;
use skill_core::name::NameError;
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};
use crate::auth::{Credential, Scopes};

/// A session that is not used for so long is over.
const IDLE: SignedDuration = SignedDuration::from_hours(3 * 24);
/// How long it counts that its user showed who they are.
const CONFIRMED: SignedDuration = SignedDuration::from_mins(15);

/// How somebody signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By a link that is good once.
    Link,
    /// By name and password.
    Password,
}

impl Way {
    /// The word that is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Password => "password",
        }
    }
}

impl std::str::FromStr for Way {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text {
            "link" => Ok(Self::Link),
            "password" => Ok(Self::Password),
            _ => Err(NameError { text: text.to_owned(), wanted: "a way to sign in" }),
        }
    }
}

/// A row of `sessions`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Digest of what the cookie holds.
    pub sha256: Sha256,
    /// Whose it is.
    pub user_id: String,
    /// What it may be used for.
    pub scopes: Scopes,
    /// How its user signed in.
    pub made_by: Way,
    /// What the browser calls itself.
    pub agent: String,
    /// Where it was when it signed in; empty if that is not known.
    pub address: String,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last used, to the hour.
    pub seen_at: Timestamp,
    /// When it ends at the latest.
    pub expires_at: Timestamp,
    /// When its user last showed who they are.
    pub confirmed_at: Timestamp,
    /// What made the link that it was signed in with; it ends with that. `None`: the operator did, or it was no link.
    pub made_from: Option<Credential>,
    /// Until when that is good: what is made in the session ends by then.
    pub made_until: Option<Timestamp>,
}

macro_rules! columns {
    () => {
        "sha256, user_id, scopes, made_by, agent, address, created_at, seen_at, expires_at, confirmed_at, made_from,
         made_until"
    };
}

impl SessionRow {
    /// Whether it is good for nothing any more.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.expires_at <= now || now.duration_since(self.seen_at) >= IDLE
    }

    /// Whether its user showed lately who they are.
    pub fn is_confirmed(&self, now: Timestamp) -> bool {
        now.duration_since(self.confirmed_at) < CONFIRMED
    }

    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            sha256: row.parsed("sha256")?,
            user_id: row.text("user_id")?,
            scopes: row.parsed("scopes")?,
            made_by: row.parsed("made_by")?,
            agent: row.text("agent")?,
            address: row.text("address")?,
            created_at: row.time("created_at")?,
            seen_at: row.time("seen_at")?,
            expires_at: row.time("expires_at")?,
            confirmed_at: row.time("confirmed_at")?,
            made_from: row.maybe_parsed("made_from")?,
            made_until: row.maybe_time("made_until")?,
        })
    }
}

/// Adds a session.
pub async fn insert(conn: &mut Conn, session: &SessionRow) -> Result<(), StoreError> {
    sqlx::query(concat!(
        "INSERT INTO sessions (",
        columns!(),
        ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
    ))
    .bind(session.sha256.to_hex())
    .bind(session.user_id.clone())
    .bind(session.scopes.to_string())
    .bind(session.made_by.as_str())
    .bind(session.agent.clone())
    .bind(session.address.clone())
    .bind(session.created_at.as_millisecond())
    .bind(session.seen_at.as_millisecond())
    .bind(session.expires_at.as_millisecond())
    .bind(session.confirmed_at.as_millisecond())
    .bind(session.made_from.as_ref().map(ToString::to_string))
    .bind(session.made_until.map(Timestamp::as_millisecond))
    .execute(conn)
    .await?;
    Ok(())
}

/// The session with this digest, over or not.
pub async fn find(conn: &mut Conn, sha256: &str) -> Result<Option<SessionRow>, StoreError> {
    sqlx::query(concat!("SELECT ", columns!(), " FROM sessions WHERE sha256 = $1"))
        .bind(sha256)
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(SessionRow::from_row)
        .transpose()
}

/// The sessions of a user, last used first: `limit` of them.
pub async fn of_user(conn: &mut Conn, user_id: &str, limit: u64) -> Result<Vec<SessionRow>, StoreError> {
    sqlx::query(concat!(
        "SELECT ",
        columns!(),
        " FROM sessions WHERE user_id = $1 ORDER BY seen_at DESC, created_at DESC, sha256 LIMIT $2"
    ))
    .bind(user_id)
    .bind(to_int(limit))
    .fetch_all(conn)
    .await?
    .iter()
    .map(SessionRow::from_row)
    .collect()
}

/// Notes that the session was used, unless a later time is noted already.
pub async fn used(conn: &mut Conn, sha256: &str, at: Timestamp) -> Result<(), StoreError> {
    sqlx::query("UPDATE sessions SET seen_at = $1 WHERE sha256 = $2 AND seen_at < $1")
        .bind(at.as_millisecond())
        .bind(sha256)
        .execute(conn)
        .await?;
    Ok(())
}

/// Ends one session of a user; `false` if there is none.
pub async fn end(conn: &mut Conn, user_id: &str, sha256: &str) -> Result<bool, StoreError> {
    let query = sqlx::query("DELETE FROM sessions WHERE user_id = $1 AND sha256 = $2");
    Ok(query.bind(user_id).bind(sha256).execute(conn).await?.rows_affected() == 1)
}

/// Notes that the user of a session showed who they are.
pub async fn confirm(conn: &mut Conn, sha256: &str, at: Timestamp) -> Result<(), StoreError> {
    let query = sqlx::query("UPDATE sessions SET confirmed_at = $1 WHERE sha256 = $2");
    query.bind(at.as_millisecond()).bind(sha256).execute(conn).await?;
    Ok(())
}

/// Ends all sessions of a user but one; how many those were.
pub async fn end_others(conn: &mut Conn, user_id: &str, kept: &str) -> Result<u64, StoreError> {
    let query = sqlx::query("DELETE FROM sessions WHERE user_id = $1 AND sha256 <> $2");
    Ok(query.bind(user_id).bind(kept).execute(conn).await?.rows_affected())
}

/// Ends all sessions of a user; how many there were.
pub async fn end_all(conn: &mut Conn, user_id: &str) -> Result<u64, StoreError> {
    let query = sqlx::query("DELETE FROM sessions WHERE user_id = $1");
    Ok(query.bind(user_id).execute(conn).await?.rows_affected())
}

/// Ends the sessions of a user that nobody could use any more, and of the others all but the `kept` last used.
pub async fn tidy(conn: &mut Conn, user_id: &str, now: Timestamp, kept: u64) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM sessions WHERE user_id = $1 AND (expires_at <= $2 OR seen_at <= $3)")
        .bind(user_id)
        .bind(now.as_millisecond())
        .bind(now.as_millisecond() - i64::try_from(IDLE.as_millis()).unwrap_or(i64::MAX))
        .execute(&mut *conn)
        .await?;
    sqlx::query(
        "DELETE FROM sessions WHERE user_id = $1 AND sha256 NOT IN
             (SELECT sha256 FROM sessions WHERE user_id = $1 ORDER BY seen_at DESC, created_at DESC, sha256 LIMIT $2)",
    )
    .bind(user_id)
    .bind(to_int(kept))
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends the sessions that were signed in with a link of `maker`, and gives their digests.
pub async fn end_made_from(
    conn: &mut Conn,
    user_id: &str,
    maker: &Credential,
) -> Result<Vec<String>, StoreError> {
    sqlx::query("DELETE FROM sessions WHERE user_id = $1 AND made_from = $2 RETURNING sha256")
        .bind(user_id)
        .bind(maker.to_string())
        .fetch_all(conn)
        .await?
        .iter()
        .map(|row| row.text("sha256"))
        .collect()
}
