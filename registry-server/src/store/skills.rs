//! Skills: a slug in a publisher's space, and what `latest` means there.

use jiff::Timestamp;
use skill_core::name::{Owner, SkillName, Slug};
use skill_core::version::Version;
use sqlx::any::AnyRow;

use super::row::Columns as _;
use super::{Conn, StoreError};
use crate::lifecycle::Override;

/// A row of `skills`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// Made by the program.
    pub id: String,
    /// Whose it is.
    pub owner: Owner,
    /// What it is called there.
    pub slug: Slug,
    /// The release that `latest` means; `None` while no release may be chosen.
    pub latest: Option<Version>,
    /// What a person set `latest` to, while that holds.
    pub latest_override: Option<Override>,
    /// Why it should not be used any more.
    pub deprecated: Option<String>,
    /// When it was claimed.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Since when it is deleted.
    pub deleted_at: Option<Timestamp>,
    /// Until when its bare slug is kept, if it held that when it was deleted.
    pub name_kept_until: Option<Timestamp>,
}

macro_rules! columns {
    () => {
        "id, owner, slug, latest, override_target, override_above, deprecated, created_at, updated_at, deleted_at,
            name_kept_until"
    };
}

impl Skill {
    /// `owner/slug`.
    pub fn name(&self) -> SkillName {
        SkillName::new(self.owner.clone(), self.slug.clone())
    }

    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let target = row.maybe_parsed("override_target")?;
        let above = row.maybe_parsed("override_above")?;
        Ok(Self {
            id: row.text("id")?,
            owner: row.parsed("owner")?,
            slug: row.parsed("slug")?,
            latest: row.maybe_parsed("latest")?,
            latest_override: target.zip(above).map(|(target, above)| Override { target, above }),
            deprecated: row.maybe_text("deprecated")?,
            created_at: row.time("created_at")?,
            updated_at: row.time("updated_at")?,
            deleted_at: row.maybe_time("deleted_at")?,
            name_kept_until: row.maybe_time("name_kept_until")?,
        })
    }
}

/// The outcome of [`claim`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The skill, locked until the transaction ends.
    pub skill: Skill,
    /// Whether it was not there before.
    pub is_new: bool,
}

/// Takes `name`, or finds that it is taken already, and locks its row: whoever works on the same skill
/// waits until this transaction ends. `new_id` becomes its id if it is new.
pub async fn claim(
    conn: &mut Conn,
    name: &SkillName,
    new_id: &str,
    at: Timestamp,
) -> Result<Claim, StoreError> {
    let row = sqlx::query(concat!(
        "INSERT INTO skills (id, owner, slug, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
         ON CONFLICT (owner, slug) DO UPDATE SET updated_at = excluded.updated_at RETURNING ",
        columns!()
    ))
    .bind(new_id)
    .bind(name.owner.to_string())
    .bind(name.slug.to_string())
    .bind(at.as_millisecond())
    .fetch_one(conn)
    .await?;
    let skill = Skill::from_row(&row)?;
    let is_new = skill.id == new_id;
    Ok(Claim { skill, is_new })
}

/// Locks the row of a skill until the transaction ends, and notes that it changed.
pub async fn lock(conn: &mut Conn, id: &str, at: Timestamp) -> Result<Option<Skill>, StoreError> {
    sqlx::query(concat!("UPDATE skills SET updated_at = $1 WHERE id = $2 RETURNING ", columns!()))
        .bind(at.as_millisecond())
        .bind(id)
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(Skill::from_row)
        .transpose()
}

/// How many names a user has published to that were new after `since`.
pub async fn made_since(conn: &mut Conn, user_id: &str, since: Timestamp) -> Result<u64, StoreError> {
    sqlx::query(
        "SELECT COUNT(DISTINCT s.id) AS made FROM skills s JOIN releases r ON r.skill_id = s.id
         WHERE s.created_at > $1 AND r.published_by = $2",
    )
    .bind(since.as_millisecond())
    .bind(user_id)
    .fetch_one(conn)
    .await?
    .count("made")
}

