//! Programs that ask for a token, and the person who says yes. Of both codes only digests are kept.

use std::time::Duration;

use jiff::Timestamp;
use skill_core::digest::Sha256;
use skill_core::name::NameError;
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};
use crate::auth::{Credential, Scopes};

/// What a person said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The program gets a token.
    Approved,
    /// It gets none.
    Denied,
}

impl Decision {
    /// The word that is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Denied => "denied",
        }
    }
}

impl std::str::FromStr for Decision {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        [Self::Approved, Self::Denied]
            .into_iter()
            .find(|decision| decision.as_str() == text)
            .ok_or_else(|| NameError { text: text.to_owned(), wanted: "approved or denied" })
    }
}

/// A row of `device_codes`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceRow {
    /// Digest of the code that the program polls with.
    pub sha256: Sha256,
    /// Keyed digest of the code that the person types: it is short.
    pub user_code: String,
    /// What the program says it is.
    pub label: String,
    /// What it asks for; once it is approved, what it gets.
    pub scopes: Scopes,
    /// Where it asks from; empty if that is not known.
    pub address: String,
    /// When it asked.
    pub created_at: Timestamp,
    /// From when on nothing is decided and nothing given any more.
    pub expires_at: Timestamp,
    /// How long to wait between two polls.
    pub every: Duration,
    /// When the next poll is not too early.
    pub next_poll: Timestamp,
    /// Who decided.
    pub user_id: Option<String>,
    /// What was decided.
    pub decision: Option<Decision>,
    /// Since when the program has its token.
    pub taken_at: Option<Timestamp>,
    /// The session in which it was decided.
    pub made_from: Option<Credential>,
}

macro_rules! columns {
    () => {
        "sha256, user_code, label, scopes, address, created_at, expires_at, every, next_poll, user_id, decision,
         taken_at, made_from"
    };
}

impl DeviceRow {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            sha256: row.parsed("sha256")?,
            user_code: row.text("user_code")?,
            label: row.text("label")?,
            scopes: row.parsed("scopes")?,
            address: row.text("address")?,
            created_at: row.time("created_at")?,
            expires_at: row.time("expires_at")?,
            every: Duration::from_millis(row.count("every")?),
            next_poll: row.time("next_poll")?,
            user_id: row.maybe_text("user_id")?,
            decision: row.maybe_parsed("decision")?,
            taken_at: row.maybe_time("taken_at")?,
            made_from: row.maybe_parsed("made_from")?,
        })
    }
}

/// Removes what is over.
pub async fn tidy(conn: &mut Conn, now: Timestamp) -> Result<(), StoreError> {
    let query = sqlx::query("DELETE FROM device_codes WHERE expires_at <= $1");
    query.bind(now.as_millisecond()).execute(conn).await?;
    Ok(())
}

/// How many requests from an address wait for a person.
pub async fn waiting(conn: &mut Conn, address: &str) -> Result<u64, StoreError> {
    sqlx::query("SELECT COUNT(*) AS count FROM device_codes WHERE address = $1 AND decision IS NULL")
        .bind(address)
        .fetch_one(conn)
        .await?
        .count("count")
}

/// Adds a request that nobody decided yet.
pub async fn insert(conn: &mut Conn, device: &DeviceRow) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO device_codes (sha256, user_code, label, scopes, address, created_at, expires_at, every, next_poll)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(device.sha256.to_hex())
    .bind(device.user_code.clone())
    .bind(device.label.clone())
    .bind(device.scopes.to_string())
    .bind(device.address.clone())
    .bind(device.created_at.as_millisecond())
    .bind(device.expires_at.as_millisecond())
    .bind(millis(device.every))
    .bind(device.next_poll.as_millisecond())
    .execute(conn)
    .await?;
    Ok(())
}

/// The request with this code of the program, locked until the transaction ends: one poll at a time.
pub async fn lock(conn: &mut Conn, sha256: Sha256) -> Result<Option<DeviceRow>, StoreError> {
    sqlx::query(concat!("UPDATE device_codes SET every = every WHERE sha256 = $1 RETURNING ", columns!()))
        .bind(sha256.to_hex())
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(DeviceRow::from_row)
        .transpose()
}

/// The request with this code of the person, if it waits to be decided.
pub async fn undecided(
    conn: &mut Conn,
    user_code: &str,
    now: Timestamp,
) -> Result<Option<DeviceRow>, StoreError> {
    sqlx::query(concat!(
        "SELECT ",
        columns!(),
        " FROM device_codes WHERE user_code = $1 AND decision IS NULL AND expires_at > $2"
    ))
    .bind(user_code)
    .bind(now.as_millisecond())
    .fetch_optional(conn)
    .await?
    .as_ref()
    .map(DeviceRow::from_row)
    .transpose()
}

/// Writes down what a person said, with what the program gets; `false` if somebody did before.
pub async fn decide(
    conn: &mut Conn,
    device: &DeviceRow,
    by: (&str, &Credential),
    decision: Decision,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "UPDATE device_codes SET user_id = $1, made_from = $2, decision = $3, scopes = $4, decided_at = $5
         WHERE sha256 = $6 AND decision IS NULL",
    )
    .bind(by.0)
    .bind(by.1.to_string())
    .bind(decision.as_str())
    .bind(device.scopes.to_string())
    .bind(at.as_millisecond())
    .bind(device.sha256.to_hex())
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Writes down when the next poll is not too early.
pub async fn polled(
    conn: &mut Conn,
    sha256: Sha256,
    every: Duration,
    next_poll: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE device_codes SET every = $1, next_poll = $2 WHERE sha256 = $3")
        .bind(millis(every))
        .bind(next_poll.as_millisecond())
        .bind(sha256.to_hex())
        .execute(conn)
        .await?;
    Ok(())
}

/// The program gets its token.
pub async fn taken(conn: &mut Conn, sha256: Sha256, at: Timestamp) -> Result<(), StoreError> {
    let query = sqlx::query("UPDATE device_codes SET taken_at = $1 WHERE sha256 = $2");
    query.bind(at.as_millisecond()).bind(sha256.to_hex()).execute(conn).await?;
    Ok(())
}

fn millis(length: Duration) -> i64 {
    to_int(u64::try_from(length.as_millis()).unwrap_or(u64::MAX))
}
