//! People and programs that hold tokens.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use skill_core::name::{NameError, Owner};
use sqlx::any::AnyRow;

use super::row::Columns as _;
use super::{Conn, StoreError};

/// What a user may do on the whole site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SiteRole {
    /// Nothing beyond the own publishers.
    User,
    /// Judges reports and holds.
    Moderator,
    /// Everything.
    Admin,
}

impl SiteRole {
    /// The word that is stored and that `/api/v1/whoami` shows.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Moderator => "moderator",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for SiteRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for SiteRole {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        [Self::User, Self::Moderator, Self::Admin]
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| NameError { text: text.to_owned(), wanted: "a site role" })
    }
}

/// A row of `users`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Made by the program.
    pub id: String,
    /// Unique, and the handle of the personal publisher.
    pub name: Owner,
    /// As people read it.
    pub display_name: String,
    /// What the user may do on the whole site.
    pub role: SiteRole,
    /// When the account came.
    pub created_at: Timestamp,
    /// Since when the account is closed.
    pub disabled_at: Option<Timestamp>,
}

macro_rules! columns {
    () => {
        "id, name, display_name, role, created_at, disabled_at"
    };
}

impl User {
    pub(super) fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text("id")?,
            name: row.parsed("name")?,
            display_name: row.text("display_name")?,
            role: row.parsed("role")?,
            created_at: row.time("created_at")?,
            disabled_at: row.maybe_time("disabled_at")?,
        })
    }
}

/// Locks the row of a user until the transaction ends: who counts what a user has takes it first.
pub async fn lock(conn: &mut Conn, id: &str) -> Result<(), StoreError> {
    sqlx::query("UPDATE users SET name = name WHERE id = $1").bind(id).execute(conn).await?;
    Ok(())
}

/// Locks the row of the first user until the transaction ends: who counts administrators, of whom one has to be left,
/// takes it first.
pub async fn lock_first(conn: &mut Conn) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE users SET name = name WHERE id = (SELECT id FROM users ORDER BY created_at, id LIMIT 1)",
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// How many administrators with an open account there are besides this user.
pub async fn other_admins(conn: &mut Conn, id: &str) -> Result<u64, StoreError> {
    sqlx::query(
        "SELECT COUNT(*) AS others FROM users WHERE role = 'admin' AND id <> $1 AND disabled_at IS NULL",
    )
    .bind(id)
    .fetch_one(conn)
    .await?
    .count("others")
}

/// Closes an account, or opens it again.
pub async fn set_disabled(conn: &mut Conn, id: &str, at: Option<Timestamp>) -> Result<(), StoreError> {
    sqlx::query("UPDATE users SET disabled_at = $1 WHERE id = $2")
        .bind(at.map(Timestamp::as_millisecond))
        .bind(id)
        .execute(conn)
        .await?;
    Ok(())
}

/// Gives a user another role on the whole site.
pub async fn set_role(conn: &mut Conn, id: &str, role: SiteRole) -> Result<(), StoreError> {
    sqlx::query("UPDATE users SET role = $1 WHERE id = $2")
        .bind(role.as_str())
        .bind(id)
        .execute(conn)
        .await?;
    Ok(())
}

/// Adds a user; `false` if the name is taken.
pub async fn insert(conn: &mut Conn, user: &User) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO users (id, name, display_name, role, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (name) DO NOTHING",
    )
    .bind(user.id.clone())
    .bind(user.name.to_string())
    .bind(user.display_name.clone())
    .bind(user.role.as_str())
    .bind(user.created_at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The user of that name.
pub async fn find(conn: &mut Conn, name: &Owner) -> Result<Option<User>, StoreError> {
    let query =
        sqlx::query(concat!("SELECT ", columns!(), " FROM users WHERE name = $1")).bind(name.to_string());
    query.fetch_optional(conn).await?.as_ref().map(User::from_row).transpose()
}

/// The user with that id.
pub async fn by_id(conn: &mut Conn, id: &str) -> Result<Option<User>, StoreError> {
    let query = sqlx::query(concat!("SELECT ", columns!(), " FROM users WHERE id = $1")).bind(id);
    query.fetch_optional(conn).await?.as_ref().map(User::from_row).transpose()
}
