//! Restrictions: what closes a release, and what opened it again. Rows are only ever added; a later one
//! may lift an earlier one.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use skill_core::digest::{Sha256, TreeDigest};
use skill_core::name::NameError;
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// What a restriction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The owner advises against it.
    Yank,
    /// Lifts a yank.
    Unyank,
    /// The owner takes one release back.
    Withdraw,
    /// The owner deletes the whole skill.
    Delete,
    /// Lifts a withdrawal or a deletion.
    Undelete,
    /// Closed by a verdict or a moderator.
    Quarantine,
    /// Gone for ever.
    Takedown,
    /// Lifts a quarantine or a takedown; a statement of its own kind, signed by `restore`.
    Restoration,
}

impl Action {
    const ALL: [Self; 8] = [
        Self::Yank,
        Self::Unyank,
        Self::Withdraw,
        Self::Delete,
        Self::Undelete,
        Self::Quarantine,
        Self::Takedown,
        Self::Restoration,
    ];

    /// The word that is stored and signed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yank => "yank",
            Self::Unyank => "unyank",
            Self::Withdraw => "withdraw",
            Self::Delete => "delete",
            Self::Undelete => "undelete",
            Self::Quarantine => "quarantine",
            Self::Takedown => "takedown",
            Self::Restoration => "restoration",
        }
    }

    /// Whether it closes a release, rather than lifting what did.
    pub const fn closes(self) -> bool {
        matches!(self, Self::Yank | Self::Withdraw | Self::Delete | Self::Quarantine | Self::Takedown)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Action {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::ALL
            .into_iter()
            .find(|action| action.as_str() == text)
            .ok_or_else(|| NameError { text: text.to_owned(), wanted: "an action of a restriction" })
    }
}

/// What a restriction holds on to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binds {
    /// One release.
    Release,
    /// Its bytes too, under whatever name.
    Bytes,
}

impl Binds {
    /// The word that is stored and signed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Bytes => "bytes",
        }
    }
}

impl FromStr for Binds {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text {
            "release" => Ok(Self::Release),
            "bytes" => Ok(Self::Bytes),
            _ => Err(NameError { text: text.to_owned(), wanted: "release or bytes" }),
        }
    }
}

/// A row of `restrictions`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restriction {
    /// Its number, from 1 without gaps; also in the signed statement.
    pub sequence: u64,
    /// What it does.
    pub action: Action,
    /// What it holds on to.
    pub binds: Binds,
    /// The skill.
    pub skill_id: String,
    /// The release.
    pub release_id: String,
    /// The content of the release.
    pub tree_digest: TreeDigest,
    /// Why, for people.
    pub reason: String,
    /// Who: a user's name, or `registry` for a verdict.
    pub actor: String,
    /// Digest of the logged statement.
    pub statement: Sha256,
    /// When.
    pub at: Timestamp,
    /// The later restriction that lifted it.
    pub lifted_by: Option<u64>,
}

impl Restriction {
    /// Whether it closes its release now.
    pub const fn is_open(&self) -> bool {
        self.action.closes() && self.lifted_by.is_none()
    }

    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            sequence: row.count("sequence")?,
            action: row.parsed("action")?,
            binds: row.parsed("binds")?,
            skill_id: row.text("skill_id")?,
            release_id: row.text("release_id")?,
            tree_digest: TreeDigest::new(row.parsed("tree_digest")?),
            reason: row.text("reason")?,
            actor: row.text("actor")?,
            statement: row.parsed("statement")?,
            at: row.time("at")?,
            lifted_by: row.maybe_int("lifted_by")?.map(i64::unsigned_abs),
        })
    }
}

/// The next number. Locks the counter until the transaction ends, so that numbers are committed in their
/// order and none is lost.
pub async fn next_sequence(conn: &mut Conn) -> Result<u64, StoreError> {
    sqlx::query("UPDATE counters SET value = value + 1 WHERE name = 'restriction' RETURNING value")
        .fetch_one(conn)
        .await?
        .count("value")
}

/// Keeps a restriction.
pub async fn insert(conn: &mut Conn, restriction: &Restriction) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO restrictions (sequence, action, binds, skill_id, release_id, tree_digest, reason, actor,
            statement, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(to_int(restriction.sequence))
    .bind(restriction.action.as_str())
    .bind(restriction.binds.as_str())
    .bind(restriction.skill_id.clone())
    .bind(restriction.release_id.clone())
    .bind(restriction.tree_digest.sha256().to_hex())
    .bind(restriction.reason.clone())
    .bind(restriction.actor.clone())
    .bind(restriction.statement.to_hex())
    .bind(restriction.at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(())
}

/// Lifts every open restriction of one kind on a release; answers with how many there were.
pub async fn lift(
    conn: &mut Conn,
    release_id: &str,
    action: Action,
    lifted_by: u64,
) -> Result<u64, StoreError> {
    let done = sqlx::query(
        "UPDATE restrictions SET lifted_by = $1 WHERE release_id = $2 AND action = $3 AND lifted_by IS NULL",
    )
    .bind(to_int(lifted_by))
    .bind(release_id)
    .bind(action.as_str())
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Every restriction of a skill, oldest first, lifted ones too.
pub async fn of_skill(conn: &mut Conn, skill_id: &str) -> Result<Vec<Restriction>, StoreError> {
    sqlx::query("SELECT * FROM restrictions WHERE skill_id = $1 ORDER BY sequence")
        .bind(skill_id)
        .fetch_all(conn)
        .await?
        .iter()
        .map(Restriction::from_row)
        .collect()
}

/// The restrictions that were put on this content, under whatever name, oldest first, lifted ones too.
pub async fn on_bytes(conn: &mut Conn, tree: TreeDigest) -> Result<Vec<Restriction>, StoreError> {
    sqlx::query("SELECT * FROM restrictions WHERE tree_digest = $1 AND binds = 'bytes' ORDER BY sequence")
        .bind(tree.sha256().to_hex())
        .fetch_all(conn)
        .await?
        .iter()
        .map(Restriction::from_row)
        .collect()
}
