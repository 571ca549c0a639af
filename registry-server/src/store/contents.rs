//! What puts everything that is done about the same bytes into one order.
//!
//! A release must not be stored as open while its bytes are being closed under another name, nor while the
//! sweep takes the blob that it refers to. No constraint says so, because each sees only what is committed; so
//! each of them locks the digests it is about before it looks, and looks again afterwards. The order of locks is
//! the same everywhere: contents, then the counter of restrictions, then skills, then the head.

use jiff::Timestamp;
use skill_core::digest::Sha256;

use super::{Conn, StoreError};

/// Locks a digest, of a tree or of an archive, until the transaction ends.
pub async fn lock(conn: &mut Conn, digest: Sha256, at: Timestamp) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO contents (digest, locked_at) VALUES ($1, $2)
         ON CONFLICT (digest) DO UPDATE SET locked_at = excluded.locked_at",
    )
    .bind(digest.to_hex())
    .bind(at.as_millisecond())
    .execute(conn)
    .await?;
    Ok(())
}
