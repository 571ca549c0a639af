//! What is kept of passwords.

use jiff::Timestamp;

use super::row::Columns as _;
use super::{Conn, StoreError};
use crate::auth::KeptPassword;

/// What is kept of the password of a user, who may have none.
pub async fn of_user(conn: &mut Conn, user_id: &str) -> Result<Option<KeptPassword>, StoreError> {
    let query = sqlx::query("SELECT password_hash FROM users WHERE id = $1").bind(user_id);
    let row = query.fetch_optional(conn).await?;
    let text = row.map(|row| row.maybe_text("password_hash")).transpose()?.flatten();
    // What is kept belongs into no log.
    let unreadable = |_| StoreError::Unreadable { column: "password_hash", text: String::new() };
    text.map(|text| text.parse().map_err(unreadable)).transpose()
}

/// Gives a user a password.
pub async fn set(
    conn: &mut Conn,
    user_id: &str,
    kept: &KeptPassword,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE users SET password_hash = $1, password_at = $2 WHERE id = $3")
        .bind(kept.to_string())
        .bind(at.as_millisecond())
        .bind(user_id)
        .execute(conn)
        .await?;
    Ok(())
}
