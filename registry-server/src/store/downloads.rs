//! How often a release was downloaded: each client once a day. Never touches the head.

use jiff::Timestamp;
use skill_core::digest::Sha256;

use super::row::Columns as _;
use super::{Conn, StoreError};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// Counts a download unless this client was counted today; `client` is a digest, never an address.
pub async fn count(
    conn: &mut Conn,
    release_id: &str,
    client: Sha256,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let day = at.as_millisecond().div_euclid(DAY_MILLIS);
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

/// Downloads of all releases of a skill.
pub async fn of_skill(conn: &mut Conn, skill_id: &str) -> Result<u64, StoreError> {
    sqlx::query(
        "SELECT CAST(COALESCE(SUM(d.count), 0) AS BIGINT) AS total FROM downloads d
         JOIN releases r ON r.id = d.release_id WHERE r.skill_id = $1",
    )
    .bind(skill_id)
    .fetch_one(conn)
    .await?
    .count("total")
}
