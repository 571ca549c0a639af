//! The chain of root metadata.

use skill_core::digest::Sha256;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// The exact bytes of one version.
pub async fn get(conn: &mut Conn, version: u64) -> Result<Option<String>, StoreError> {
    sqlx::query("SELECT json FROM roots WHERE version = $1")
        .bind(to_int(version))
        .fetch_optional(conn)
        .await?
        .map(|row| row.text("json"))
        .transpose()
}

/// Every version, from 1 on.
pub async fn chain(conn: &mut Conn) -> Result<Vec<String>, StoreError> {
    sqlx::query("SELECT json FROM roots ORDER BY version")
        .fetch_all(conn)
        .await?
        .iter()
        .map(|row| row.text("json"))
        .collect()
}

/// Keeps a version unless it is there already.
pub async fn insert(conn: &mut Conn, version: u64, json: &str) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO roots (version, sha256, json) VALUES ($1, $2, $3) ON CONFLICT (version) DO NOTHING",
    )
    .bind(to_int(version))
    .bind(Sha256::of(json).to_hex())
    .bind(json)
    .execute(conn)
    .await?;
    Ok(())
}
