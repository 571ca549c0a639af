//! Facts about the registry itself.

use sqlx::Row as _;

use super::{Conn, StoreError};

/// Key of the registry id.
pub const REGISTRY_ID: &str = "registry-id";
/// Key of the id of the administrator's first token while it was not shown yet.
pub const FIRST_TOKEN: &str = "first-token";
/// Key of what is written, and removed, to find out whether there is room.
pub const ROOM: &str = "room";

/// What is kept under `key`.
pub async fn get(conn: &mut Conn, key: &str) -> Result<Option<String>, StoreError> {
    let row = sqlx::query("SELECT value FROM meta WHERE key = $1").bind(key).fetch_optional(conn).await?;
    Ok(row.map(|row| row.try_get("value")).transpose()?)
}

/// Keeps `value` under `key`, in place of what was there.
pub async fn set(conn: &mut Conn, key: &str, value: &str) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    )
    .bind(key)
    .bind(value)
    .execute(conn)
    .await?;
    Ok(())
}

/// Keeps `value` under `key` unless something is there; answers with what is there now.
pub async fn set_once(conn: &mut Conn, key: &str, value: &str) -> Result<String, StoreError> {
    let row = sqlx::query(
        "INSERT INTO meta (key, value) VALUES ($1, $2)
         ON CONFLICT (key) DO UPDATE SET value = meta.value RETURNING value",
    )
    .bind(key)
    .bind(value)
    .fetch_one(conn)
    .await?;
    Ok(row.try_get("value")?)
}

/// Forgets `key`.
pub async fn remove(conn: &mut Conn, key: &str) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM meta WHERE key = $1").bind(key).execute(conn).await?;
    Ok(())
}
