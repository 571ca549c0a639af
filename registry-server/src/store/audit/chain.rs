//! The chain over the audit log. A row's digest is the SHA-256 of the digest before it, in hexadecimal, followed by the
//! row as JSON: the keys of [`Link`] in their order, no blanks, `detail` as it is stored.

use serde::Serialize;
use serde_json::value::RawValue;
use skill_core::digest::Sha256;
use sqlx::any::AnyRow;

use super::entry::{self, Entry, Filter};
use crate::store::row::{Columns as _, to_int, to_json};
use crate::store::{Conn, StoreError};

/// What stands before the first row.
pub(super) const START: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// How many rows are read at a time.
const PAGE: u32 = 1000;

/// What a row's digest is over.
#[derive(Debug, Serialize)]
pub(super) struct Link<'a> {
    pub(super) seq: u64,
    pub(super) id: &'a str,
    pub(super) at: i64,
    pub(super) actor: &'a str,
    pub(super) credential: &'a str,
    pub(super) action: &'a str,
    pub(super) subject: &'a str,
    pub(super) reason: &'a str,
    pub(super) detail: &'a RawValue,
}

/// Why the audit log is not what was written.
#[derive(Debug, thiserror::Error)]
pub enum BrokenChain {
    /// A row is gone.
    #[error("row {seq} of the audit log is missing")]
    Missing {
        /// Its number.
        seq: u64,
    },
    /// A row was put in, or the counter set back.
    #[error("the audit log has row {seq}, its counter says {end}")]
    Beyond {
        /// The row's number.
        seq: u64,
        /// What the counter says.
        end: u64,
    },
    /// A row without a place in the chain.
    #[error("the row {id} of the audit log stands in no place of its chain")]
    PutIn {
        /// Its id.
        id: String,
    },
    /// A row, or the one before it, was changed.
    #[error("row {seq} of the audit log is not what was written")]
    Changed {
        /// Its number.
        seq: u64,
    },
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How many rows were written before there was a chain, and are not in it.
pub async fn unchained(conn: &mut Conn) -> Result<u64, StoreError> {
    sqlx::query("SELECT COUNT(*) AS n FROM audit WHERE seq IS NULL").fetch_one(conn).await?.count("n")
}

/// Reads the whole chain and answers with the number of its rows.
pub async fn verify_chain(conn: &mut Conn) -> Result<u64, BrokenChain> {
    if let Some(id) = put_in(conn).await? {
        return Err(BrokenChain::PutIn { id });
    }
    let mut end = counter(conn).await?;
    let mut previous = START.to_owned();
    let mut seq = 0;
    loop {
        let rows = entry::rows(conn, &Filter::default(), seq, PAGE).await?;
        for row in &rows {
            seq += 1;
            if row.count("seq")? != seq {
                return Err(BrokenChain::Missing { seq });
            }
            if seq > end {
                // Rows are added while this one reads.
                end = counter(conn).await?;
            }
            if seq > end {
                return Err(BrokenChain::Beyond { seq, end });
            }
            previous = follows(row, seq, &previous)?;
        }
        if rows.is_empty() {
            break;
        }
    }
    if seq < end { Err(BrokenChain::Missing { seq: seq + 1 }) } else { Ok(seq) }
}

async fn counter(conn: &mut Conn) -> Result<u64, StoreError> {
    sqlx::query("SELECT value FROM counters WHERE name = 'audit'").fetch_one(conn).await?.count("value")
}

/// A row outside of the chain that is none from before there was one.
async fn put_in(conn: &mut Conn) -> Result<Option<String>, StoreError> {
    let row = sqlx::query(
        "SELECT id FROM audit WHERE seq <= 0
            OR (seq IS NULL AND at > (SELECT f.at FROM audit f WHERE f.seq = 1)) ORDER BY id LIMIT 1",
    )
    .fetch_optional(conn)
    .await?;
    row.map(|row| row.text("id")).transpose()
}

/// The digest of a row, if it is what follows from its columns and the digest before it.
fn follows(row: &AnyRow, seq: u64, previous: &str) -> Result<String, BrokenChain> {
    let entry = match Entry::from_row(row) {
        Ok(entry) => entry,
        Err(StoreError::Unreadable { .. }) => return Err(BrokenChain::Changed { seq }),
        Err(other) => return Err(other.into()),
    };
    let expected = entry.expected(previous);
    if entry.sha256.as_deref() == Some(expected.as_str()) {
        Ok(expected)
    } else {
        Err(BrokenChain::Changed { seq })
    }
}

/// The digest of the row with this number.
pub async fn digest_at(conn: &mut Conn, seq: u64) -> Result<Option<String>, StoreError> {
    let row =
        sqlx::query("SELECT sha256 FROM audit WHERE seq = $1").bind(to_int(seq)).fetch_optional(conn).await?;
    row.map(|row| row.text("sha256")).transpose()
}

pub(super) fn digest(previous: &str, link: &Link<'_>) -> Result<String, StoreError> {
    Ok(Sha256::of(previous.to_owned() + &to_json("audit", link)?).to_hex())
}
