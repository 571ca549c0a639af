//! Restrictions: what closes a release, and what opened it again. Rows are only ever added; a later one
//! may lift an earlier one.

use jiff::Timestamp;
use skill_core::digest::{Sha256, TreeDigest};
use skill_trust::predicate::TakedownScope;
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

pub use skill_trust::predicate::Restriction as Action;

/// Every action there is.
const ACTIONS: [Action; 8] = [
    Action::Yank,
    Action::Unyank,
    Action::Withdraw,
    Action::Delete,
    Action::Undelete,
    Action::Quarantine,
    Action::Takedown(TakedownScope::Bytes),
    Action::Takedown(TakedownScope::Release),
];

/// An action as the columns `action` and `binds` hold it.
const fn columns(action: Action) -> (&'static str, &'static str) {
    (action.as_str(), if action.binds_bytes() { "bytes" } else { "release" })
}

/// Whether an action closes a release, rather than lifting what did.
const fn closes(action: Action) -> bool {
    !matches!(action, Action::Unyank | Action::Undelete)
}

/// What a row says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A restriction, or its owner's undoing of one.
    Restriction(Action),
    /// The registry gives back what it closed: the row whose [`lifted_by`](Restriction::lifted_by) has its number.
    Restoration,
}

impl Entry {
    /// The word for it, as the column has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Restriction(action) => action.as_str(),
            Self::Restoration => "restoration",
        }
    }

    const fn columns(self) -> (&'static str, &'static str) {
        match self {
            Self::Restriction(action) => columns(action),
            Self::Restoration => ("restoration", "release"),
        }
    }

    fn read(action: &str, binds: &str) -> Option<Self> {
        let restrictions = ACTIONS.into_iter().map(Self::Restriction);
        restrictions.chain([Self::Restoration]).find(|known| known.columns() == (action, binds))
    }
}

/// A row of `restrictions`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restriction {
    /// Its number, from 1 without gaps; also in the signed statement.
    pub sequence: u64,
    /// What it does, as it is signed.
    pub entry: Entry,
    /// The skill.
    pub skill_id: String,
    /// The release.
    pub release_id: String,
    /// The content of the release.
    pub tree_digest: TreeDigest,
    /// Why, for people; signed.
    pub reason: String,
    /// What the moderator says to the publisher alone, where the signed reason says less; else nothing.
    pub note: String,
    /// Who: a user's name, or [`REGISTRY`] for a verdict.
    pub actor: String,
    /// Digest of the logged statement.
    pub statement: Sha256,
    /// When.
    pub at: Timestamp,
    /// The later restriction that lifted it.
    pub lifted_by: Option<u64>,
}

/// The actor of what the registry does by its own verdict. No user can be called so.
pub const REGISTRY: &str = "registry";

/// Who closes a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The registry, by its own verdict.
    Registry,
    /// Somebody who watches over the registry.
    Moderator,
    /// Whoever acts for the publisher.
    Publisher,
}

impl Restriction {
    /// Who closes the release: what binds others than the publisher is never the publisher's.
    pub fn by(&self) -> By {
        match self.entry {
            _ if self.actor == REGISTRY => By::Registry,
            Entry::Restriction(action) if !action.needs_restoration() => By::Publisher,
            Entry::Restriction(_) | Entry::Restoration => By::Moderator,
        }
    }

    /// Whether it says this of its release.
    pub fn is(&self, action: Action) -> bool {
        self.entry == Entry::Restriction(action)
    }

    /// Whether only a restoration lifts it.
    pub const fn needs_restoration(&self) -> bool {
        matches!(self.entry, Entry::Restriction(action) if action.needs_restoration())
    }

    /// What closes its release now, if it does.
    pub const fn open(&self) -> Option<Action> {
        match self.entry {
            Entry::Restriction(action) if closes(action) && self.lifted_by.is_none() => Some(action),
            _ => None,
        }
    }

