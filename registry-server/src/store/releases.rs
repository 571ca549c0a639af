//! Releases: one version of a skill, with all that was found out about it.

use jiff::Timestamp;
use serde_json::Value;
use skill_core::digest::{Sha256, TreeDigest};
use skill_core::state::ReleaseState;
use skill_core::verdict::{Finding, Verdict};
use skill_core::version::Version;
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int, to_json};
use super::{Conn, StoreError, facets};

/// A release about to be stored. Its statements were logged in the same transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRelease {
    /// Made by the program.
    pub id: String,
    /// The skill it belongs to.
    pub skill_id: String,
    /// Its number.
    pub version: Version,
    /// Where it stands; [`crate::lifecycle::settle`] says it again with the rest of the skill.
    pub state: ReleaseState,
    /// What the scan said.
    pub verdict: Verdict,
    /// How many required engines have not answered.
    pub awaiting: u64,
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
    /// Name for people.
    pub display_name: String,
    /// Description from the frontmatter.
    pub summary: String,
    /// The manifest as it was read.
    pub manifest: Value,
    /// What changed, for people.
    pub changelog: String,
    /// Commit that the files come from, as the author says.
    pub source_commit: Option<String>,
    /// Id of the user.
    pub published_by: String,
    /// When.
    pub published_at: Timestamp,
    /// What the scan found.
    pub findings: Vec<Finding>,
    /// Digest over the findings.
    pub findings_digest: Sha256,
    /// Name of the rule set.
    pub ruleset: String,
    /// Digest of the rule set.
    pub ruleset_sha256: Sha256,
    /// When the scan ran.
    pub scanned_at: Timestamp,
    /// Digest of the logged release statement.
    pub release_statement: Sha256,
    /// Digest of the newest logged scan statement.
    pub scan_statement: Sha256,
}

/// A row of `releases`, with its leaf numbers; it is there once its transaction is committed.
#[derive(Debug, Clone, PartialEq)]
pub struct Release {
    /// What was stored, as it stands now.
    pub row: NewRelease,
    /// Leaf of the release statement.
    pub log_index: u64,
    /// Leaf of the scan statement.
    pub scan_log_index: u64,
}

impl std::ops::Deref for Release {
    type Target = NewRelease;

    fn deref(&self) -> &NewRelease {
        &self.row
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT r.*, l.idx AS log_index, s.idx AS scan_log_index FROM releases r
             JOIN leaves l ON l.sha256 = r.release_statement JOIN leaves s ON s.sha256 = r.scan_statement ",
            $rest
        )
    };
}

impl Release {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            log_index: row.count("log_index")?,
            scan_log_index: row.count("scan_log_index")?,
            row: NewRelease {
                id: row.text("id")?,
                skill_id: row.text("skill_id")?,
                version: row.parsed("version")?,
                state: row.parsed("state")?,
                verdict: row.parsed("verdict")?,
                awaiting: row.count("awaiting")?,
                tree_digest: TreeDigest::new(row.parsed("tree_digest")?),
                archive_sha256: row.parsed("archive_sha256")?,
                archive_size: row.count("archive_size")?,
                size: row.count("size")?,
                file_count: row.count("file_count")?,
                display_name: row.text("display_name")?,
                summary: row.text("summary")?,
                manifest: row.json("manifest")?,
                changelog: row.text("changelog")?,
                source_commit: row.maybe_text("source_commit")?,
                published_by: row.text("published_by")?,
                published_at: row.time("published_at")?,
                findings: row.json("findings")?,
                findings_digest: row.parsed("findings_digest")?,
                ruleset: row.text("ruleset")?,
                ruleset_sha256: row.parsed("ruleset_sha256")?,
                scanned_at: row.time("scanned_at")?,
                release_statement: row.parsed("release_statement")?,
                scan_statement: row.parsed("scan_statement")?,
            },
        })
    }
}

