//! How often a release was downloaded: each client once a day. Never touches the head.

use jiff::Timestamp;
use skill_core::digest::Sha256;
use skill_core::name::SkillName;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// The day that downloads at this time count for, in UTC, from 1970-01-01 on.
pub fn day(at: Timestamp) -> i64 {
    at.as_millisecond().div_euclid(DAY_MILLIS)
}

/// The first of the last `days` days, of which today is one.
pub fn since(now: Timestamp, days: i64) -> i64 {
    day(now) - days + 1
}

/// When a day began.
pub fn start(day: i64) -> Timestamp {
    Timestamp::from_millisecond(day.saturating_mul(DAY_MILLIS)).unwrap_or_default()
}

/// Who downloads. What people fetched is the number that lists, pages and orders go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// A person, by whichever program.
    Person,
    /// A program that comes by itself.
    Bot,
    /// A copy of the registry.
    Mirror,
}

/// Downloads of one day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OfDay {
    /// The day, as [`day`] counts them.
    pub day: i64,
    /// By people.
    pub people: u64,
    /// By programs that come by themselves.
    pub bots: u64,
    /// By mirrors.
    pub mirrors: u64,
}

/// Counts a download unless this client was counted today, as whomever; `client` is a digest, never an address.
pub async fn count(
    conn: &mut Conn,
    release_id: &str,
    client: Sha256,
    class: Class,
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
        "INSERT INTO downloads (release_id, day, count, bots, mirrors) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (release_id, day) DO UPDATE SET count = downloads.count + excluded.count,
            bots = downloads.bots + excluded.bots, mirrors = downloads.mirrors + excluded.mirrors",
    )
    .bind(release_id)
    .bind(day)
    .bind(i64::from(class == Class::Person))
    .bind(i64::from(class == Class::Bot))
    .bind(i64::from(class == Class::Mirror))
    .execute(conn)
    .await?;
    Ok(true)
}

/// The key of a day: the one that it has, else `fresh`, which it has from now on.
pub async fn key(conn: &mut Conn, day: i64, fresh: Sha256) -> Result<Sha256, StoreError> {
    let row = sqlx::query(
        "INSERT INTO download_keys (day, key) VALUES ($1, $2)
         ON CONFLICT (day) DO UPDATE SET key = download_keys.key RETURNING key",
    )
    .bind(day)
    .bind(fresh.to_hex())
    .fetch_one(conn)
    .await?;
    row.parsed("key")
}

/// The skills that people downloaded most from the day `since` on, at least `from` times; at most `limit`.
pub async fn most_used(
    conn: &mut Conn,
    since: i64,
    from: u64,
    limit: u32,
) -> Result<Vec<SkillName>, StoreError> {
    sqlx::query(
        "SELECT s.owner, s.slug FROM downloads d JOIN releases r ON r.id = d.release_id
         JOIN skills s ON s.id = r.skill_id
         WHERE d.day >= $1 AND s.latest IS NOT NULL GROUP BY s.id, s.owner, s.slug HAVING SUM(d.count) >= $2
         ORDER BY SUM(d.count) DESC, s.owner, s.slug LIMIT $3",
    )
    .bind(since)
    .bind(to_int(from))
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| Ok(SkillName::new(row.parsed("owner")?, row.parsed("slug")?)))
    .collect()
}

/// How many clients there are of the days before `day`.
pub async fn to_forget(conn: &mut Conn, day: i64) -> Result<u64, StoreError> {
    let query = sqlx::query("SELECT COUNT(*) AS clients FROM download_clients WHERE day < $1");
    query.bind(day).fetch_one(conn).await?.count("clients")
}

/// Forgets the clients and the keys of the days before `day`; how many clients.
pub async fn forget(conn: &mut Conn, day: i64) -> Result<u64, StoreError> {
    sqlx::query("DELETE FROM download_keys WHERE day < $1").bind(day).execute(&mut *conn).await?;
    let gone = sqlx::query("DELETE FROM download_clients WHERE day < $1").bind(day).execute(conn).await?;
    Ok(gone.rows_affected())
}

/// Downloads of all releases of a skill from `since` on, by day; a day that had none is left out.
pub async fn by_day(conn: &mut Conn, skill_id: &str, since: i64) -> Result<Vec<OfDay>, StoreError> {
    sqlx::query(
        "SELECT d.day, CAST(SUM(d.count) AS BIGINT) AS people, CAST(SUM(d.bots) AS BIGINT) AS bots,
            CAST(SUM(d.mirrors) AS BIGINT) AS mirrors FROM downloads d
         JOIN releases r ON r.id = d.release_id WHERE r.skill_id = $1 AND d.day >= $2
         GROUP BY d.day ORDER BY d.day",
    )
    .bind(skill_id)
    .bind(since)
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| {
        let (people, bots, mirrors) = (row.count("people")?, row.count("bots")?, row.count("mirrors")?);
        Ok(OfDay { day: row.int("day")?, people, bots, mirrors })
    })
    .collect()
}

/// Every day from `since` to that of `now`, with what was counted; both by day.
pub fn every_day(counted: Vec<OfDay>, since: i64, now: Timestamp) -> Vec<OfDay> {
    let mut counted = counted.into_iter().peekable();
    let of = |day| counted.next_if(|of| of.day == day).unwrap_or(OfDay { day, ..OfDay::default() });
    (since..=day(now)).map(of).collect()
}

/// How many skills [`of_skills`] takes at a time.
pub const AT_ONCE: usize = 25;

/// Downloads by people of all releases of each of these skills, by id, at most [`AT_ONCE`]. One that has none is left out.
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
