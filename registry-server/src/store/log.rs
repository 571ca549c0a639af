//! Signed statements and their leaves.

use jiff::Timestamp;
use skill_core::digest::Sha256;
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// A statement about to be logged.
#[derive(Debug, Clone)]
pub struct NewStatement {
    /// Kind of its predicate: release, scan, name, restriction …
    pub kind: String,
    /// The exact bytes of the DSSE envelope, which are JSON text.
    pub envelope: String,
    /// The skill it is about.
    pub skill_id: Option<String>,
    /// The release it is about.
    pub release_id: Option<String>,
}

/// A statement that was logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedStatement {
    /// Kind of its predicate.
    pub kind: String,
    /// Digest of the envelope.
    pub sha256: Sha256,
    /// The exact bytes of the DSSE envelope.
    pub envelope: String,
    /// Number of its leaf.
    pub log_index: u64,
}

/// One leaf of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Its number, from 0 without gaps.
    pub index: u64,
    /// Kind of the statement.
    pub kind: String,
    /// Digest of the statement's envelope.
    pub sha256: Sha256,
}

impl LoggedStatement {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            kind: row.text("kind")?,
            sha256: row.parsed("sha256")?,
            envelope: row.text("envelope")?,
            log_index: row.count("idx")?,
        })
    }
}

/// The statement with this digest.
pub async fn find(conn: &mut Conn, sha256: Sha256) -> Result<Option<LoggedStatement>, StoreError> {
    sqlx::query(
        "SELECT s.kind, s.sha256, s.envelope, l.idx FROM statements s JOIN leaves l ON l.sha256 = s.sha256
         WHERE s.sha256 = $1",
    )
    .bind(sha256.to_hex())
    .fetch_optional(conn)
    .await?
    .as_ref()
    .map(LoggedStatement::from_row)
    .transpose()
}

/// Every statement about a release, in the order of the log.
pub async fn of_release(conn: &mut Conn, release_id: &str) -> Result<Vec<LoggedStatement>, StoreError> {
    sqlx::query(
        "SELECT s.kind, s.sha256, s.envelope, l.idx FROM statements s JOIN leaves l ON l.sha256 = s.sha256
         WHERE s.release_id = $1 ORDER BY l.idx",
    )
    .bind(release_id)
    .fetch_all(conn)
    .await?
    .iter()
    .map(LoggedStatement::from_row)
    .collect()
}

/// A statement about a release, and which one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfRelease {
    /// Id of the release.
    pub release_id: String,
    /// The statement.
    pub statement: LoggedStatement,
}

/// The last `limit` scans of a skill's releases, last in the log first.
pub async fn scans(conn: &mut Conn, skill_id: &str, limit: u32) -> Result<Vec<OfRelease>, StoreError> {
    sqlx::query(
        "SELECT s.kind, s.sha256, s.envelope, s.release_id, l.idx FROM statements s
         JOIN leaves l ON l.sha256 = s.sha256
         WHERE s.skill_id = $1 AND s.kind = 'scan' AND s.release_id IS NOT NULL ORDER BY l.idx DESC LIMIT $2",
    )
    .bind(skill_id)
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| {
        Ok(OfRelease { release_id: row.text("release_id")?, statement: LoggedStatement::from_row(row)? })
    })
    .collect()
}

/// The next `limit` leaves from number `from` on.
pub async fn leaves(conn: &mut Conn, from: u64, limit: u32) -> Result<Vec<Leaf>, StoreError> {
    sqlx::query("SELECT idx, kind, sha256 FROM leaves WHERE idx >= $1 ORDER BY idx LIMIT $2")
        .bind(to_int(from))
        .bind(i64::from(limit))
        .fetch_all(conn)
        .await?
        .iter()
        .map(|row| {
            Ok(Leaf { index: row.count("idx")?, kind: row.text("kind")?, sha256: row.parsed("sha256")? })
        })
        .collect()
}

pub(super) async fn insert(
    conn: &mut Conn,
    statement: &NewStatement,
    at: Timestamp,
) -> Result<Sha256, StoreError> {
    let digest = Sha256::of(&statement.envelope);
    sqlx::query(
        "INSERT INTO statements (sha256, kind, envelope, skill_id, release_id, at)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(digest.to_hex())
    .bind(statement.kind.clone())
    .bind(statement.envelope.clone())
    .bind(statement.skill_id.clone())
    .bind(statement.release_id.clone())
    .bind(at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(digest)
}

pub(super) async fn insert_leaf(
    conn: &mut Conn,
    index: u64,
    kind: &str,
    sha256: Sha256,
    event: u64,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO leaves (idx, kind, sha256, event) VALUES ($1, $2, $3, $4)")
        .bind(to_int(index))
        .bind(kind.to_owned())
        .bind(sha256.to_hex())
        .bind(to_int(event))
        .execute(conn)
        .await?;
    Ok(())
}
