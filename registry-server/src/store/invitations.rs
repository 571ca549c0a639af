//! Invitations to act for a publisher, until they are answered.

use jiff::Timestamp;
use skill_core::name::Owner;
use sqlx::any::AnyRow;

use super::publishers::MemberRole;
use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// A row of `invitations`, with names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Made by the program.
    pub id: String,
    /// To what.
    pub publisher: Owner,
    /// Who is invited: the user's id.
    pub user_id: String,
    /// The user's name.
    pub user: Owner,
    /// What the user would be there.
    pub role: MemberRole,
    /// Name of who invited.
    pub invited_by: Owner,
    /// When.
    pub created_at: Timestamp,
    /// From when on it can no longer be accepted.
    pub expires_at: Timestamp,
}

macro_rules! select {
    () => {
        "SELECT i.id, i.publisher, i.user_id, u.name AS user_name, i.role, b.name AS by_name, i.created_at, i.expires_at
         FROM invitations i JOIN users u ON u.id = i.user_id JOIN users b ON b.id = i.invited_by
         JOIN publishers p ON p.handle = i.publisher "
    };
}

impl Invitation {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.text("id")?,
            publisher: row.parsed("publisher")?,
            user_id: row.text("user_id")?,
            user: row.parsed("user_name")?,
            role: row.parsed("role")?,
            invited_by: row.parsed("by_name")?,
            created_at: row.time("created_at")?,
            expires_at: row.time("expires_at")?,
        })
    }
}

/// An invitation about to be made.
#[derive(Debug, Clone)]
pub struct NewInvitation<'a> {
    /// Made by the program.
    pub id: &'a str,
    /// To what.
    pub publisher: &'a Owner,
    /// Id of who is invited.
    pub user_id: &'a str,
    /// What the user would be.
    pub role: MemberRole,
    /// Id of who invites.
    pub invited_by: &'a str,
    /// When.
    pub created_at: Timestamp,
    /// From when on it can no longer be accepted.
    pub expires_at: Timestamp,
}

/// Invites; an earlier invitation of the same user there is replaced.
pub async fn put(conn: &mut Conn, new: &NewInvitation<'_>) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO invitations (id, publisher, user_id, role, invited_by, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (publisher, user_id) DO UPDATE SET id = excluded.id, role = excluded.role,
             invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at",
    )
    .bind(new.id.to_owned())
    .bind(new.publisher.to_string())
    .bind(new.user_id.to_owned())
    .bind(new.role.as_str())
    .bind(new.invited_by.to_owned())
    .bind(new.created_at.as_millisecond())
    .bind(new.expires_at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(())
}

/// The open invitation with that id.
pub async fn find(conn: &mut Conn, id: &str, now: Timestamp) -> Result<Option<Invitation>, StoreError> {
    sqlx::query(concat!(select!(), "WHERE i.id = $1 AND i.expires_at > $2 AND p.deleted_at IS NULL"))
        .bind(id.to_owned())
        .bind(now.as_millisecond())
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(Invitation::from_row)
        .transpose()
}

/// The open invitations to a publisher by user: `limit` of them, after the user called `after`.
pub async fn to_publisher(
    conn: &mut Conn,
    publisher: &Owner,
    now: Timestamp,
    after: Option<&Owner>,
    limit: usize,
) -> Result<Vec<Invitation>, StoreError> {
    sqlx::query(concat!(
        select!(),
        "WHERE i.publisher = $1 AND i.expires_at > $2 AND u.name > $3 ORDER BY u.name LIMIT $4"
    ))
    .bind(publisher.to_string())
    .bind(now.as_millisecond())
    .bind(after.map_or("", Owner::as_str).to_owned())
    .bind(to_int(limit as u64))
    .fetch_all(conn)
    .await?
    .iter()
    .map(Invitation::from_row)
    .collect()
}

/// The open invitations of a user by publisher: `limit` of them, after the publisher `after`.
pub async fn of_user(
    conn: &mut Conn,
    user_id: &str,
    now: Timestamp,
    after: Option<&Owner>,
    limit: usize,
) -> Result<Vec<Invitation>, StoreError> {
    sqlx::query(concat!(
        select!(),
        "WHERE i.user_id = $1 AND i.expires_at > $2 AND i.publisher > $3 AND p.deleted_at IS NULL
         ORDER BY i.publisher LIMIT $4"
    ))
    .bind(user_id.to_owned())
    .bind(now.as_millisecond())
    .bind(after.map_or("", Owner::as_str).to_owned())
    .bind(to_int(limit as u64))
    .fetch_all(conn)
    .await?
    .iter()
    .map(Invitation::from_row)
    .collect()
}

/// Takes an invitation away; `false` if it is gone already.
pub async fn remove(conn: &mut Conn, id: &str) -> Result<bool, StoreError> {
    let done = sqlx::query("DELETE FROM invitations WHERE id = $1").bind(id.to_owned()).execute(conn).await?;
    Ok(done.rows_affected() == 1)
}

/// Takes away what a user invited to a publisher, and gives the ids: whoever loses a role takes back what was given by
/// it.
pub async fn remove_by(
    conn: &mut Conn,
    publisher: &Owner,
    invited_by: &str,
) -> Result<Vec<String>, StoreError> {
    sqlx::query("DELETE FROM invitations WHERE publisher = $1 AND invited_by = $2 RETURNING id")
        .bind(publisher.to_string())
        .bind(invited_by.to_owned())
        .fetch_all(conn)
        .await?
        .iter()
        .map(|row| row.text("id"))
        .collect()
}

/// Takes away the invitations of a user and those by that user, and gives their ids and publishers.
pub async fn remove_of(conn: &mut Conn, user_id: &str) -> Result<Vec<(String, Owner)>, StoreError> {
    sqlx::query("DELETE FROM invitations WHERE user_id = $1 OR invited_by = $1 RETURNING id, publisher")
        .bind(user_id.to_owned())
        .fetch_all(conn)
        .await?
        .iter()
        .map(|row| Ok((row.text("id")?, row.parsed("publisher")?)))
        .collect()
}
