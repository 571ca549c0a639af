//! Bare slugs, each bound to the first that published under it.

use jiff::Timestamp;
use skill_core::name::{Owner, Slug};

use super::row::Columns as _;
use super::{Conn, StoreError};

/// Binds a bare slug to a skill unless it is bound; answers with the skill that holds it now.
pub async fn bind(conn: &mut Conn, slug: &Slug, skill_id: &str, at: Timestamp) -> Result<String, StoreError> {
    sqlx::query(
        "INSERT INTO slug_bindings (slug, skill_id, bound_at) VALUES ($1, $2, $3)
         ON CONFLICT (slug) DO UPDATE SET slug = excluded.slug RETURNING skill_id",
    )
    .bind(slug.to_string())
    .bind(skill_id)
    .bind(at.as_millisecond())
    .fetch_one(conn)
    .await?
    .text("skill_id")
}

/// The skill that holds a bare slug.
pub async fn holder(conn: &mut Conn, slug: &Slug) -> Result<Option<String>, StoreError> {
    sqlx::query("SELECT skill_id FROM slug_bindings WHERE slug = $1")
        .bind(slug.to_string())
        .fetch_optional(conn)
        .await?
        .map(|row| row.text("skill_id"))
        .transpose()
}

/// The bare slugs that a publisher's skills hold, and since when.
pub async fn of_owner(conn: &mut Conn, owner: &Owner) -> Result<Vec<(Slug, Timestamp)>, StoreError> {
    sqlx::query(
        "SELECT b.slug, b.bound_at FROM slug_bindings b JOIN skills s ON s.id = b.skill_id
         WHERE s.owner = $1 AND s.latest IS NOT NULL ORDER BY b.slug",
    )
    .bind(owner.to_string())
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| Ok((row.parsed("slug")?, row.time("bound_at")?)))
    .collect()
}

/// Gives a skill's bare slug up.
pub async fn release(conn: &mut Conn, skill_id: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM slug_bindings WHERE skill_id = $1").bind(skill_id).execute(conn).await?;
    Ok(())
}
