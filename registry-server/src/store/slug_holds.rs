//! Bare slugs that are kept from everybody: for a while after a deletion, for ever after a takedown.

use jiff::Timestamp;
use skill_core::name::Slug;

use super::row::Columns as _;
use super::{Conn, StoreError};

/// Why a slug is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldReason {
    /// Its holder deleted the skill and may bring it back.
    Deleted,
    /// The registry took the skill down.
    TakenDown,
}

impl HoldReason {
    const ALL: [Self; 2] = [Self::Deleted, Self::TakenDown];

    /// The word for it, as the column has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deleted => "deleted",
            Self::TakenDown => "taken-down",
        }
    }
}

/// A row of `slug_holds`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlugHold {
    /// The skill whose slug it was.
    pub skill_id: String,
    /// Why.
    pub reason: HoldReason,
    /// Since when.
    pub since: Timestamp,
    /// Until when; `None`: for ever.
    pub until: Option<Timestamp>,
}

impl SlugHold {
    /// Whether it keeps the slug of this skill, which the registry took down, from its own publisher too.
    pub fn is_of_taken_down(&self, skill_id: &str) -> bool {
        self.reason == HoldReason::TakenDown && self.skill_id == skill_id
    }
}

/// Keeps a slug. One that is kept for ever stays so.
pub async fn keep(conn: &mut Conn, slug: &Slug, hold: &SlugHold) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO slug_holds (slug, skill_id, reason, since, until) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (slug) DO UPDATE SET skill_id = excluded.skill_id, reason = excluded.reason,
            since = excluded.since, until = excluded.until
         WHERE slug_holds.until IS NOT NULL",
    )
    .bind(slug.to_string())
    .bind(hold.skill_id.clone())
    .bind(hold.reason.as_str())
    .bind(hold.since.as_millisecond())
    .bind(hold.until.map(Timestamp::as_millisecond))
    .execute(conn)
    .await?;
    Ok(())
}

/// The hold on a slug that is in force at `at`.
pub async fn find(conn: &mut Conn, slug: &Slug, at: Timestamp) -> Result<Option<SlugHold>, StoreError> {
    let row = sqlx::query("SELECT skill_id, reason, since, until FROM slug_holds WHERE slug = $1")
        .bind(slug.to_string())
        .fetch_optional(conn)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let reason = row.text("reason")?;
    let known = HoldReason::ALL.into_iter().find(|known| known.as_str() == reason);
    let hold = SlugHold {
        skill_id: row.text("skill_id")?,
        reason: known.ok_or(StoreError::Unreadable { column: "reason", text: reason })?,
        since: row.time("since")?,
        until: row.maybe_time("until")?,
    };
    Ok(Some(hold).filter(|hold| hold.until.is_none_or(|until| at < until)))
}

/// Ends the hold that a skill has for one reason, if it has.
pub async fn end(conn: &mut Conn, skill_id: &str, reason: HoldReason) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM slug_holds WHERE skill_id = $1 AND reason = $2")
        .bind(skill_id)
        .bind(reason.as_str())
        .execute(conn)
        .await?;
    Ok(())
}
