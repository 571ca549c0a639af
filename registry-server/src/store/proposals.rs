//! Restorations that wait for a second person. The table refuses an approval by whoever proposed it.

use jiff::Timestamp;
use skill_core::name::{Owner, SkillName};
use skill_core::version::Version;
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// A proposal about to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProposal {
    /// Made by the program.
    pub id: String,
    /// The newest restriction that is to be lifted; earlier ones of the same release are lifted with it.
    pub restriction: u64,
    /// Why.
    pub reason: String,
    /// Id of who proposes it.
    pub by: String,
}

/// A proposal, with names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Its id.
    pub id: String,
    /// The newest restriction that is to be lifted.
    pub restriction: u64,
    /// The skill as it is called now.
    pub name: SkillName,
    /// The release.
    pub version: Version,
    /// Why.
    pub reason: String,
    /// Name of who proposes it.
    pub by: Owner,
    /// When.
    pub at: Timestamp,
    /// How it ended, if somebody decided it.
    pub ended: Option<Ending>,
    /// Whether the restriction was lifted in another way meanwhile, or by this.
    pub lifted: bool,
}

/// How a proposal ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A second person did it.
    Approved,
    /// Somebody said no, or whoever proposed it took it back.
    Declined,
}

impl Ending {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Declined => "declined",
        }
    }
}

impl Proposal {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let ended = match row.maybe_text("decision")? {
            None => None,
            Some(text) => {
                let known = [Ending::Approved, Ending::Declined].into_iter().find(|one| one.as_str() == text);
                Some(known.ok_or(StoreError::Unreadable { column: "decision", text })?)
            }
        };
        Ok(Self {
            id: row.text("id")?,
            restriction: row.count("restriction")?,
            name: SkillName::new(row.parsed("owner")?, row.parsed("slug")?),
            version: row.parsed("version")?,
            reason: row.text("reason")?,
            by: row.parsed("proposer")?,
            at: row.time("created_at")?,
            ended,
            lifted: row.maybe_int("lifted_by")?.is_some(),
        })
    }

    /// Whether it still waits.
    pub const fn is_open(&self) -> bool {
        self.ended.is_none() && !self.lifted
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT p.id, p.restriction, s.owner, s.slug, r.version, p.reason, u.name AS proposer, p.created_at,
                p.decision, x.lifted_by
             FROM proposals p JOIN restrictions x ON x.sequence = p.restriction
             JOIN releases r ON r.id = x.release_id JOIN skills s ON s.id = x.skill_id
             JOIN users u ON u.id = p.proposed_by ",
            $rest
        )
    };
}

/// Adds a proposal; `false` if one about the same restriction waits.
pub async fn insert(conn: &mut Conn, new: &NewProposal, at: Timestamp) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO proposals (id, restriction, reason, proposed_by, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING",
    )
    .bind(new.id.clone())
    .bind(to_int(new.restriction))
    .bind(new.reason.clone())
    .bind(new.by.clone())
    .bind(at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The proposal with that id.
pub async fn by_id(conn: &mut Conn, id: &str) -> Result<Option<Proposal>, StoreError> {
    let row = sqlx::query(select!("WHERE p.id = $1")).bind(id).fetch_optional(conn).await?;
    row.as_ref().map(Proposal::from_row).transpose()
}

/// The proposal about a restriction that nobody decided yet.
pub async fn standing(conn: &mut Conn, restriction: u64) -> Result<Option<Proposal>, StoreError> {
    let row = sqlx::query(select!("WHERE p.restriction = $1 AND p.decision IS NULL"))
        .bind(to_int(restriction))
        .fetch_optional(conn)
        .await?;
    row.as_ref().map(Proposal::from_row).transpose()
}

/// At most `limit` proposals that wait, after the one that came at this time with this id, oldest first.
pub async fn page(
    conn: &mut Conn,
    after: Option<&(Timestamp, String)>,
    limit: usize,
) -> Result<Vec<Proposal>, StoreError> {
    sqlx::query(select!(
        "WHERE p.decision IS NULL AND x.lifted_by IS NULL
           AND (p.created_at > $1 OR (p.created_at = $1 AND p.id > $2))
         ORDER BY p.created_at, p.id LIMIT $3"
    ))
    .bind(after.map_or(i64::MIN, |(at, _)| at.as_millisecond()))
    .bind(after.map(|(_, id)| id.clone()).unwrap_or_default())
    .bind(to_int(limit as u64))
    .fetch_all(conn)
    .await?
    .iter()
    .map(Proposal::from_row)
    .collect()
}

/// The proposals about a skill that wait, oldest first.
pub async fn of_skill(conn: &mut Conn, skill_id: &str) -> Result<Vec<Proposal>, StoreError> {
    sqlx::query(select!(
        "WHERE x.skill_id = $1 AND p.decision IS NULL AND x.lifted_by IS NULL ORDER BY p.created_at, p.id"
    ))
    .bind(skill_id)
    .fetch_all(conn)
    .await?
    .iter()
    .map(Proposal::from_row)
    .collect()
}

/// Ends a proposal; `false` if that was done before. An approval by whoever proposed it fails.
pub async fn decide(
    conn: &mut Conn,
    id: &str,
    ending: Ending,
    by: &str,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "UPDATE proposals SET decision = $1, decided_by = $2, decided_at = $3 WHERE id = $4 AND decision IS NULL",
    )
    .bind(ending.as_str())
    .bind(by)
    .bind(at.as_millisecond())
    .bind(id)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() > 0)
}
