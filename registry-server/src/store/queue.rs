//! What waits for a moderator, one row a skill: open holds, reports and appeals together.

use jiff::Timestamp;
use skill_core::name::SkillName;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// So many open reports put a case on top.
pub const MANY_REPORTS: u64 = 4;

/// Which cases are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// With a release that is held.
    Hold,
    /// With a report.
    Report,
    /// With an appeal.
    Appeal,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Hold, Self::Report, Self::Appeal];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Report => "report",
            Self::Appeal => "appeal",
        }
    }
}

/// A skill about which something waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Its id.
    pub skill_id: String,
    /// What it is called.
    pub name: SkillName,
    /// How much it matters: 3 with [`MANY_REPORTS`], 2 with a report of harm, 1 where somebody waits to publish or to be
    /// heard, else 0.
    pub weight: u64,
    /// Since when the oldest of it waits.
    pub since: Timestamp,
    /// Releases that are held.
    pub holds: u64,
    /// Reports.
    pub reports: u64,
    /// Appeals.
    pub appeals: u64,
}

/// Where a page begins: behind this weight, time and skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct After {
    /// [`Waiting::weight`].
    pub weight: u64,
    /// [`Waiting::since`].
    pub since: Timestamp,
    /// [`Waiting::skill_id`].
    pub skill_id: String,
}

/// At most `limit` cases, those that matter most first, of these the oldest.
pub async fn page(
    conn: &mut Conn,
    kind: Option<Kind>,
    after: Option<&After>,
    limit: u32,
) -> Result<Vec<Waiting>, StoreError> {
    let begin = after.map_or(i64::MAX, |after| to_int(after.weight));
    let rows = sqlx::query(
        "SELECT c.skill_id, s.owner, s.slug, c.weight, c.since, c.holds, c.reports, c.appeals FROM (
           SELECT skill_id, MIN(since) AS since, CAST(SUM(hold) AS BIGINT) AS holds,
                CAST(SUM(report) AS BIGINT) AS reports, CAST(SUM(appeal) AS BIGINT) AS appeals,
                CASE WHEN SUM(report) >= $1 THEN CAST(3 AS BIGINT) ELSE CAST(MAX(weight) AS BIGINT) END AS weight
           FROM (
             SELECT r.skill_id, h.created_at AS since, 1 AS hold, 0 AS report, 0 AS appeal, 1 AS weight
             FROM holds h JOIN releases r ON r.id = h.release_id WHERE h.decision IS NULL
             UNION ALL
             SELECT p.skill_id, p.created_at, 0, 1, 0, CASE WHEN p.kind = 'malicious' THEN 2 ELSE 0 END
             FROM reports p WHERE p.decision IS NULL
             UNION ALL
             SELECT r.skill_id, a.created_at, 0, 0, 1, 1
             FROM appeals a JOIN releases r ON r.id = a.release_id WHERE a.decision IS NULL
           ) waiting GROUP BY skill_id
         ) c JOIN skills s ON s.id = c.skill_id
         WHERE ($2 = '' OR ($2 = 'hold' AND c.holds > 0) OR ($2 = 'report' AND c.reports > 0)
             OR ($2 = 'appeal' AND c.appeals > 0))
           AND (c.weight < $3 OR (c.weight = $3 AND (c.since > $4 OR (c.since = $4 AND c.skill_id > $5))))
         ORDER BY c.weight DESC, c.since, c.skill_id LIMIT $6",
    )
    .bind(to_int(MANY_REPORTS))
    .bind(kind.map_or("", Kind::as_str))
    .bind(begin)
    .bind(after.map_or(0, |after| after.since.as_millisecond()))
    .bind(after.map(|after| after.skill_id.clone()).unwrap_or_default())
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Waiting {
                skill_id: row.text("skill_id")?,
                name: SkillName::new(row.parsed("owner")?, row.parsed("slug")?),
                weight: row.count("weight")?,
                since: row.time("since")?,
                holds: row.count("holds")?,
                reports: row.count("reports")?,
                appeals: row.count("appeals")?,
            })
        })
        .collect()
}
