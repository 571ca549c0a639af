//! How often somebody guessed at something, so that nobody guesses for long.

use std::time::Duration;

use jiff::Timestamp;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// Counts a guess before it is known whether it is right: those who guess at once are counted one after the other. How
/// many there are since the first one, and when they are forgotten, `window` after that.
pub async fn count(
    conn: &mut Conn,
    key: &str,
    now: Timestamp,
    window: Duration,
) -> Result<(u64, Timestamp), StoreError> {
    let until = now.as_millisecond().saturating_add(i64::try_from(window.as_millis()).unwrap_or(i64::MAX));
    let row = sqlx::query(
        "INSERT INTO guesses (key, failures, until, at) VALUES ($1, 1, $2, $3) ON CONFLICT (key) DO UPDATE SET
             failures = CASE WHEN guesses.until <= $3 THEN 1 ELSE guesses.failures + 1 END,
             until = CASE WHEN guesses.until <= $3 THEN $2 ELSE guesses.until END, at = $3
         RETURNING failures, until",
    )
    .bind(key)
    .bind(until)
    .bind(now.as_millisecond())
    .fetch_one(conn)
    .await?;
    Ok((row.count("failures")?, row.time("until")?))
}

/// A guess was right, and counts for nothing. Those before it stay counted.
pub async fn right(conn: &mut Conn, key: &str) -> Result<(), StoreError> {
    let query = sqlx::query("UPDATE guesses SET failures = failures - 1 WHERE key = $1 AND failures > 0");
    query.bind(key).execute(conn).await?;
    Ok(())
}

/// Guesses that were counted under one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guesses {
    /// How many, right ones not among them.
    pub failures: u64,
    /// From when on a further one is looked at.
    pub until: Timestamp,
    /// When the last one was.
    pub at: Timestamp,
}

/// What was counted under this key. Whoever guesses at the same waits until the transaction ends.
pub async fn lock(conn: &mut Conn, key: &str, now: Timestamp) -> Result<Guesses, StoreError> {
    let row = sqlx::query(
        "INSERT INTO guesses (key, failures, until, at) VALUES ($1, 0, 0, $2)
         ON CONFLICT (key) DO UPDATE SET failures = guesses.failures RETURNING failures, until, at",
    )
    .bind(key)
    .bind(now.as_millisecond())
    .fetch_one(conn)
    .await?;
    Ok(Guesses { failures: row.count("failures")?, until: row.time("until")?, at: row.time("at")? })
}

/// Writes what is counted under a key that was [locked](lock).
pub async fn set(conn: &mut Conn, key: &str, guesses: Guesses) -> Result<(), StoreError> {
    sqlx::query("UPDATE guesses SET failures = $1, until = $2, at = $3 WHERE key = $4")
        .bind(to_int(guesses.failures))
        .bind(guesses.until.as_millisecond())
        .bind(guesses.at.as_millisecond())
        .bind(key)
        .execute(conn)
        .await?;
    Ok(())
}

/// Forgets what was counted under a key.
pub async fn clear(conn: &mut Conn, key: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM guesses WHERE key = $1").bind(key).execute(conn).await?;
    Ok(())
}
