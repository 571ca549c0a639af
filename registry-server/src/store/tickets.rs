//! Upload tickets of a ClawHub publish, which sends its files one by one.

use jiff::Timestamp;
use skill_core::digest::Sha256;
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// A row of `upload_tickets`: one file that a user said would come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// Made by the program; the ticket that the client shows.
    pub id: String,
    /// Who may use it.
    pub user_id: String,
    /// Path inside the bundle.
    pub path: String,
    /// Bytes that will come.
    pub size: u64,
    /// Their digest.
    pub sha256: Sha256,
    /// What the client says they are.
    pub content_type: String,
    /// From when on it is refused.
    pub expires_at: Timestamp,
    /// When the bytes came.
    pub uploaded_at: Option<Timestamp>,
    /// When a publish took them.
    pub used_at: Option<Timestamp>,
}

impl Ticket {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text("id")?,
            user_id: row.text("user_id")?,
            path: row.text("path")?,
            size: row.count("size")?,
            sha256: row.parsed("sha256")?,
            content_type: row.text("content_type")?,
            expires_at: row.time("expires_at")?,
            uploaded_at: row.maybe_time("uploaded_at")?,
            used_at: row.maybe_time("used_at")?,
        })
    }
}

/// Adds a ticket.
pub async fn insert(conn: &mut Conn, ticket: &Ticket, at: Timestamp) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO upload_tickets (id, user_id, path, size, sha256, content_type, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(ticket.id.clone())
    .bind(ticket.user_id.clone())
    .bind(ticket.path.clone())
    .bind(to_int(ticket.size))
    .bind(ticket.sha256.to_hex())
    .bind(ticket.content_type.clone())
    .bind(at.as_millisecond())
    .bind(ticket.expires_at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(())
}

/// A user's ticket.
pub async fn find(conn: &mut Conn, id: &str, user_id: &str) -> Result<Option<Ticket>, StoreError> {
    sqlx::query("SELECT * FROM upload_tickets WHERE id = $1 AND user_id = $2")
        .bind(id)
        .bind(user_id)
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(Ticket::from_row)
        .transpose()
}

/// Notes that the bytes came; `false` if they had come before or the ticket was used.
pub async fn uploaded(conn: &mut Conn, id: &str, at: Timestamp) -> Result<bool, StoreError> {
    let done =
        sqlx::query("UPDATE upload_tickets SET uploaded_at = $1 WHERE id = $2 AND uploaded_at IS NULL")
            .bind(at.as_millisecond())
            .bind(id)
            .execute(conn)
            .await?;
    Ok(done.rows_affected() == 1)
}

/// Uses a ticket up; `false` if it was used before or its bytes never came.
pub async fn take(conn: &mut Conn, id: &str, at: Timestamp) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "UPDATE upload_tickets SET used_at = $1 WHERE id = $2 AND used_at IS NULL AND uploaded_at IS NOT NULL",
    )
    .bind(at.as_millisecond())
    .bind(id)
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