/// The skill of that name, deleted ones too; aliases are not followed.
pub async fn find(conn: &mut Conn, name: &SkillName) -> Result<Option<Skill>, StoreError> {
    sqlx::query(concat!("SELECT ", columns!(), " FROM skills WHERE owner = $1 AND slug = $2"))
        .bind(name.owner.to_string())
        .bind(name.slug.to_string())
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(Skill::from_row)
        .transpose()
}

/// The skills of a publisher by slug, deleted ones too.
pub async fn of_owner(conn: &mut Conn, owner: &Owner) -> Result<Vec<Skill>, StoreError> {
    sqlx::query(concat!("SELECT ", columns!(), " FROM skills WHERE owner = $1 ORDER BY slug"))
        .bind(owner.to_string())
        .fetch_all(conn)
        .await?
        .iter()
        .map(Skill::from_row)
        .collect()
}

/// The skill with that id.
pub async fn by_id(conn: &mut Conn, id: &str) -> Result<Option<Skill>, StoreError> {
    sqlx::query(concat!("SELECT ", columns!(), " FROM skills WHERE id = $1"))
        .bind(id)
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(Skill::from_row)
        .transpose()
}

/// Every skill that is called `slug`, whoever owns it, by owner; deleted ones are left out.
pub async fn with_slug(conn: &mut Conn, slug: &Slug) -> Result<Vec<Skill>, StoreError> {
    sqlx::query(concat!(
        "SELECT ",
        columns!(),
        " FROM skills WHERE slug = $1 AND deleted_at IS NULL ORDER BY owner"
    ))
    .bind(slug.to_string())
    .fetch_all(conn)
    .await?
    .iter()
    .map(Skill::from_row)
    .collect()
}

/// The next `limit` skills after the id `after` (empty: from the start), deleted ones too: for whoever
/// has to see all of them.
pub async fn page(conn: &mut Conn, after: &str, limit: u32) -> Result<Vec<Skill>, StoreError> {
    sqlx::query(concat!("SELECT ", columns!(), " FROM skills WHERE id > $1 ORDER BY id LIMIT $2"))
        .bind(after)
        .bind(i64::from(limit))
        .fetch_all(conn)
        .await?
        .iter()
        .map(Skill::from_row)
        .collect()
}

/// Writes down what `latest` means from now on.
pub async fn set_latest(
    conn: &mut Conn,
    id: &str,
    latest: Option<&Version>,
    latest_override: Option<&Override>,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE skills SET latest = $1, override_target = $2, override_above = $3 WHERE id = $4")
        .bind(latest.map(ToString::to_string))
        .bind(latest_override.map(|o| o.target.to_string()))
        .bind(latest_override.map(|o| o.above.to_string()))
        .bind(id)
        .execute(conn)
        .await?;
    Ok(())
}

/// Writes down that a skill is deleted, and until when its bare slug is kept; or that it is not.
pub async fn set_deleted(
    conn: &mut Conn,
    id: &str,
    at: Option<Timestamp>,
    kept_until: Option<Timestamp>,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE skills SET deleted_at = $1, name_kept_until = $2 WHERE id = $3")
        .bind(at.map(Timestamp::as_millisecond))
        .bind(kept_until.map(Timestamp::as_millisecond))
        .bind(id)
        .execute(conn)
        .await?;
    Ok(())
}

/// Writes down why a skill should not be used any more, or that it may be.
pub async fn set_deprecated(conn: &mut Conn, id: &str, message: Option<&str>) -> Result<(), StoreError> {
    sqlx::query("UPDATE skills SET deprecated = $1 WHERE id = $2")
        .bind(message.map(str::to_owned))
        .bind(id)
        .execute(conn)
        .await?;
    Ok(())
}
