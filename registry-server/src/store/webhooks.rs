//! Webhooks of publishers, and what was sent to each.

use jiff::Timestamp;
use skill_core::digest::Sha256;
use skill_core::name::Owner;
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// A row of `webhooks`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Made by the program.
    pub id: String,
    /// Whose.
    pub publisher: Owner,
    /// Where to.
    pub url: String,
    /// Digest of the secret, which nobody keeps.
    pub secret: Sha256,
    /// Words with commas between, in the order of the program.
    pub kinds: String,
    /// Who made it: a user's id.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
    /// When nothing more was sent, and why.
    pub disabled: Option<(Timestamp, String)>,
}

/// A row of `deliveries`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Made by the program.
    pub id: String,
    /// The event that it tells of.
    pub event: u64,
    /// What it tells.
    pub kind: String,
    /// How often it was sent.
    pub attempts: u64,
    /// The last answer.
    pub status: Option<u64>,
    /// Why the last attempt was none.
    pub error: Option<String>,
    /// When it was to be sent first.
    pub created_at: Timestamp,
    /// When it was taken.
    pub delivered_at: Option<Timestamp>,
    /// When it was given up.
    pub dead_at: Option<Timestamp>,
}

impl Webhook {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text("id")?,
            publisher: row.parsed("publisher")?,
            url: row.text("url")?,
            secret: row.parsed("secret")?,
            kinds: row.text("kinds")?,
            created_by: row.text("created_by")?,
            created_at: row.time("created_at")?,
            disabled: row.maybe_time("disabled_at")?.zip(row.maybe_text("disabled_reason")?),
        })
    }
}

impl Delivery {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text("id")?,
            event: row.count("event")?,
            kind: row.text("kind")?,
            attempts: row.count("attempts")?,
            status: row.maybe_int("status")?.map(i64::unsigned_abs),
            error: row.maybe_text("error")?,
            created_at: row.time("created_at")?,
            delivered_at: row.maybe_time("delivered_at")?,
            dead_at: row.maybe_time("dead_at")?,
        })
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, publisher, url, secret, kinds, created_by, created_at, disabled_at, disabled_reason
             FROM webhooks ",
            $rest
        )
    };
}

/// Keeps a new webhook.
pub async fn insert(conn: &mut Conn, hook: &Webhook) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO webhooks (id, publisher, url, secret, kinds, created_by, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(hook.id.clone())
    .bind(hook.publisher.to_string())
    .bind(hook.url.clone())
    .bind(hook.secret.to_hex())
    .bind(hook.kinds.clone())
    .bind(hook.created_by.clone())
    .bind(hook.created_at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(())
}

/// Those of a publisher, oldest first.
pub async fn of_publisher(conn: &mut Conn, owner: &Owner) -> Result<Vec<Webhook>, StoreError> {
    sqlx::query(select!("WHERE publisher = $1 ORDER BY created_at, id"))
        .bind(owner.to_string())
        .fetch_all(conn)
        .await?
        .iter()
        .map(Webhook::from_row)
        .collect()
}

/// One of them, by its id.
pub async fn by_id(conn: &mut Conn, id: &str) -> Result<Option<Webhook>, StoreError> {
    sqlx::query(select!("WHERE id = $1"))
        .bind(id)
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(Webhook::from_row)
        .transpose()
}

/// Whether there is one to which anything is sent.
pub async fn any(conn: &mut Conn) -> Result<bool, StoreError> {
    let found = sqlx::query("SELECT 1 AS one FROM webhooks WHERE disabled_at IS NULL LIMIT 1");
    Ok(found.fetch_optional(conn).await?.is_some())
}

/// Removes one, with all that was sent.
pub async fn remove(conn: &mut Conn, id: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM deliveries WHERE webhook_id = $1").bind(id).execute(&mut *conn).await?;
    sqlx::query("DELETE FROM webhooks WHERE id = $1").bind(id).execute(conn).await?;
    Ok(())
}

/// Sends nothing more; `false` if that was so.
pub async fn disable(conn: &mut Conn, id: &str, why: &str, at: Timestamp) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "UPDATE webhooks SET disabled_at = $1, disabled_reason = $2 WHERE id = $3 AND disabled_at IS NULL",
    )
    .bind(at.as_millisecond())
    .bind(why)
    .bind(id)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Notes that an event is to be told; `false` if it was noted before.
