//! What people tell the moderators about skills. A user has one open report of a skill at most.

use jiff::Timestamp;
use skill_core::api::ReportKind;
use skill_core::version::Version;

use super::row::Columns as _;
use super::{Conn, StoreError};

/// A report about to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReport {
    /// Made by the program.
    pub id: String,
    /// The skill.
    pub skill_id: String,
    /// The release that it is about.
    pub release_id: String,
    /// Who reports.
    pub user_id: String,
    /// What is said to be the matter.
    pub kind: ReportKind,
    /// Why, in the words of who reports.
    pub reason: String,
}

/// A report that was not decided yet, as its author is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its id.
    pub id: String,
    /// The release that it is about.
    pub version: Version,
    /// What was said to be the matter.
    pub kind: ReportKind,
}

/// Adds a report.
pub async fn insert(conn: &mut Conn, report: &NewReport, at: Timestamp) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO reports (id, skill_id, release_id, user_id, kind, reason, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(report.id.clone())
    .bind(report.skill_id.clone())
    .bind(report.release_id.clone())
    .bind(report.user_id.clone())
    .bind(report.kind.as_str())
    .bind(report.reason.clone())
    .bind(at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(())
}

/// The open report of a skill by a user.
pub async fn standing(
    conn: &mut Conn,
    skill_id: &str,
    user_id: &str,
) -> Result<Option<Standing>, StoreError> {
    sqlx::query(
        "SELECT p.id, p.kind, r.version FROM reports p JOIN releases r ON r.id = p.release_id
         WHERE p.skill_id = $1 AND p.user_id = $2 AND p.decision IS NULL",
    )
    .bind(skill_id)
    .bind(user_id)
    .fetch_optional(conn)
    .await?
    .map(|row| {
        Ok(Standing { id: row.text("id")?, version: row.parsed("version")?, kind: row.parsed("kind")? })
    })
    .transpose()
}

/// How many reports of a user are open.
pub async fn open_by(conn: &mut Conn, user_id: &str) -> Result<u64, StoreError> {
    sqlx::query("SELECT COUNT(*) AS n FROM reports WHERE user_id = $1 AND decision IS NULL")
        .bind(user_id)
        .fetch_one(conn)
        .await?
        .count("n")
}

/// How many reports of a skill are open.
pub async fn open_about(conn: &mut Conn, skill_id: &str) -> Result<u64, StoreError> {
    sqlx::query("SELECT COUNT(*) AS n FROM reports WHERE skill_id = $1 AND decision IS NULL")
        .bind(skill_id)
        .fetch_one(conn)
        .await?
        .count("n")
}
