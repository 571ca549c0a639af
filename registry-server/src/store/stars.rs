//! Who starred which skill. Like downloads it never touches the head.

use jiff::Timestamp;

use super::row::Columns as _;
use super::{Conn, StoreError};

/// Stars a skill; `false` if the user did so before.
pub async fn add(conn: &mut Conn, skill_id: &str, user_id: &str, at: Timestamp) -> Result<bool, StoreError> {
    let added = sqlx::query(
        "INSERT INTO stars (skill_id, user_id, at) VALUES ($1, $2, $3) ON CONFLICT (skill_id, user_id) DO NOTHING",
    )
    .bind(skill_id)
    .bind(user_id)
    .bind(at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(added.rows_affected() > 0)
}

/// Takes a star back; `false` if there was none.
pub async fn remove(conn: &mut Conn, skill_id: &str, user_id: &str) -> Result<bool, StoreError> {
    let removed = sqlx::query("DELETE FROM stars WHERE skill_id = $1 AND user_id = $2")
        .bind(skill_id)
        .bind(user_id)
        .execute(conn)
        .await?;
    Ok(removed.rows_affected() > 0)
}

/// How many users starred a skill.
pub async fn count(conn: &mut Conn, skill_id: &str) -> Result<u64, StoreError> {
    let row = sqlx::query("SELECT COUNT(*) AS n FROM stars WHERE skill_id = $1");
    row.bind(skill_id).fetch_one(conn).await?.count("n")
}
