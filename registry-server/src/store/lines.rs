//! Releases as lists, ranges and downloads see them: without the texts of their authors, so that reading every
//! release of a skill costs the same whatever stands in them.

use std::collections::HashMap;

use jiff::Timestamp;
use skill_core::digest::{Sha256, TreeDigest};
use skill_core::state::ReleaseState;
use skill_core::verdict::Verdict;
use skill_core::version::Version;
use sqlx::any::AnyRow;

use super::row::Columns as _;
use super::{Conn, StoreError};

/// The numbers and digests of one release; the rest is [`super::releases::Release`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Id of the release.
    pub id: String,
    /// The skill it belongs to.
    pub skill_id: String,
    /// Its number.
    pub version: Version,
    /// Where it stands.
    pub state: ReleaseState,
    /// What the scan said.
    pub verdict: Verdict,
    /// Identity of the content.
    pub tree_digest: TreeDigest,
    /// Digest of the archive that is served.
    pub archive_sha256: Sha256,
    /// Bytes of that archive.
    pub archive_size: u64,
    /// Bytes of the files together.
    pub size: u64,
    /// How many files.
    pub file_count: u64,
    /// When it was published.
    pub published_at: Timestamp,
    /// Digest of the logged release statement.
    pub release_statement: Sha256,
    /// Leaf of that statement.
    pub log_index: u64,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.skill_id, r.version, r.state, r.verdict, r.tree_digest, r.archive_sha256,
                r.archive_size, r.size, r.file_count, r.published_at, r.release_statement, l.idx AS log_index
             FROM releases r JOIN leaves l ON l.sha256 = r.release_statement ",
            $rest
        )
    };
}

impl Line {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text("id")?,
            skill_id: row.text("skill_id")?,
            version: row.parsed("version")?,
            state: row.parsed("state")?,
            verdict: row.parsed("verdict")?,
            tree_digest: TreeDigest::new(row.parsed("tree_digest")?),
            archive_sha256: row.parsed("archive_sha256")?,
            archive_size: row.count("archive_size")?,
            size: row.count("size")?,
            file_count: row.count("file_count")?,
            published_at: row.time("published_at")?,
            release_statement: row.parsed("release_statement")?,
            log_index: row.count("log_index")?,
        })
    }
}

/// One version of a skill.
pub async fn find(conn: &mut Conn, skill_id: &str, version: &Version) -> Result<Option<Line>, StoreError> {
    sqlx::query(select!("WHERE r.skill_id = $1 AND r.version = $2"))
        .bind(skill_id)
        .bind(version.to_string())
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(Line::from_row)
        .transpose()
}

/// The release with that id.
pub async fn by_id(conn: &mut Conn, id: &str) -> Result<Option<Line>, StoreError> {
    sqlx::query(select!("WHERE r.id = $1"))
        .bind(id)
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(Line::from_row)
        .transpose()
}

/// Every release of a skill in every state, highest version first.
pub async fn of_skill(conn: &mut Conn, skill_id: &str) -> Result<Vec<Line>, StoreError> {
    let rows = sqlx::query(select!("WHERE r.skill_id = $1")).bind(skill_id).fetch_all(conn).await?;
    let mut lines = rows.iter().map(Line::from_row).collect::<Result<Vec<_>, _>>()?;
    lines.sort_by(|a, b| b.version.cmp(&a.version));
    Ok(lines)
}

/// What changed in the release with that id, for people; empty if nobody said.
pub async fn changelog(conn: &mut Conn, id: &str) -> Result<String, StoreError> {
    let row =
        sqlx::query("SELECT changelog FROM releases WHERE id = $1").bind(id).fetch_optional(conn).await?;
    row.as_ref().map(|row| row.text("changelog")).transpose().map(Option::unwrap_or_default)
}

/// The beginnings (400 characters) of what changed in each release of a skill, by the id of the release; empty
/// where nobody said.
pub async fn changes(conn: &mut Conn, skill_id: &str) -> Result<HashMap<String, String>, StoreError> {
    sqlx::query("SELECT id, SUBSTR(changelog, 1, 400) AS changelog FROM releases WHERE skill_id = $1")
        .bind(skill_id)
        .fetch_all(conn)
        .await?
        .iter()
        .map(|row| Ok((row.text("id")?, row.text("changelog")?)))
        .collect()
}