pub async fn note(
    conn: &mut Conn,
    id: &str,
    webhook_id: &str,
    event: u64,
    kind: &str,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO deliveries (id, webhook_id, event, kind, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (webhook_id, event) DO NOTHING",
    )
    .bind(id)
    .bind(webhook_id)
    .bind(to_int(event))
    .bind(kind)
    .bind(at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The answer, if there was one.
    pub status: Option<u16>,
    /// Why there was none.
    pub error: Option<String>,
    /// Whether it was taken, or will never be tried again.
    pub end: Option<End>,
}

impl Attempt {
    /// None was made, and none will be.
    pub fn dead(why: &str) -> Self {
        Self { status: None, error: Some(why.to_owned()), end: Some(End::Dead) }
    }
}

/// How a delivery ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It was taken.
    Delivered,
    /// It was given up.
    Dead,
}

/// Notes an attempt.
pub async fn tried(conn: &mut Conn, id: &str, attempt: &Attempt, at: Timestamp) -> Result<(), StoreError> {
    let at = |end| (attempt.end == Some(end)).then_some(at.as_millisecond());
    sqlx::query(
        "UPDATE deliveries SET attempts = attempts + 1, status = $1, error = $2, delivered_at = $3, dead_at = $4
         WHERE id = $5",
    )
    .bind(attempt.status.map(i64::from))
    .bind(attempt.error.clone())
    .bind(at(End::Delivered))
    .bind(at(End::Dead))
    .bind(id)
    .execute(conn)
    .await?;
    Ok(())
}

/// How often a webhook did not take what was sent since it took something last.
pub async fn failures(conn: &mut Conn, webhook_id: &str) -> Result<u64, StoreError> {
    let row = sqlx::query(
        "SELECT CAST(COALESCE(SUM(attempts), 0) AS BIGINT) AS n FROM deliveries
         WHERE webhook_id = $1 AND delivered_at IS NULL AND event > COALESCE(
            (SELECT MAX(d.event) FROM deliveries d WHERE d.webhook_id = $1 AND d.delivered_at IS NOT NULL), 0)",
    );
    row.bind(webhook_id).fetch_one(conn).await?.count("n")
}

/// The last `limit` of what was sent to a webhook, or will be, last first.
pub async fn deliveries(conn: &mut Conn, webhook_id: &str, limit: u32) -> Result<Vec<Delivery>, StoreError> {
    sqlx::query(
        "SELECT id, event, kind, attempts, status, error, created_at, delivered_at, dead_at FROM deliveries
         WHERE webhook_id = $1 ORDER BY event DESC LIMIT $2",
    )
    .bind(webhook_id)
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?
    .iter()
    .map(Delivery::from_row)
    .collect()
}

/// Locks the number of the last event that was looked at, and gives it.
pub async fn lock_seen(conn: &mut Conn) -> Result<u64, StoreError> {
    let row = sqlx::query(
        "INSERT INTO meta (key, value) VALUES ('webhooks-seen', '0')
         ON CONFLICT (key) DO UPDATE SET value = meta.value RETURNING value",
    );
    row.fetch_one(conn).await?.parsed("value")
}

/// All events up to this one were looked at.
pub async fn set_seen(conn: &mut Conn, event: u64) -> Result<(), StoreError> {
    sqlx::query("UPDATE meta SET value = $1 WHERE key = 'webhooks-seen'")
        .bind(event.to_string())
        .execute(conn)
        .await?;
    Ok(())
}
