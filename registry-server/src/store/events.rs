//! What changed, in order. Caches and the search index follow these rows.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use skill_core::name::{NameError, Owner};
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// What kind of change an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// The registry was made.
    RegistryMade,
    /// A user and the personal publisher came.
    UserAdded,
    /// A publisher came or changed.
    PublisherChanged,
    /// A release came.
    Published,
    /// A release's state or verdict changed.
    StateChanged,
    /// A tag was set or removed.
    TagChanged,
    /// A skill was renamed, merged, transferred, deprecated, deleted or restored.
    SkillChanged,
    /// The root metadata or a key changed.
    TrustChanged,
}

impl EventKind {
    const ALL: [Self; 8] = [
        Self::RegistryMade,
        Self::UserAdded,
        Self::PublisherChanged,
        Self::Published,
        Self::StateChanged,
        Self::TagChanged,
        Self::SkillChanged,
        Self::TrustChanged,
    ];

    /// The word that is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RegistryMade => "registry-made",
            Self::UserAdded => "user-added",
            Self::PublisherChanged => "publisher-changed",
            Self::Published => "published",
            Self::StateChanged => "state-changed",
            Self::TagChanged => "tag-changed",
            Self::SkillChanged => "skill-changed",
            Self::TrustChanged => "trust-changed",
        }
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for EventKind {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| NameError { text: text.to_owned(), wanted: "a kind of event" })
    }
}

/// A change about to be committed.
#[derive(Debug, Clone)]
pub struct NewEvent {
    /// What happened.
    pub kind: EventKind,
    /// Whose publisher it concerns.
    pub owner: Option<Owner>,
    /// Which skill.
    pub skill_id: Option<String>,
    /// Which release.
    pub release_id: Option<String>,
}

impl NewEvent {
    /// An event about the registry as a whole.
    pub const fn of_registry(kind: EventKind) -> Self {
        Self { kind, owner: None, skill_id: None, release_id: None }
    }

    /// An event about a publisher.
    pub const fn of_publisher(kind: EventKind, owner: Owner) -> Self {
        Self { kind, owner: Some(owner), skill_id: None, release_id: None }
    }

    /// An event about a skill.
    pub fn of_skill(kind: EventKind, owner: Owner, skill_id: &str) -> Self {
        Self { kind, owner: Some(owner), skill_id: Some(skill_id.to_owned()), release_id: None }
    }

    /// An event about one release of a skill.
    pub fn of_release(kind: EventKind, owner: Owner, skill_id: &str, release_id: &str) -> Self {
        Self { release_id: Some(release_id.to_owned()), ..Self::of_skill(kind, owner, skill_id) }
    }
}

/// A change that was committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its number, from 1 without gaps.
    pub event: u64,
    /// What happened.
    pub kind: EventKind,
    /// When.
    pub at: Timestamp,
    /// Whose publisher it concerns.
    pub owner: Option<Owner>,
    /// Which skill.
    pub skill_id: Option<String>,
    /// Which release.
    pub release_id: Option<String>,
}

impl Event {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            event: row.count("event")?,
            kind: row.parsed("kind")?,
            at: row.time("at")?,
            owner: row.maybe_parsed("owner")?,
            skill_id: row.maybe_text("skill_id")?,
            release_id: row.maybe_text("release_id")?,
        })
    }
}

/// The next `limit` events after number `after`, oldest first.
pub async fn after(conn: &mut Conn, after: u64, limit: u32) -> Result<Vec<Event>, StoreError> {
    sqlx::query(
        "SELECT event, kind, at, owner, skill_id, release_id FROM events WHERE event > $1
         ORDER BY event LIMIT $2",
    )
    .bind(to_int(after))
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?
    .iter()
    .map(Event::from_row)
    .collect()
}

pub(super) async fn insert(
    conn: &mut Conn,
    number: u64,
    event: &NewEvent,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO events (event, kind, at, owner, skill_id, release_id) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(to_int(number))
    .bind(event.kind.as_str())
    .bind(at.as_millisecond())
    .bind(event.owner.as_ref().map(ToString::to_string))
    .bind(event.skill_id.clone())
    .bind(event.release_id.clone())
    .execute(conn)
    .await?;
    Ok(())
}
