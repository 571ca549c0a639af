//! The skills that can be chosen, as people browse them: filtered, in one of four orders, by numbered pages.

use jiff::Timestamp;
use skill_core::name::{Owner, SkillName};

use super::{Card, with_tags};
use crate::store::facets::System;
use crate::store::row::{Columns as _, to_int};
use crate::store::{Conn, StoreError};

/// Which skills are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this publisher only.
    pub owner: Option<Owner>,
    /// For this system only.
    pub system: Option<System>,
    /// Only those that name no variable which must be set.
    pub without_secrets: bool,
    /// Only those that have a mark (`true`), or none (`false`).
    pub suspicious: Option<bool>,
}

/// In which order they stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sort {
    /// Last change first.
    #[default]
    Updated,
    /// Newest skill first.
    Newest,
    /// By slug, then owner.
    Name,
    /// Most downloaded by people since a day (days since 1970) first, then by slug and owner.
    Used {
        /// The day.
        since: i64,
    },
}

macro_rules! chosen {
    () => {
        " FROM skills s JOIN publishers p ON p.handle = s.owner
          JOIN releases r ON r.skill_id = s.id AND r.version = s.latest
          WHERE s.deleted_at IS NULL AND ($1 = '' OR s.owner = $1) AND ($2 = 0 OR (r.os & $2) <> 0)
            AND ($3 = 0 OR r.secrets = 0) AND ($4 = '' OR r.state = $4)"
    };
}

macro_rules! ordered {
    ($order:literal) => {
        concat!("SELECT ", listed!(), chosen!(), " AND $7 = $7 ORDER BY ", $order, " LIMIT $5 OFFSET $6")
    };
}

// Which skills were downloaded is found by day, so that what nobody downloads costs nothing.
const USED: &str = concat!(
    "WITH used AS (SELECT x.skill_id AS id, SUM(d.count) AS people FROM downloads d
        JOIN releases x ON x.id = d.release_id WHERE d.day >= $7 GROUP BY x.skill_id)
     SELECT ",
    listed!(),
    chosen!(),
    " ORDER BY COALESCE((SELECT u.people FROM used u WHERE u.id = s.id), 0) DESC, s.slug, s.owner
      LIMIT $5 OFFSET $6"
);

/// The values of [`chosen`], in its order.
fn values(filter: &Filter) -> (String, i64, i64, &'static str) {
    let state = match filter.suspicious {
        None => "",
        Some(false) => "visible",
        Some(true) => "suspicious",
    };
    let owner = filter.owner.as_ref().map(ToString::to_string).unwrap_or_default();
    (owner, filter.system.map_or(0, System::bit), i64::from(filter.without_secrets), state)
}

/// How many there are.
pub async fn count(conn: &mut Conn, filter: &Filter) -> Result<u64, StoreError> {
    let (owner, system, without_secrets, state) = values(filter);
    sqlx::query(concat!("SELECT COUNT(*) AS n", chosen!()))
        .bind(owner)
        .bind(system)
        .bind(without_secrets)
        .bind(state)
        .fetch_one(conn)
        .await?
        .count("n")
}

/// `limit` of them, after the first `offset`.
pub async fn page(
    conn: &mut Conn,
    filter: &Filter,
    sort: Sort,
    offset: u32,
    limit: u32,
) -> Result<Vec<Card>, StoreError> {
    let (query, since) = match sort {
        Sort::Updated => (ordered!("s.updated_at DESC, s.id"), 0),
        Sort::Newest => (ordered!("s.created_at DESC, s.id"), 0),
        Sort::Name => (ordered!("s.slug, s.owner"), 0),
        Sort::Used { since } => (USED, since),
    };
    let (owner, system, without_secrets, state) = values(filter);
    let rows = sqlx::query(query)
        .bind(owner)
        .bind(system)
        .bind(without_secrets)
        .bind(state)
        .bind(i64::from(limit))
        .bind(i64::from(offset))
        .bind(since)
        .fetch_all(&mut *conn)
        .await?;
    let mut cards = Vec::with_capacity(rows.len());
    for row in rows {
        cards.push(with_tags(conn, &row).await?);
    }
    Ok(cards)
}

/// The names of `limit` of those without a mark, in the order in which they came, after the first `before`; and when
/// each changed last.
pub async fn names(
    conn: &mut Conn,
    before: u64,
    limit: u32,
) -> Result<Vec<(SkillName, Timestamp)>, StoreError> {
    sqlx::query(
        "SELECT s.owner, s.slug, s.updated_at FROM skills s
         JOIN releases r ON r.skill_id = s.id AND r.version = s.latest
         WHERE s.deleted_at IS NULL AND r.state = 'visible' ORDER BY s.created_at, s.id LIMIT $1 OFFSET $2",
    )
    .bind(i64::from(limit))
    .bind(to_int(before))
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| Ok((SkillName::new(row.parsed("owner")?, row.parsed("slug")?), row.time("updated_at")?)))
    .collect()
}
