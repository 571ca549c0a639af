//! What people tell the moderators about skills. A user has one open report of a skill at most.

use std::str::FromStr;

use jiff::Timestamp;
use skill_core::api::ReportKind;
use skill_core::name::{NameError, Owner, SkillName};
use skill_core::version::Version;
use sqlx::any::AnyRow;

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

/// What a moderator says about a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It is so.
    Confirmed,
    /// It is not so, or no reason to do anything.
    Dismissed,
}

impl Decision {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Dismissed => "dismissed",
        }
    }
}

impl FromStr for Decision {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        [Self::Confirmed, Self::Dismissed]
            .into_iter()
            .find(|decision| decision.as_str() == text)
            .ok_or_else(|| NameError { text: text.to_owned(), wanted: "a decision: confirmed or dismissed" })
    }
}

/// A report as moderators see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Its id.
    pub id: String,
    /// The skill as it is called now.
    pub name: SkillName,
    /// The release that it is about.
    pub version: Version,
    /// Who reports.
    pub by: Owner,
    /// What is said to be the matter.
    pub kind: ReportKind,
    /// Why, in the words of who reports.
    pub reason: String,
    /// When.
    pub at: Timestamp,
    /// What was decided.
    pub decided: Option<Decided>,
}

/// How a report ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// What was decided.
    pub decision: Decision,
    /// By whom.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// What the moderator said.
    pub note: String,
}

impl Report {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let decided = match row.maybe_parsed("decision")? {
            Some(decision) => Some(Decided {
                decision,
                by: row.text("decided_by")?,
                at: row.time("decided_at")?,
                note: row.text("note")?,
            }),
            None => None,
        };
        Ok(Self {
            id: row.text("id")?,
            name: SkillName::new(row.parsed("owner")?, row.parsed("slug")?),
            version: row.parsed("version")?,
            by: row.parsed("reporter")?,
            kind: row.parsed("kind")?,
            reason: row.text("reason")?,
            at: row.time("created_at")?,
            decided,
        })
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT p.id, s.owner, s.slug, r.version, u.name AS reporter, p.kind, p.reason, p.created_at, p.decision,
                p.decided_by, p.decided_at, p.note
             FROM reports p JOIN skills s ON s.id = p.skill_id JOIN releases r ON r.id = p.release_id
             JOIN users u ON u.id = p.user_id ",
            $rest
        )
    };
}

/// The report with that id.
pub async fn by_id(conn: &mut Conn, id: &str) -> Result<Option<Report>, StoreError> {
    let row = sqlx::query(select!("WHERE p.id = $1")).bind(id).fetch_optional(conn).await?;
    row.as_ref().map(Report::from_row).transpose()
}

/// The newest `limit` reports of a skill, open ones first.
pub async fn of_skill(conn: &mut Conn, skill_id: &str, limit: u32) -> Result<Vec<Report>, StoreError> {
    sqlx::query(select!(
        "WHERE p.skill_id = $1
         ORDER BY CASE WHEN p.decision IS NULL THEN 0 ELSE 1 END, p.created_at DESC, p.id LIMIT $2"
    ))
    .bind(skill_id)
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?
    .iter()
    .map(Report::from_row)
    .collect()
}

/// Which reports are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// All of them.
    Any,
    /// Those that wait.
    Not,
    /// Those that were decided so.
    As(Decision),
}

/// At most `limit` reports after the one that came at this time with this id, oldest first.
pub async fn page(
    conn: &mut Conn,
    ended: Ended,
    after: Option<&(Timestamp, String)>,
    limit: u32,
) -> Result<Vec<Report>, StoreError> {
    let ended = match ended {
        Ended::Any => "all",
        Ended::Not => "open",
        Ended::As(decision) => decision.as_str(),
    };
    sqlx::query(select!(
        "WHERE ($1 = 'all' OR COALESCE(p.decision, 'open') = $1)
           AND (p.created_at > $2 OR (p.created_at = $2 AND p.id > $3))
         ORDER BY p.created_at, p.id LIMIT $4"
    ))
    .bind(ended)
    .bind(after.map_or(i64::MIN, |(at, _)| at.as_millisecond()))
    .bind(after.map(|(_, id)| id.clone()).unwrap_or_default())
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?
    .iter()
    .map(Report::from_row)
    .collect()
}

/// Decides a report; `false` if that was done before.
pub async fn decide(conn: &mut Conn, id: &str, decided: &Decided) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "UPDATE reports SET decision = $1, decided_by = $2, decided_at = $3, note = $4
         WHERE id = $5 AND decision IS NULL",
    )
    .bind(decided.decision.as_str())
    .bind(decided.by.clone())
    .bind(decided.at.as_millisecond())
    .bind(decided.note.clone())
    .bind(id)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() > 0)
}
