//! Which skills a release requires, and, the other way round, which skills require one.

use skill_core::name::{Owner, SkillName, Slug};

use super::row::Columns as _;
use super::skills::Skill;
use super::{Conn, StoreError};

/// One required skill, as the manifest names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// Whose; `None` where only the slug is written, which means whoever holds it.
    pub owner: Option<Owner>,
    /// Which.
    pub slug: Slug,
    /// Which versions, as written.
    pub requirement: String,
}

/// A skill whose latest release requires another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependent {
    /// Which skill.
    pub name: SkillName,
    /// Which versions of the other, as written.
    pub requirement: String,
}

/// Writes down what a release requires, in place of what was written down before.
pub async fn set(conn: &mut Conn, release_id: &str, requirements: &[Requirement]) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM requirements WHERE release_id = $1")
        .bind(release_id)
        .execute(&mut *conn)
        .await?;
    for one in requirements {
        sqlx::query(
            "INSERT INTO requirements (release_id, owner, slug, requirement) VALUES ($1, $2, $3, $4)
             ON CONFLICT (release_id, owner, slug) DO NOTHING",
        )
        .bind(release_id)
        .bind(one.owner.as_ref().map(ToString::to_string).unwrap_or_default())
        .bind(one.slug.to_string())
        .bind(one.requirement.clone())
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}

macro_rules! dependents {
    ($what:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $what,
            " FROM requirements q JOIN releases r ON r.id = q.release_id
              JOIN skills s ON s.id = r.skill_id AND s.latest = r.version
              WHERE q.slug = $1 AND (q.owner = $2 OR (q.owner = '' AND $3 = 1))
                AND s.id <> $4 AND s.deleted_at IS NULL",
            $rest
        )
    };
}

/// The first `limit` skills, by name, whose latest release requires `skill`, and how many there are. `holds_slug`:
/// whether the bare slug means this skill.
pub async fn dependents(
    conn: &mut Conn,
    skill: &Skill,
    holds_slug: bool,
    limit: u32,
) -> Result<(Vec<Dependent>, u64), StoreError> {
    let total = sqlx::query(dependents!("COUNT(DISTINCT s.id) AS n", ""))
        .bind(skill.slug.to_string())
        .bind(skill.owner.to_string())
        .bind(i64::from(holds_slug))
        .bind(skill.id.clone())
        .fetch_one(&mut *conn)
        .await?
        .count("n")?;
    let rows = sqlx::query(dependents!(
        "s.owner, s.slug, MIN(q.requirement) AS requirement",
        " GROUP BY s.owner, s.slug ORDER BY s.owner, s.slug LIMIT $5"
    ))
    .bind(skill.slug.to_string())
    .bind(skill.owner.to_string())
    .bind(i64::from(holds_slug))
    .bind(skill.id.clone())
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?;
    let dependents = rows.iter().map(|row| {
        let name = SkillName::new(row.parsed("owner")?, row.parsed("slug")?);
        Ok(Dependent { name, requirement: row.text("requirement")? })
    });
    Ok((dependents.collect::<Result<_, StoreError>>()?, total))
}