/// Stores a release; `false` if the number is taken, for ever.
pub async fn insert(conn: &mut Conn, release: &NewRelease) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO releases (id, skill_id, version, state, verdict, awaiting, tree_digest, archive_sha256,
            archive_size, size, file_count, display_name, summary, manifest, changelog, source_commit,
            published_by, published_at, findings, findings_digest, ruleset, ruleset_sha256, scanned_at,
            release_statement, scan_statement, os, secrets)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
            $21, $22, $23, $24, $25, $26, $27)
         ON CONFLICT (skill_id, version) DO NOTHING",
    )
    .bind(release.id.clone())
    .bind(release.skill_id.clone())
    .bind(release.version.to_string())
    .bind(release.state.as_str())
    .bind(release.verdict.as_str())
    .bind(to_int(release.awaiting))
    .bind(release.tree_digest.sha256().to_hex())
    .bind(release.archive_sha256.to_hex())
    .bind(to_int(release.archive_size))
    .bind(to_int(release.size))
    .bind(to_int(release.file_count))
    .bind(release.display_name.clone())
    .bind(release.summary.clone())
    .bind(to_json("manifest", &release.manifest)?)
    .bind(release.changelog.clone())
    .bind(release.source_commit.clone())
    .bind(release.published_by.clone())
    .bind(release.published_at.as_millisecond())
    .bind(to_json("findings", &release.findings)?)
    .bind(release.findings_digest.to_hex())
    .bind(release.ruleset.clone())
    .bind(release.ruleset_sha256.to_hex())
    .bind(release.scanned_at.as_millisecond())
    .bind(release.release_statement.to_hex())
    .bind(release.scan_statement.to_hex())
    .bind(facets::systems(&release.manifest))
    .bind(i64::from(facets::needs_secrets(&release.manifest)))
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// One version of a skill.
pub async fn find(conn: &mut Conn, skill_id: &str, version: &Version) -> Result<Option<Release>, StoreError> {
    sqlx::query(select!("WHERE r.skill_id = $1 AND r.version = $2"))
        .bind(skill_id)
        .bind(version.to_string())
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(Release::from_row)
        .transpose()
}

/// The release with that id.
pub async fn by_id(conn: &mut Conn, id: &str) -> Result<Option<Release>, StoreError> {
    sqlx::query(select!("WHERE r.id = $1"))
        .bind(id)
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(Release::from_row)
        .transpose()
}

/// As much of a release as its state and `latest` need. Unlike [`Release`] it is there before the
/// transaction that stores the release has given it its leaf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Id of the release.
    pub id: String,
    /// Its number.
    pub version: Version,
    /// Where it stands.
    pub state: ReleaseState,
    /// What the last scan said.
    pub verdict: Verdict,
    /// How many required engines have not answered.
    pub awaiting: u64,
}

/// Where every release of a skill stands, in no order.
pub async fn standings(conn: &mut Conn, skill_id: &str) -> Result<Vec<Standing>, StoreError> {
    sqlx::query("SELECT id, version, state, verdict, awaiting FROM releases WHERE skill_id = $1")
        .bind(skill_id)
        .fetch_all(conn)
        .await?
        .iter()
        .map(|row| {
            Ok(Standing {
                id: row.text("id")?,
                version: row.parsed("version")?,
                state: row.parsed("state")?,
                verdict: row.parsed("verdict")?,
                awaiting: row.count("awaiting")?,
            })
        })
        .collect()
}

/// The releases of any skill that have this content, in the order of the log.
pub async fn with_tree(conn: &mut Conn, tree: TreeDigest) -> Result<Vec<Release>, StoreError> {
    sqlx::query(select!("WHERE r.tree_digest = $1 ORDER BY l.idx"))
        .bind(tree.sha256().to_hex())
        .fetch_all(conn)
        .await?
        .iter()
        .map(Release::from_row)
        .collect()
}

/// Whether any release serves this archive: whether its blob is needed.
pub async fn archive_is_needed(conn: &mut Conn, archive: Sha256) -> Result<bool, StoreError> {
    let row = sqlx::query("SELECT id FROM releases WHERE archive_sha256 = $1 LIMIT 1")
        .bind(archive.to_hex())
        .fetch_optional(conn)
        .await?;
    Ok(row.is_some())
}

/// How many releases are in each state; a state that none is in is left out. Looks at every release.
pub async fn by_state(conn: &mut Conn) -> Result<Vec<(ReleaseState, u64)>, StoreError> {
    sqlx::query("SELECT state, COUNT(*) AS releases FROM releases GROUP BY state")
        .fetch_all(conn)
        .await?
        .iter()
        .map(|row| Ok((row.parsed("state")?, row.count("releases")?)))
        .collect()
}

/// Writes down where a release stands.
pub async fn set_state(conn: &mut Conn, id: &str, state: ReleaseState) -> Result<(), StoreError> {
    sqlx::query("UPDATE releases SET state = $1 WHERE id = $2")
        .bind(state.as_str())
        .bind(id)
        .execute(conn)
        .await?;
    Ok(())
}
