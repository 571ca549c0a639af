//! What lists and searches show of a skill: one row that joins it with its publisher, one release and its counts.

use jiff::Timestamp;
use serde_json::Value;
use skill_core::name::{Owner, SkillName, Slug, Tag};
use skill_core::verdict::Verdict;
use skill_core::version::Version;
use sqlx::any::AnyRow;

use super::publishers::PublisherKind;
use super::row::Columns as _;
use super::{Conn, StoreError, tags};

/// A skill as it stands in the catalogue.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// Id of the skill.
    pub skill_id: String,
    /// Whose it is.
    pub owner: Owner,
    /// The owner's name for people.
    pub owner_name: String,
    /// What the owner stands for.
    pub owner_kind: PublisherKind,
    /// What it is called.
    pub slug: Slug,
    /// The release that is shown.
    pub version: Version,
    /// The skill's name for people, from that release.
    pub display_name: String,
    /// Description from the frontmatter.
    pub summary: String,
    /// What changed in that release.
    pub changelog: String,
    /// The manifest as it was read; in a list `None` if it is longer than lists hold.
    pub manifest: Option<Value>,
    /// What the scan said.
    pub verdict: Verdict,
    /// When that release was published.
    pub published_at: Timestamp,
    /// When the skill was claimed.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Downloads of all releases by people.
    pub downloads: u64,
    /// Users that starred it.
    pub stars: u64,
    /// Releases that anybody can see.
    pub versions: u64,
    /// Tags but `latest`, and what they point to.
    pub tags: Vec<(Tag, Version)>,
}

/// Characters of a name for people where it is shown.
const NAME_CHARACTERS: usize = 200;

/// A skill's name for people as far as it is shown.
pub fn shown_name(name: &str) -> String {
    name.chars().take(NAME_CHARACTERS).collect()
}

fn read_json(column: &'static str, text: String) -> Result<Value, StoreError> {
    serde_json::from_str(&text).map_err(|_| StoreError::Unreadable { column, text })
}

impl Card {
    /// `owner/slug`.
    pub fn name(&self) -> SkillName {
        SkillName::new(self.owner.clone(), self.slug.clone())
    }

    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            skill_id: row.text("id")?,
            owner: row.parsed("owner")?,
            owner_name: row.text("owner_name")?,
            owner_kind: row.parsed("owner_kind")?,
            slug: row.parsed("slug")?,
            version: row.parsed("version")?,
            display_name: row.text("display_name")?,
            summary: row.text("summary")?,
            changelog: row.text("changelog")?,
            manifest: row.maybe_text("manifest")?.map(|text| read_json("manifest", text)).transpose()?,
            verdict: row.parsed("verdict")?,
            published_at: row.time("published_at")?,
            created_at: row.time("created_at")?,
            updated_at: row.time("updated_at")?,
            downloads: row.count("downloads")?,
            stars: row.count("stars")?,
            versions: row.count("versions")?,
            tags: Vec::new(),
        })
    }
}

/// In which order a list stands; of equal ones, by id, or by name where nothing follows on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Last change first.
    Updated,
    /// Newest skill first.
    Created,
    /// Most downloaded first.
    Downloads,
    /// Most starred first.
    Stars,
    /// Most downloaded by people since a day (days since 1970) first; one page.
    Trending {
        /// The day.
        since: i64,
    },
}

/// Where a page begins: after the skill of this rank and id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct After {
    /// Rank of the last skill of the page before.
    pub rank: i64,
    /// Its id.
    pub id: String,
}

// What authors wrote is cut where it is read, so that no list grows with it: names at 200 characters,
// summaries at 1,024 (the most that the Agent Skills specification gives a description).
macro_rules! details {
    ($texts:literal) => {
        concat!(
            "s.id, s.owner, s.slug, s.created_at, s.updated_at, p.display_name AS owner_name,
             p.kind AS owner_kind, r.version, r.verdict, r.published_at, ",
            $texts,
            ", SUBSTR(r.display_name, 1, 200) AS display_name, SUBSTR(r.summary, 1, 1024) AS summary,
             CAST((SELECT COALESCE(SUM(d.count), 0) FROM downloads d JOIN releases x ON x.id = d.release_id
                   WHERE x.skill_id = s.id) AS BIGINT) AS downloads,
             (SELECT COUNT(*) FROM stars t WHERE t.skill_id = s.id) AS stars,
             (SELECT COUNT(*) FROM releases x WHERE x.skill_id = s.id
                   AND x.state IN ('visible', 'suspicious', 'yanked')) AS versions,
             (SELECT COUNT(*) FROM tags t WHERE t.skill_id = s.id) AS tags"
        )
    };
}

// As one skill is shown, and as a list shows it.
macro_rules! whole {
    () => {
        details!("r.changelog, r.manifest")
    };
}
macro_rules! listed {
    () => {
        details!(
            "SUBSTR(r.changelog, 1, 1024) AS changelog,
             CASE WHEN LENGTH(r.manifest) <= 16384 THEN r.manifest END AS manifest"
        )
    };
}

// Below the macros, which it uses.
pub mod kept;
pub mod shelf;

