//! What publishers say against what closed their releases. A release has one open appeal at most.

use std::str::FromStr;

use jiff::Timestamp;
use skill_core::name::{NameError, Owner, SkillName};
use skill_core::version::Version;
use sqlx::any::AnyRow;

use super::row::Columns as _;
use super::{Conn, StoreError};

/// An appeal about to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAppeal {
    /// Made by the program.
    pub id: String,
    /// The release.
    pub release_id: String,
    /// Id of who appeals.
    pub user_id: String,
    /// Why.
    pub reason: String,
}

/// An appeal, with names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appeal {
    /// Its id.
    pub id: String,
    /// The skill as it is called now.
    pub name: SkillName,
    /// The release.
    pub version: Version,
    /// Name of who appeals.
    pub by: Owner,
    /// Why.
    pub reason: String,
    /// When.
    pub at: Timestamp,
    /// What came of it.
    pub answered: Option<Answered>,
}

/// What came of an appeal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// What was decided.
    pub answer: Answer,
    /// By whom.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// Why.
    pub note: String,
}

/// What is decided about an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The release was given back.
    Granted,
    /// It stays closed.
    Declined,
}

impl Answer {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Granted => "granted",
            Self::Declined => "declined",
        }
    }
}

impl FromStr for Answer {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        [Self::Granted, Self::Declined]
            .into_iter()
            .find(|answer| answer.as_str() == text)
            .ok_or_else(|| NameError { text: text.to_owned(), wanted: "a decision: granted or declined" })
    }
}

impl Appeal {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let answered = match row.maybe_parsed("decision")? {
            Some(answer) => Some(Answered {
                answer,
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
            by: row.parsed("appellant")?,
            reason: row.text("text")?,
            at: row.time("created_at")?,
            answered,
        })
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT a.id, s.owner, s.slug, r.version, u.name AS appellant, a.text, a.created_at, a.decision,
                a.decided_by, a.decided_at, a.note
             FROM appeals a JOIN releases r ON r.id = a.release_id JOIN skills s ON s.id = r.skill_id
             JOIN users u ON u.id = a.user_id ",
            $rest
        )
    };
}

/// Adds an appeal; `false` if one about the same release waits.
pub async fn insert(conn: &mut Conn, new: &NewAppeal, at: Timestamp) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO appeals (id, release_id, user_id, text, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING",
    )
    .bind(new.id.clone())
    .bind(new.release_id.clone())
    .bind(new.user_id.clone())
    .bind(new.reason.clone())
    .bind(at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The appeal with that id.
pub async fn by_id(conn: &mut Conn, id: &str) -> Result<Option<Appeal>, StoreError> {
    let row = sqlx::query(select!("WHERE a.id = $1")).bind(id).fetch_optional(conn).await?;
    row.as_ref().map(Appeal::from_row).transpose()
}

/// The appeal about a release that waits.
pub async fn standing(conn: &mut Conn, release_id: &str) -> Result<Option<Appeal>, StoreError> {
    let row = sqlx::query(select!("WHERE a.release_id = $1 AND a.decision IS NULL"))
        .bind(release_id)
        .fetch_optional(conn)
        .await?;
    row.as_ref().map(Appeal::from_row).transpose()
}

/// The newest `limit` appeals about a release, the one that waits first.
pub async fn of_release(conn: &mut Conn, release_id: &str, limit: u32) -> Result<Vec<Appeal>, StoreError> {
    sqlx::query(select!(
        "WHERE a.release_id = $1
         ORDER BY CASE WHEN a.decision IS NULL THEN 0 ELSE 1 END, a.created_at DESC, a.id LIMIT $2"
    ))
    .bind(release_id)
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?
    .iter()
    .map(Appeal::from_row)
    .collect()
}

/// The newest `limit` appeals about releases of a skill, those that wait first.
pub async fn of_skill(conn: &mut Conn, skill_id: &str, limit: u32) -> Result<Vec<Appeal>, StoreError> {
    sqlx::query(select!(
        "WHERE r.skill_id = $1
         ORDER BY CASE WHEN a.decision IS NULL THEN 0 ELSE 1 END, a.created_at DESC, a.id LIMIT $2"
    ))
    .bind(skill_id)
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?
    .iter()
    .map(Appeal::from_row)
    .collect()
}

/// Answers an appeal; `false` if that was done before.
pub async fn answer(conn: &mut Conn, id: &str, answered: &Answered) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "UPDATE appeals SET decision = $1, decided_by = $2, decided_at = $3, note = $4
         WHERE id = $5 AND decision IS NULL",
    )
    .bind(answered.answer.as_str())
    .bind(answered.by.clone())
    .bind(answered.at.as_millisecond())
    .bind(answered.note.clone())
    .bind(id)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() > 0)
}
