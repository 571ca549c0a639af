//! Who may act for a publisher, one row a member.

use jiff::Timestamp;
use skill_core::name::Owner;
use sqlx::any::AnyRow;

use super::publishers::MemberRole;
use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// A member of a publisher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The user's id.
    pub user_id: String,
    /// The user's name.
    pub name: Owner,
    /// As people read it.
    pub display_name: String,
    /// What the user may do there.
    pub role: MemberRole,
    /// Since when.
    pub since: Timestamp,
}

macro_rules! select {
    () => {
        "SELECT u.id, u.name, u.display_name, m.role, m.since FROM members m JOIN users u ON u.id = m.user_id "
    };
}

impl Member {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            user_id: row.text("id")?,
            name: row.parsed("name")?,
            display_name: row.text("display_name")?,
            role: row.parsed("role")?,
            since: row.time("since")?,
        })
    }
}

/// The members of a publisher by name: `limit` of them, after the one called `after`.
pub async fn of_publisher(
    conn: &mut Conn,
    publisher: &Owner,
    after: Option<&Owner>,
    limit: usize,
) -> Result<Vec<Member>, StoreError> {
    sqlx::query(concat!(select!(), "WHERE m.publisher = $1 AND u.name > $2 ORDER BY u.name LIMIT $3"))
        .bind(publisher.to_string())
        .bind(after.map_or("", Owner::as_str).to_owned())
        .bind(to_int(limit as u64))
        .fetch_all(conn)
        .await?
        .iter()
        .map(Member::from_row)
        .collect()
}

/// The member of a publisher with that name.
pub async fn find(conn: &mut Conn, publisher: &Owner, name: &Owner) -> Result<Option<Member>, StoreError> {
    sqlx::query(concat!(select!(), "WHERE m.publisher = $1 AND u.name = $2"))
        .bind(publisher.to_string())
        .bind(name.to_string())
        .fetch_optional(conn)
        .await?
        .as_ref()
        .map(Member::from_row)
        .transpose()
}

/// How many owners with an open account a publisher has besides this user.
pub async fn other_owners(conn: &mut Conn, publisher: &Owner, user_id: &str) -> Result<u64, StoreError> {
    sqlx::query(
        "SELECT COUNT(*) AS others FROM members m JOIN users u ON u.id = m.user_id
         WHERE m.publisher = $1 AND m.role = 'owner' AND m.user_id <> $2 AND u.disabled_at IS NULL",
    )
    .bind(publisher.to_string())
    .bind(user_id)
    .fetch_one(conn)
    .await?
    .count("others")
}

/// The publishers of several users that this user owns, and nobody else with an open account does, by handle.
pub async fn owned_alone(conn: &mut Conn, user_id: &str) -> Result<Vec<Owner>, StoreError> {
    sqlx::query(
        "SELECT m.publisher FROM members m JOIN publishers p ON p.handle = m.publisher
         WHERE m.user_id = $1 AND m.role = 'owner' AND p.kind = 'org' AND p.deleted_at IS NULL
           AND NOT EXISTS (
             SELECT o.user_id FROM members o JOIN users u ON u.id = o.user_id
             WHERE o.publisher = m.publisher AND o.role = 'owner' AND o.user_id <> $1 AND u.disabled_at IS NULL
           )
         ORDER BY m.publisher",
    )
    .bind(user_id)
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| row.parsed("publisher"))
    .collect()
}

/// Ends a membership, and remembers when.
pub async fn remove(
    conn: &mut Conn,
    publisher: &Owner,
    user_id: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM members WHERE publisher = $1 AND user_id = $2")
        .bind(publisher.to_string())
        .bind(user_id)
        .execute(&mut *conn)
        .await?;
    sqlx::query(
        "INSERT INTO departures (publisher, user_id, left_at) VALUES ($1, $2, $3)
         ON CONFLICT (publisher, user_id) DO UPDATE SET left_at = excluded.left_at",
    )
    .bind(publisher.to_string())
    .bind(user_id)
    .bind(at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether a user acts for a publisher, or did after this moment.
pub async fn acted_after(
    conn: &mut Conn,
    publisher: &Owner,
    user_id: &str,
    moment: Timestamp,
) -> Result<bool, StoreError> {
    let acted = sqlx::query(
        "SELECT COUNT(*) AS n FROM (
           SELECT user_id FROM members WHERE publisher = $1 AND user_id = $2
           UNION ALL
           SELECT user_id FROM departures WHERE publisher = $1 AND user_id = $2 AND left_at > $3
         ) acted",
    )
    .bind(publisher.to_string())
    .bind(user_id)
    .bind(moment.as_millisecond())
    .fetch_one(conn)
    .await?
    .count("n")?;
    Ok(acted > 0)
}
