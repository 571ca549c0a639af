//! How often somebody guessed at something, so that nobody guesses for long.

use std::time::Duration;

use jiff::Timestamp;

use super::row::Columns as _;
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