// The page is chosen first, by id and rank alone; only its skills are joined and counted.
macro_rules! page {
    ($rank:expr) => {
        page!($rank, "s.id")
    };
    ($rank:expr, $tie:literal) => {
        concat!(
            "SELECT c.rank, ",
            listed!(),
            " FROM (SELECT * FROM (SELECT s.id AS id, ",
            $tie,
            " AS tie, ",
            $rank,
            " AS rank FROM skills s JOIN releases r ON r.skill_id = s.id AND r.version = s.latest
               WHERE s.deleted_at IS NULL AND ($1 = 0 OR r.state <> 'suspicious') AND $2 = $2) e
             WHERE $4 = '' OR e.rank < $3 OR (e.rank = $3 AND e.tie > $4)
             ORDER BY e.rank DESC, e.tie LIMIT $5) c
             JOIN skills s ON s.id = c.id JOIN publishers p ON p.handle = s.owner
             JOIN releases r ON r.skill_id = s.id AND r.version = s.latest ORDER BY c.rank DESC, c.tie"
        )
    };
}

const UPDATED: &str = page!("s.updated_at");
const CREATED: &str = page!("s.created_at");
const STARS: &str = page!("(SELECT COUNT(*) FROM stars t WHERE t.skill_id = s.id)");
macro_rules! downloads {
    () => {
        "CAST((SELECT COALESCE(SUM(d.count), 0) FROM downloads d JOIN releases x ON x.id = d.release_id
               WHERE x.skill_id = s.id AND d.day >= $2) AS BIGINT)"
    };
}
const DOWNLOADS: &str = page!(downloads!());
const TRENDING: &str = page!(downloads!(), "s.slug || '/' || s.owner");

/// A page of the skills that can be chosen, each with its rank.
pub async fn page(
    conn: &mut Conn,
    order: Order,
    without_suspicious: bool,
    after: Option<&After>,
    limit: u32,
) -> Result<Vec<(i64, Card)>, StoreError> {
    let (query, since) = match order {
        Order::Updated => (UPDATED, 0),
        Order::Created => (CREATED, 0),
        Order::Stars => (STARS, 0),
        Order::Downloads => (DOWNLOADS, 0),
        Order::Trending { since } => (TRENDING, since),
    };
    let rows = sqlx::query(query)
        .bind(i64::from(without_suspicious))
        .bind(since)
        .bind(after.map_or(0, |after| after.rank))
        .bind(after.map_or("", |after| &after.id).to_owned())
        .bind(i64::from(limit))
        .fetch_all(&mut *conn)
        .await?;
    let mut cards = Vec::with_capacity(rows.len());
    for row in rows {
        cards.push((row.int("rank")?, with_tags(conn, &row).await?));
    }
    Ok(cards)
}

/// The skills whose slug begins with `prefix`, by slug and owner, after the skill `after` (empty: from the start).
pub async fn by_prefix(
    conn: &mut Conn,
    prefix: &str,
    without_suspicious: bool,
    after: Option<&SkillName>,
    limit: u32,
) -> Result<Vec<Card>, StoreError> {
    // `~` is above every character of a slug.
    let rows = sqlx::query(concat!(
        "SELECT ",
        listed!(),
        " FROM skills s JOIN publishers p ON p.handle = s.owner
          JOIN releases r ON r.skill_id = s.id AND r.version = s.latest
          WHERE s.deleted_at IS NULL AND ($1 = 0 OR r.state <> 'suspicious') AND s.slug >= $2 AND s.slug < $3
            AND (s.slug > $4 OR (s.slug = $4 AND s.owner > $5)) ORDER BY s.slug, s.owner LIMIT $6"
    ))
    .bind(i64::from(without_suspicious))
    .bind(prefix)
    .bind(format!("{prefix}~"))
    .bind(after.map(|name| name.slug.to_string()).unwrap_or_default())
    .bind(after.map(|name| name.owner.to_string()).unwrap_or_default())
    .bind(i64::from(limit))
    .fetch_all(&mut *conn)
    .await?;
    let mut cards = Vec::with_capacity(rows.len());
    for row in rows {
        cards.push(with_tags(conn, &row).await?);
    }
    Ok(cards)
}

/// One skill with one of its releases, whatever their states.
pub async fn card(conn: &mut Conn, skill_id: &str, version: &Version) -> Result<Option<Card>, StoreError> {
    let row = sqlx::query(concat!(
        "SELECT ",
        whole!(),
        " FROM skills s JOIN publishers p ON p.handle = s.owner JOIN releases r ON r.skill_id = s.id
          WHERE s.id = $1 AND r.version = $2"
    ))
    .bind(skill_id)
    .bind(version.to_string())
    .fetch_optional(&mut *conn)
    .await?;
    match row {
        Some(row) => Ok(Some(with_tags(conn, &row).await?)),
        None => Ok(None),
    }
}

async fn with_tags(conn: &mut Conn, row: &AnyRow) -> Result<Card, StoreError> {
    let mut card = Card::from_row(row)?;
    if row.int("tags")? > 0 {
        card.tags = tags::of_skill(conn, &card.skill_id).await?;
    }
    Ok(card)
}
