//! What a publisher has: each of its skills, the closed and deleted ones too, as its members see them.

use jiff::Timestamp;
use skill_core::name::{Owner, Slug};
use skill_core::state::ReleaseState;
use skill_core::verdict::Verdict;
use skill_core::version::Version;

use crate::store::row::Columns as _;
use crate::store::{Conn, StoreError};

/// A skill of a publisher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// What it is called.
    pub slug: Slug,
    /// The release that `latest` means; where it means none, the one that came last.
    pub version: Version,
    /// Where that stands.
    pub state: ReleaseState,
    /// What its scan said.
    pub verdict: Verdict,
    /// Whether it should not be used any more.
    pub is_deprecated: bool,
    /// Since when it is deleted.
    pub deleted_at: Option<Timestamp>,
    /// Until when its bare slug is kept, if it held that when it was deleted.
    pub name_kept_until: Option<Timestamp>,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// How many releases it has ever had.
    pub releases: u64,
    /// Downloads of them by people.
    pub downloads: u64,
    /// Users that starred it.
    pub stars: u64,
}

/// A release that nobody gets until somebody else has decided something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// The skill.
    pub slug: Slug,
    /// The release.
    pub version: Version,
    /// Pending, quarantined or taken down.
    pub state: ReleaseState,
    /// What its scan said.
    pub verdict: Verdict,
    /// Since when: of a pending one, since it was published.
    pub since: Timestamp,
    /// What is signed of it.
    pub reason: String,
    /// What moderators tell its publisher.
    pub note: String,
}

/// How many skills the publisher has.
pub async fn count(conn: &mut Conn, owner: &Owner) -> Result<u64, StoreError> {
    let row = sqlx::query("SELECT COUNT(*) AS n FROM skills WHERE owner = $1").bind(owner.to_string());
    row.fetch_one(conn).await?.count("n")
}

/// `limit` of them, last change first, after the first `offset`.
pub async fn page(conn: &mut Conn, owner: &Owner, offset: u32, limit: u32) -> Result<Vec<Kept>, StoreError> {
    sqlx::query(
        "SELECT s.slug, r.version, r.state, r.verdict, s.deprecated, s.deleted_at, s.name_kept_until, s.updated_at,
            (SELECT COUNT(*) FROM releases x WHERE x.skill_id = s.id) AS releases,
            (SELECT CAST(COALESCE(SUM(d.count), 0) AS BIGINT) FROM downloads d
             JOIN releases x ON x.id = d.release_id WHERE x.skill_id = s.id) AS downloads,
            (SELECT COUNT(*) FROM stars t WHERE t.skill_id = s.id) AS stars
         FROM skills s JOIN releases r ON r.id = COALESCE(
            (SELECT x.id FROM releases x WHERE x.skill_id = s.id AND x.version = s.latest),
            (SELECT x.id FROM releases x WHERE x.skill_id = s.id ORDER BY x.published_at DESC, x.id LIMIT 1))
         WHERE s.owner = $1 ORDER BY s.updated_at DESC, s.id LIMIT $2 OFFSET $3",
    )
    .bind(owner.to_string())
    .bind(i64::from(limit))
    .bind(i64::from(offset))
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| {
        Ok(Kept {
            slug: row.parsed("slug")?,
            version: row.parsed("version")?,
            state: row.parsed("state")?,
            verdict: row.parsed("verdict")?,
            is_deprecated: row.maybe_text("deprecated")?.is_some(),
            deleted_at: row.maybe_time("deleted_at")?,
            name_kept_until: row.maybe_time("name_kept_until")?,
            updated_at: row.time("updated_at")?,
            releases: row.count("releases")?,
            downloads: row.count("downloads")?,
            stars: row.count("stars")?,
        })
    })
    .collect()
}

/// `limit` of the releases that wait or were stopped, the newest first; none of a deleted skill.
pub async fn stopped(conn: &mut Conn, owner: &Owner, limit: u32) -> Result<Vec<Stopped>, StoreError> {
    sqlx::query(
        "SELECT s.slug, r.version, r.state, r.verdict, COALESCE(x.at, r.published_at) AS since,
            COALESCE(x.reason, '') AS reason, COALESCE(x.note, '') AS note
         FROM skills s JOIN releases r ON r.skill_id = s.id
         LEFT JOIN restrictions x ON x.sequence = (SELECT MAX(y.sequence) FROM restrictions y
            WHERE y.release_id = r.id AND y.lifted_by IS NULL AND y.action IN ('quarantine', 'takedown'))
         WHERE s.owner = $1 AND s.deleted_at IS NULL AND r.state IN ('pending', 'quarantined', 'taken-down')
         ORDER BY COALESCE(x.at, r.published_at) DESC, r.id LIMIT $2",
    )
    .bind(owner.to_string())
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| {
        Ok(Stopped {
            slug: row.parsed("slug")?,
            version: row.parsed("version")?,
            state: row.parsed("state")?,
            verdict: row.parsed("verdict")?,
            since: row.time("since")?,
            reason: row.text("reason")?,
            note: row.text("note")?,
        })
    })
    .collect()
}