    /// Whether it closes its release now.
    pub const fn is_open(&self) -> bool {
        self.open().is_some()
    }

    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let (action, binds) = (row.text("action")?, row.text("binds")?);
        let known = Entry::read(&action, &binds);
        Ok(Self {
            sequence: row.count("sequence")?,
            entry: known.ok_or(StoreError::Unreadable { column: "action", text: action })?,
            skill_id: row.text("skill_id")?,
            release_id: row.text("release_id")?,
            tree_digest: TreeDigest::new(row.parsed("tree_digest")?),
            reason: row.text("reason")?,
            note: row.text("note")?,
            actor: row.text("actor")?,
            statement: row.parsed("statement")?,
            at: row.time("at")?,
            lifted_by: row.maybe_int("lifted_by")?.map(i64::unsigned_abs),
        })
    }
}

/// Locks the counter until the transaction ends: who is going to restrict takes it before the skills that it
/// concerns (see [`super::contents`]).
pub async fn lock(conn: &mut Conn) -> Result<(), StoreError> {
    sqlx::query("UPDATE counters SET value = value WHERE name = 'restriction'").execute(conn).await?;
    Ok(())
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
    let (action, binds) = restriction.entry.columns();
    sqlx::query(
        "INSERT INTO restrictions (sequence, action, binds, skill_id, release_id, tree_digest, reason, actor,
            statement, at, note)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(to_int(restriction.sequence))
    .bind(action)
    .bind(binds)
    .bind(restriction.skill_id.clone())
    .bind(restriction.release_id.clone())
    .bind(restriction.tree_digest.sha256().to_hex())
    .bind(restriction.reason.clone())
    .bind(restriction.actor.clone())
    .bind(restriction.statement.to_hex())
    .bind(restriction.at.as_millisecond())
    .bind(restriction.note.clone())
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
    let (action, binds) = columns(action);
    let done = sqlx::query(
        "UPDATE restrictions SET lifted_by = $1
         WHERE release_id = $2 AND action = $3 AND binds = $4 AND lifted_by IS NULL",
    )
    .bind(to_int(lifted_by))
    .bind(release_id)
    .bind(action)
    .bind(binds)
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Lifts the one restriction with that number; `false` if something had.
pub async fn lift_one(conn: &mut Conn, sequence: u64, lifted_by: u64) -> Result<bool, StoreError> {
    let done =
        sqlx::query("UPDATE restrictions SET lifted_by = $1 WHERE sequence = $2 AND lifted_by IS NULL")
            .bind(to_int(lifted_by))
            .bind(to_int(sequence))
            .execute(conn)
            .await?;
    Ok(done.rows_affected() == 1)
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

/// At most `limit` restrictions of a skill before this number, newest first, lifted ones too.
pub async fn page(
    conn: &mut Conn,
    skill_id: &str,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<Restriction>, StoreError> {
    sqlx::query(
        "SELECT * FROM restrictions WHERE skill_id = $1 AND sequence < $2 ORDER BY sequence DESC LIMIT $3",
    )
    .bind(skill_id)
    .bind(before.map_or(i64::MAX, to_int))
    .bind(to_int(limit as u64))
    .fetch_all(conn)
    .await?
    .iter()
    .map(Restriction::from_row)
    .collect()
}

/// What closes releases of a skill now, oldest first.
pub async fn open_of(conn: &mut Conn, skill_id: &str) -> Result<Vec<Restriction>, StoreError> {
    sqlx::query(
        "SELECT * FROM restrictions
         WHERE skill_id = $1 AND lifted_by IS NULL AND action NOT IN ('unyank', 'undelete', 'restoration')
         ORDER BY sequence",
    )
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

/// Why this content is closed, if it is, under whatever name it was closed.
pub async fn why_closed(conn: &mut Conn, tree: TreeDigest) -> Result<Option<String>, StoreError> {
    let open = on_bytes(conn, tree).await?.into_iter().find(Restriction::is_open);
    Ok(open.map(|restriction| restriction.reason))
}
