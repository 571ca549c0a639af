//! Publishers (the owner half of `owner/slug`) and who may act for them.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use skill_core::name::{NameError, Owner};
use sqlx::any::AnyRow;

use super::row::Columns as _;
use super::{Conn, StoreError};

/// What a publisher stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublisherKind {
    /// One user; made with the account.
    User,
    /// Several users.
    Org,
}

impl PublisherKind {
    /// The word that is stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Org => "org",
        }
    }
}

impl FromStr for PublisherKind {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text {
            "user" => Ok(Self::User),
            "org" => Ok(Self::Org),
            _ => Err(NameError { text: text.to_owned(), wanted: "user or org" }),
        }
    }
}

/// What a member may do; each role may also do what the ones before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemberRole {
    /// Changes releases of its skills.
    Publisher,
    /// Invites, and changes whole skills.
    Admin,
    /// Gives roles.
    Owner,
}

impl MemberRole {
    /// The word that is stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Publisher => "publisher",
            Self::Admin => "admin",
            Self::Owner => "owner",
        }
    }
}

impl fmt::Display for MemberRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for MemberRole {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        [Self::Publisher, Self::Admin, Self::Owner]
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| NameError { text: text.to_owned(), wanted: "publisher, admin or owner" })
    }
}

/// A row of `publishers`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publisher {
    /// Its handle.
    pub handle: Owner,
    /// What it stands for.
    pub kind: PublisherKind,
    /// The user behind a personal one.
    pub user_id: Option<String>,
    /// As people read it.
    pub display_name: String,
    /// When it came.
    pub created_at: Timestamp,
}

impl Publisher {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            handle: row.parsed("handle")?,
            kind: row.parsed("kind")?,
            user_id: row.maybe_text("user_id")?,
            display_name: row.text("display_name")?,
            created_at: row.time("created_at")?,
        })
    }
}

/// A publisher that a user may act for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// Whose name it is.
    pub publisher: Owner,
    /// What the user may do there.
    pub role: MemberRole,
}

/// Adds a publisher; `false` if the handle is taken.
pub async fn insert(conn: &mut Conn, publisher: &Publisher) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO publishers (handle, kind, user_id, display_name, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (handle) DO NOTHING",
    )
    .bind(publisher.handle.to_string())
    .bind(publisher.kind.as_str())
    .bind(publisher.user_id.clone())
    .bind(publisher.display_name.clone())
    .bind(publisher.created_at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The publisher of that handle.
pub async fn find(conn: &mut Conn, handle: &Owner) -> Result<Option<Publisher>, StoreError> {
    sqlx::query(
        "SELECT handle, kind, user_id, display_name, created_at FROM publishers
         WHERE handle = $1 AND deleted_at IS NULL",
    )
    .bind(handle.to_string())
    .fetch_optional(conn)
    .await?
    .as_ref()
    .map(Publisher::from_row)
    .transpose()
}

/// Locks the publisher's row until the transaction ends, before its members are counted or changed.
pub async fn lock(conn: &mut Conn, handle: &Owner) -> Result<(), StoreError> {
    sqlx::query("UPDATE publishers SET display_name = display_name WHERE handle = $1")
        .bind(handle.to_string())
        .execute(conn)
        .await?;
    Ok(())
}

/// Makes a user a member, or gives a member another role.
pub async fn set_member(
    conn: &mut Conn,
    publisher: &Owner,
    user_id: &str,
    role: MemberRole,
    since: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO members (publisher, user_id, role, since) VALUES ($1, $2, $3, $4)
         ON CONFLICT (publisher, user_id) DO UPDATE SET role = excluded.role",
    )
    .bind(publisher.to_string())
    .bind(user_id)
    .bind(role.as_str())
    .bind(since.as_millisecond())
    .execute(conn)
    .await?;
    Ok(())
}

/// The publishers that a user may act for: the personal one first, then by handle.
pub async fn of_user(conn: &mut Conn, user_id: &str) -> Result<Vec<Membership>, StoreError> {
    sqlx::query(
        "SELECT m.publisher, m.role FROM members m JOIN publishers p ON p.handle = m.publisher
         WHERE m.user_id = $1 AND p.deleted_at IS NULL
         ORDER BY CASE WHEN p.user_id IS NULL THEN 1 ELSE 0 END, m.publisher",
    )
    .bind(user_id)
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| Ok(Membership { publisher: row.parsed("publisher")?, role: row.parsed("role")? }))
    .collect()
}
