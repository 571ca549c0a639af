//! Reserved names that a site administrator gave to somebody.

use jiff::Timestamp;
use skill_core::name::Owner;

use super::{Conn, StoreError};

/// Which kind of name was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantKind {
    /// A reserved handle.
    Owner,
    /// A reserved slug.
    Slug,
}

impl GrantKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Slug => "slug",
        }
    }
}

/// Gives a reserved name to a publisher.
pub async fn insert(
    conn: &mut Conn,
    kind: GrantKind,
    name: &str,
    publisher: &Owner,
    granted_by: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO reserved_grants (kind, name, publisher, granted_by, granted_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (kind, name, publisher) DO NOTHING",
    )
    .bind(kind.as_str())
    .bind(name)
    .bind(publisher.to_string())
    .bind(granted_by)
    .bind(at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether a publisher was given this reserved name.
pub async fn exists(
    conn: &mut Conn,
    kind: GrantKind,
    name: &str,
    publisher: &Owner,
) -> Result<bool, StoreError> {
    let row =
        sqlx::query("SELECT name FROM reserved_grants WHERE kind = $1 AND name = $2 AND publisher = $3")
            .bind(kind.as_str())
            .bind(name)
            .bind(publisher.to_string())
            .fetch_optional(conn)
            .await?;
    Ok(row.is_some())
}
