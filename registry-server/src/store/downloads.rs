//! How often a release was downloaded: each client once a day. Never touches the head.

use jiff::Timestamp;
use skill_core::digest::Sha256;

use super::row::Columns as _;
use super::{Conn, StoreError};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// The day that downloads at this time count for, in UTC, from 1970-01-01 on.
pub fn day(at: Timestamp) -> i64 {
    at.as_millisecond().div_euclid(DAY_MILLIS)
}

/// Counts a download unless this client was counted today; `client` is a digest, never an address.
pub async fn count(
    conn: &mut Conn,
    release_id: &str,
    client: Sha256,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let day = day(at);
    let first = sqlx::query(
        "INSERT INTO download_clients (release_id, day, client) VALUES ($1, $2, $3)
         ON CONFLICT (release_id, day, client) DO NOTHING",
    )
    .bind(release_id)
    .bind(day)
    .bind(client.to_hex())
    .execute(&mut *conn)
    .await?;
    if first.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(
        "INSERT INTO downloads (release_id, day, count) VALUES ($1, $2, 1)
         ON CONFLICT (release_id, day) DO UPDATE SET count = downloads.count + 1",
    )
    .bind(release_id)
    .bind(day)
    .execute(conn)
    .await?;
    Ok(true)
}

/// How many skills [`of_skills`] takes at a time.
pub const AT_ONCE: usize = 25;

/// Downloads of all releases of each of these skills, by id, at most [`AT_ONCE`]. One that has none is left out.
pub async fn of_skills(conn: &mut Conn, ids: &[String]) -> Result<Vec<(String, u64)>, StoreError> {
    let mut query = sqlx::query(
        "SELECT r.skill_id, CAST(SUM(d.count) AS BIGINT) AS total FROM downloads d
         JOIN releases r ON r.id = d.release_id
         WHERE r.skill_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
            $19, $20, $21, $22, $23, $24, $25) GROUP BY r.skill_id",
    );
    // No skill has an empty id.
    for n in 0..AT_ONCE {
        query = query.bind(ids.get(n).cloned().unwrap_or_default());
    }
    let rows = query.fetch_all(conn).await?;
    rows.iter().map(|row| Ok((row.text("skill_id")?, row.count("total")?))).collect()
}
