//! The one row that numbers everything.

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// How far the registry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Number of the last event; 0 before the first.
    pub event: u64,
    /// How many leaves the log has.
    pub leaf: u64,
}

/// Where the head stands.
pub async fn get(conn: &mut Conn) -> Result<Head, StoreError> {
    let row = sqlx::query("SELECT event, leaf FROM head").fetch_one(conn).await?;
    Ok(Head { event: row.count("event")?, leaf: row.count("leaf")? })
}

/// So many events and leaves more; answers with the head after it. Locks the row until the
/// transaction ends.
pub(super) async fn advance(conn: &mut Conn, events: u64, leaves: u64) -> Result<Head, StoreError> {
    let row = sqlx::query("UPDATE head SET event = event + $1, leaf = leaf + $2 RETURNING event, leaf")
        .bind(to_int(events))
        .bind(to_int(leaves))
        .fetch_one(conn)
        .await?;
    Ok(Head { event: row.count("event")?, leaf: row.count("leaf")? })
}
