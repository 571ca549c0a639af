//! Work that is done beside the requests: claimed under a lease, retried, dead after the last attempt.

use jiff::Timestamp;
use serde_json::Value;
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int, to_json};
use super::{Conn, StoreError};

/// A job about to be queued.
#[derive(Debug, Clone, PartialEq)]
pub struct NewJob {
    /// Made by the program.
    pub id: String,
    /// Which worker takes it.
    pub kind: String,
    /// What the worker needs to know.
    pub payload: Value,
    /// At most one job with this key is in the table.
    pub dedup_key: Option<String>,
    /// Not before.
    pub run_at: Timestamp,
    /// After this many failures it is dead.
    pub max_attempts: u64,
}

/// A job that was claimed.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Made by the program.
    pub id: String,
    /// Which worker takes it.
    pub kind: String,
    /// What the worker needs to know.
    pub payload: Value,
    /// How often it was tried, this time included.
    pub attempts: u64,
    /// After this many failures it is dead.
    pub max_attempts: u64,
}

impl Job {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text("id")?,
            kind: row.text("kind")?,
            payload: row.json("payload")?,
            attempts: row.count("attempts")?,
            max_attempts: row.count("max_attempts")?,
        })
    }
}

/// Queues a job; `false` if one with the same key waits already.
pub async fn enqueue(conn: &mut Conn, job: &NewJob, at: Timestamp) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO jobs (id, kind, payload, dedup_key, run_at, attempts, max_attempts, created_at)
         VALUES ($1, $2, $3, $4, $5, 0, $6, $7) ON CONFLICT (dedup_key) DO NOTHING",
    )
    .bind(job.id.clone())
    .bind(job.kind.clone())
    .bind(to_json("payload", &job.payload)?)
    .bind(job.dedup_key.clone())
    .bind(job.run_at.as_millisecond())
    .bind(to_int(job.max_attempts))
    .bind(at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether a job of a kind is due that nobody has.
pub async fn any_due(conn: &mut Conn, kind: &str, now: Timestamp) -> Result<bool, StoreError> {
    let found = sqlx::query(
        "SELECT 1 AS one FROM jobs WHERE dead_at IS NULL AND run_at <= $1
           AND (lease_until IS NULL OR lease_until <= $1) AND kind = $2 LIMIT 1",
    );
    Ok(found.bind(now.as_millisecond()).bind(kind).fetch_optional(conn).await?.is_some())
}

/// Claims the job of a kind that has been due longest, until `lease_until`. A claim that ran out is due again.
pub async fn claim(
    conn: &mut Conn,
    worker: &str,
    kind: &str,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Option<Job>, StoreError> {
    sqlx::query(
        "UPDATE jobs SET claimed_by = $1, lease_until = $2, attempts = attempts + 1
         WHERE id = (SELECT id FROM jobs WHERE dead_at IS NULL AND run_at <= $3
                     AND (lease_until IS NULL OR lease_until <= $3) AND kind = $4
                     ORDER BY run_at, id LIMIT 1)
           AND (lease_until IS NULL OR lease_until <= $3)
         RETURNING id, kind, payload, attempts, max_attempts",
    )
    .bind(worker)
    .bind(lease_until.as_millisecond())
    .bind(now.as_millisecond())
    .bind(kind)
    .fetch_optional(conn)
    .await?
    .as_ref()
    .map(Job::from_row)
    .transpose()
}

/// The job is done and leaves the table; `false` if the claim had passed to another worker.
pub async fn finish(conn: &mut Conn, id: &str, worker: &str) -> Result<bool, StoreError> {
    let done = sqlx::query("DELETE FROM jobs WHERE id = $1 AND claimed_by = $2")
        .bind(id)
        .bind(worker)
        .execute(conn)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// The job did not succeed: it is due again at `retry_at`, or dead if that was its last attempt.
pub async fn fail(
    conn: &mut Conn,
    id: &str,
    worker: &str,
    error: &str,
    retry_at: Timestamp,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "UPDATE jobs SET claimed_by = NULL, lease_until = NULL, last_error = $1, run_at = $2,
            dead_at = CASE WHEN attempts >= max_attempts THEN $3 ELSE NULL END
         WHERE id = $4 AND claimed_by = $5",
    )
    .bind(error)
    .bind(retry_at.as_millisecond())
    .bind(now.as_millisecond())
    .bind(id)
    .bind(worker)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// How many jobs there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// That are to be done, now or later.
    pub waiting: u64,
    /// That were tried as often as they may be.
    pub dead: u64,
}

/// Counts them.
pub async fn standing(conn: &mut Conn) -> Result<Standing, StoreError> {
    let row =
        sqlx::query("SELECT COUNT(*) AS jobs, COUNT(dead_at) AS dead FROM jobs").fetch_one(conn).await?;
    let dead = row.count("dead")?;
    Ok(Standing { waiting: row.count("jobs")?.saturating_sub(dead), dead })
}
