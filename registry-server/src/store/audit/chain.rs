//! The chain over the audit log. A row's digest is the SHA-256 of the digest before it, in hexadecimal, followed by the
//! row as JSON: the keys of [`Link`] in their order, no blanks, `detail` as it is stored.

use serde::Serialize;
use serde_json::value::RawValue;
use skill_core::digest::Sha256;
use sqlx::any::AnyRow;

use crate::store::row::{Columns as _, to_int, to_json};
use crate::store::{Conn, StoreError};

/// What stands before the first row.
pub(super) const START: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// How many rows are read at a time.
const PAGE: i64 = 1000;

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

/// Reads the whole chain and answers with the number of its rows.
pub async fn verify_chain(conn: &mut Conn) -> Result<u64, BrokenChain> {
    let counter = sqlx::query("SELECT value FROM counters WHERE name = 'audit'")
        .fetch_one(&mut *conn)
        .await
        .map_err(StoreError::from)?;
    let end = counter.count("value")?;
    let mut previous = START.to_owned();
    let mut seq = 0;
    loop {
        let rows = page(conn, seq).await?;
        for row in &rows {
            seq += 1;
            if row.count("seq")? != seq {
                return Err(BrokenChain::Missing { seq });
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

async fn page(conn: &mut Conn, after: u64) -> Result<Vec<AnyRow>, StoreError> {
    let rows = sqlx::query(
        "SELECT seq, id, at, actor, credential, action, subject, reason, detail, sha256 FROM audit
         WHERE seq > $1 ORDER BY seq LIMIT $2",
    )
    .bind(to_int(after))
    .bind(PAGE)
    .fetch_all(conn)
    .await?;
    Ok(rows)
}

/// The digest of a row, if it is what follows from its columns and the digest before it.
fn follows(row: &AnyRow, seq: u64, previous: &str) -> Result<String, BrokenChain> {
    let columns = ["id", "actor", "credential", "action", "subject", "reason", "detail"];
    let [id, actor, credential, action, subject, reason, detail] = columns.map(|column| row.text(column));
    let detail = detail?;
    let link = Link {
        seq,
        id: &id?,
        at: row.int("at")?,
        actor: &actor?,
        credential: &credential?,
        action: &action?,
        subject: &subject?,
        reason: &reason?,
        detail: serde_json::from_str(&detail).map_err(|_| BrokenChain::Changed { seq })?,
    };
    let expected = digest(previous, &link)?;
    match row.maybe_text("sha256")? {
        Some(sha256) if sha256 == expected => Ok(sha256),
        _ => Err(BrokenChain::Changed { seq }),
    }
}

/// The digest of the row with this number.
pub(super) async fn digest_at(conn: &mut Conn, seq: u64) -> Result<Option<String>, StoreError> {
    let row =
        sqlx::query("SELECT sha256 FROM audit WHERE seq = $1").bind(to_int(seq)).fetch_optional(conn).await?;
    row.map(|row| row.text("sha256")).transpose()
}

pub(super) fn digest(previous: &str, link: &Link<'_>) -> Result<String, StoreError> {
    Ok(Sha256::of(previous.to_owned() + &to_json("audit", link)?).to_hex())
}
