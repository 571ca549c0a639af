//! What became of releases, as the log tells it: published, closed, opened again. Of what nobody else may know of (it is
//! pending, or its skill was deleted) nothing is told.

use jiff::Timestamp;
use skill_core::name::{Owner, SkillName};
use skill_core::state::ReleaseState;
use skill_core::verdict::Verdict;
use skill_core::version::Version;
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// Whose news.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About<'a> {
    /// Every skill.
    All,
    /// The skills of a publisher.
    Owner(&'a Owner),
    /// One skill, by its id.
    Skill(&'a str),
}

/// One statement about a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// Its number in the log, which nothing else ever has.
    pub log_index: u64,
    /// When it was signed.
    pub at: Timestamp,
    /// The skill as it is called now.
    pub name: SkillName,
    /// The release.
    pub version: Version,
    /// What the scan said.
    pub verdict: Verdict,
    /// How the release stands now.
    pub state: ReleaseState,
    /// What became of it.
    pub what: What,
}

/// What became of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// It came.
    Published {
        /// What the skill does, at most 1,024 characters.
        summary: String,
        /// What changed, at most 1,024 characters.
        changelog: String,
    },
    /// It was closed or opened again.
    Restricted {
        /// The signed word: `yank`, `quarantine`, …
        action: String,
        /// Why; empty if nobody said.
        reason: String,
    },
}

impl News {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let what = match row.maybe_text("action")? {
            Some(action) => What::Restricted { action, reason: row.text("reason")? },
            None => What::Published { summary: row.text("summary")?, changelog: row.text("changelog")? },
        };
        Ok(Self {
            log_index: row.count("idx")?,
            at: row.time("at")?,
            name: SkillName::new(row.parsed("owner")?, row.parsed("slug")?),
            version: row.parsed("version")?,
            verdict: row.parsed("verdict")?,
            state: row.parsed("state")?,
            what,
        })
    }
}

macro_rules! news {
    ($about:literal) => {
        concat!(
            "SELECT l.idx, s.at, k.owner, k.slug, r.version, r.verdict, r.state, x.action, x.reason,
                SUBSTR(r.summary, 1, 1024) AS summary, SUBSTR(r.changelog, 1, 1024) AS changelog
             FROM leaves l JOIN statements s ON s.sha256 = l.sha256 JOIN releases r ON r.id = s.release_id
             JOIN skills k ON k.id = r.skill_id LEFT JOIN restrictions x ON x.statement = s.sha256
             WHERE ",
            $about,
            " AND k.deleted_at IS NULL AND r.state <> 'pending'
               AND ((s.kind = 'release' AND r.state IN ('visible', 'suspicious', 'yanked'))
                 OR x.action NOT IN ('delete', 'undelete'))
             ORDER BY l.idx DESC LIMIT $2"
        )
    };
}

/// The last `limit` of them, last first.
pub async fn latest(conn: &mut Conn, about: About<'_>, limit: u32) -> Result<Vec<News>, StoreError> {
    let (query, which) = match about {
        About::All => (news!("$1 = $1"), String::new()),
        About::Owner(owner) => (news!("k.owner = $1"), owner.to_string()),
        About::Skill(id) => (news!("s.skill_id = $1"), id.to_owned()),
    };
    sqlx::query(query)
        .bind(which)
        .bind(to_int(u64::from(limit)))
        .fetch_all(conn)
        .await?
        .iter()
        .map(News::from_row)
        .collect()
}
