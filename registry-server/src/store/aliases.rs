//! Names that a rename, merge or transfer left behind; each is a signed fact.

use jiff::Timestamp;
use skill_core::digest::Sha256;
use skill_core::name::SkillName;

use super::row::Columns as _;
use super::skills::{self, Skill};
use super::{Conn, StoreError};

/// The skill of that name, or the one that the name led to since.
pub async fn resolve(conn: &mut Conn, name: &SkillName) -> Result<Option<Skill>, StoreError> {
    if let Some(skill) = skills::find(conn, name).await? {
        return Ok(Some(skill));
    }
    match find(conn, name).await? {
        Some(id) => skills::by_id(conn, &id).await,
        None => Ok(None),
    }
}

/// Lets a name lead to a skill from now on.
pub async fn set(
    conn: &mut Conn,
    name: &SkillName,
    skill_id: &str,
    statement: Sha256,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO aliases (owner, slug, skill_id, statement, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (owner, slug) DO UPDATE SET skill_id = excluded.skill_id, statement = excluded.statement",
    )
    .bind(name.owner.to_string())
    .bind(name.slug.to_string())
    .bind(skill_id)
    .bind(statement.to_hex())
    .bind(at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(())
}

/// The skill that an old name leads to.
pub async fn find(conn: &mut Conn, name: &SkillName) -> Result<Option<String>, StoreError> {
    sqlx::query("SELECT skill_id FROM aliases WHERE owner = $1 AND slug = $2")
        .bind(name.owner.to_string())
        .bind(name.slug.to_string())
        .fetch_optional(conn)
        .await?
        .map(|row| row.text("skill_id"))
        .transpose()
}
