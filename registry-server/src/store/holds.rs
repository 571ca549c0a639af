//! What releases wait for: a person's word, before anybody but their publisher sees them.

use jiff::Timestamp;
use skill_core::version::Version;
use sqlx::any::AnyRow;

use super::row::Columns as _;
use super::{Conn, StoreError};

/// Why a release is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HoldKind {
    /// Its name is easily taken for a much-used one.
    LookAlike,
    /// Its publisher made many new names in a day, or the account is young.
    FirstPublishes,
    /// An engine that the operator requires has not answered.
    Engine,
}

impl HoldKind {
    const ALL: [Self; 3] = [Self::LookAlike, Self::FirstPublishes, Self::Engine];

    /// The word for it, as the column has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::LookAlike => "look-alike",
            Self::FirstPublishes => "first-publishes",
            Self::Engine => "engine",
        }
    }
}

/// A hold about to be kept. A hold is of the skill: each release gets those that are open there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewHold {
    /// Why.
    pub kind: HoldKind,
    /// Why, in a sentence for people.
    pub why: String,
}

/// How a hold ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// Whether the release may be seen.
    pub passed: bool,
    /// Who said so.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// In whatever words.
    pub note: String,
}

/// A row of `holds`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// Its id.
    pub id: String,
    /// The release that is held.
    pub release_id: String,
    /// The skill of that release.
    pub skill_id: String,
    /// Its number.
    pub version: Version,
    /// Why.
    pub kind: HoldKind,
    /// Why, in a sentence for people.
    pub why: String,
    /// Since when.
    pub at: Timestamp,
    /// How it ended; none: it is open.
    pub decided: Option<Decided>,
}

impl Hold {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let kind = row.text("kind")?;
        let known = HoldKind::ALL.into_iter().find(|one| one.as_str() == kind);
        let decided = match row.maybe_text("decision")? {
            Some(decision) => Some(Decided {
                passed: decision == "passed",
                by: row.maybe_text("decided_by")?.unwrap_or_default(),
                at: row.time("decided_at")?,
                note: row.text("note")?,
            }),
            None => None,
        };
        Ok(Self {
            id: row.text("id")?,
            release_id: row.text("release_id")?,
            skill_id: row.text("skill_id")?,
            version: row.parsed("version")?,
            kind: known.ok_or(StoreError::Unreadable { column: "kind", text: kind })?,
            why: row.text("detail")?,
            at: row.time("created_at")?,
            decided,
        })
    }
}

macro_rules! columns {
    () => {
        "h.id, h.release_id, h.kind, h.detail, h.created_at, h.decision, h.decided_by, h.decided_at, h.note, r.skill_id,
         r.version FROM holds h JOIN releases r ON r.id = h.release_id"
    };
}

/// Keeps a hold of a release, and counts it there.
pub async fn keep(
    conn: &mut Conn,
    id: &str,
    release_id: &str,
    hold: &NewHold,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO holds (id, release_id, kind, detail, created_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(id)
        .bind(release_id)
        .bind(hold.kind.as_str())
        .bind(hold.why.clone())
        .bind(at.as_millisecond())
        .execute(conn)
        .await?;
    Ok(())
}

/// The hold with this id.
pub async fn by_id(conn: &mut Conn, id: &str) -> Result<Option<Hold>, StoreError> {
    let query = sqlx::query(concat!("SELECT ", columns!(), " WHERE h.id = $1"));
    query.bind(id).fetch_optional(conn).await?.as_ref().map(Hold::from_row).transpose()
}

/// Every hold of a skill's releases, oldest first.
pub async fn of_skill(conn: &mut Conn, skill_id: &str) -> Result<Vec<Hold>, StoreError> {
    let query =
        sqlx::query(concat!("SELECT ", columns!(), " WHERE r.skill_id = $1 ORDER BY h.created_at, h.id"));
    query.bind(skill_id).fetch_all(conn).await?.iter().map(Hold::from_row).collect()
}

/// Which holds a further release of a skill gets: those that are open there.
pub async fn open_on(conn: &mut Conn, skill_id: &str) -> Result<Vec<NewHold>, StoreError> {
    let mut open: Vec<NewHold> = of_skill(conn, skill_id)
        .await?
        .into_iter()
        .filter(|hold| hold.decided.is_none())
        .map(|hold| NewHold { kind: hold.kind, why: hold.why })
        .collect();
    open.sort();
    open.dedup_by_key(|hold| hold.kind);
    Ok(open)
}

/// Decides every open hold of this kind on a skill, and counts anew what its releases wait for. Answers with the releases
/// that were held so. The skill's row is locked.
pub async fn decide(
    conn: &mut Conn,
    skill_id: &str,
    kind: HoldKind,
    decided: &Decided,
) -> Result<Vec<String>, StoreError> {
    let open: Vec<String> = of_skill(conn, skill_id)
        .await?
        .into_iter()
        .filter(|hold| hold.decided.is_none() && hold.kind == kind)
        .map(|hold| hold.release_id)
        .collect();
    sqlx::query(
        "UPDATE holds SET decision = $1, decided_by = $2, decided_at = $3, note = $4
         WHERE decision IS NULL AND kind = $5 AND release_id IN (SELECT id FROM releases WHERE skill_id = $6)",
    )
    .bind(if decided.passed { "passed" } else { "refused" })
    .bind(decided.by.clone())
    .bind(decided.at.as_millisecond())
    .bind(decided.note.clone())
    .bind(kind.as_str())
    .bind(skill_id)
    .execute(&mut *conn)
    .await?;
    count(conn, skill_id).await?;
    Ok(open)
}

/// Writes down how many open holds each release of a skill has.
async fn count(conn: &mut Conn, skill_id: &str) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE releases SET awaiting =
            (SELECT COUNT(*) FROM holds h WHERE h.release_id = releases.id AND h.decision IS NULL)
         WHERE skill_id = $1",
    )
    .bind(skill_id)
    .execute(conn)
    .await?;
    Ok(())
}
