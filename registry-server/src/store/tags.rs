//! Tags other than `latest`, which the skill holds.

use jiff::Timestamp;
use skill_core::name::Tag;
use skill_core::version::Version;

use super::row::Columns as _;
use super::{Conn, StoreError};

/// Lets a tag point to a release of the skill.
pub async fn set(
    conn: &mut Conn,
    skill_id: &str,
    tag: &Tag,
    release_id: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO tags (skill_id, tag, release_id, updated_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (skill_id, tag) DO UPDATE SET release_id = excluded.release_id, updated_at = excluded.updated_at",
    )
    .bind(skill_id)
    .bind(tag.to_string())
    .bind(release_id)
    .bind(at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a tag; `false` if it was not there.
pub async fn remove(conn: &mut Conn, skill_id: &str, tag: &Tag) -> Result<bool, StoreError> {
    let done = sqlx::query("DELETE FROM tags WHERE skill_id = $1 AND tag = $2")
        .bind(skill_id)
        .bind(tag.to_string())
        .execute(conn)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// The tags of a skill and the versions they point to, by tag. `latest` is not among them.
pub async fn of_skill(conn: &mut Conn, skill_id: &str) -> Result<Vec<(Tag, Version)>, StoreError> {
    sqlx::query(
        "SELECT t.tag, r.version FROM tags t JOIN releases r ON r.id = t.release_id
         WHERE t.skill_id = $1 ORDER BY t.tag",
    )
    .bind(skill_id)
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| Ok((row.parsed("tag")?, row.parsed("version")?)))
    .collect()
}
