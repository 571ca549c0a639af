//! Every change, by whom. Rows are only ever added, at the end of the transaction that makes the change, each with a
//! number and a digest over itself and the digest before it: what is taken out, put in or changed later shows.

mod chain;
mod entry;

use jiff::Timestamp;
use serde_json::Value;
use serde_json::value::to_raw_value;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};
use crate::auth::Credential;
use crate::entropy::Entropy;

pub use chain::{BrokenChain, digest_at, unchained, verify_chain};
use chain::{Link, START, digest};
pub use entry::{Entry, Filter, page};

/// Who makes a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// A user's name, or `operator` for the command line.
    pub name: String,
    /// What the user showed; the operator shows nothing.
    pub credential: Option<Credential>,
}

impl Actor {
    /// Somebody who showed nothing: the operator, or the registry itself.
    pub fn unshown(name: impl Into<String>) -> Self {
        Self { name: name.into(), credential: None }
    }
}

/// A change about to be written down.
#[derive(Debug, Clone, PartialEq)]
pub struct NewAudit {
    by: Actor,
    action: &'static str,
    subject: String,
    reason: String,
    detail: Value,
}

impl NewAudit {
    /// That somebody did this (`publish`, `yank`, `token.create` …) to that.
    pub fn new(by: Actor, action: &'static str, subject: String) -> Self {
        Self { by, action, subject, reason: String::new(), detail: Value::Object(serde_json::Map::new()) }
    }

    /// Why, in the words of who did it.
    #[must_use]
    pub fn because(mut self, reason: &str) -> Self {
        reason.clone_into(&mut self.reason);
        self
    }

    /// Whatever else matters; never a secret.
    #[must_use]
    pub fn with(mut self, detail: Value) -> Self {
        self.detail = detail;
        self
    }
}

/// A row of `audit`.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditRow {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: String,
    /// With what: `token:ID`, `session:SHA256`, or nothing.
    pub credential: String,
    /// What was done.
    pub action: String,
    /// To what.
    pub subject: String,
    /// Why; empty where nobody said.
    pub reason: String,
    /// Whatever else matters.
    pub detail: Value,
}

/// Adds rows to the end of the chain. Locks its counter until the transaction ends, so that rows are committed in the
/// order of their numbers and none is lost.
pub(super) async fn append(
    conn: &mut Conn,
    entropy: &Entropy,
    at: Timestamp,
    rows: &[NewAudit],
) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let count = rows.len() as u64;
    let last = sqlx::query("UPDATE counters SET value = value + $1 WHERE name = 'audit' RETURNING value")
        .bind(to_int(count))
        .fetch_one(&mut *conn)
        .await?
        .count("value")?;
    let first = last - count + 1;
    let mut previous = digest_at(conn, first - 1).await?.unwrap_or_else(|| START.to_owned());
    for (seq, row) in (first..=last).zip(rows) {
        previous = insert(conn, &entropy.id()?, at, seq, &previous, row).await?;
    }
    Ok(())
}

async fn insert(
    conn: &mut Conn,
    id: &str,
    at: Timestamp,
    seq: u64,
    previous: &str,
    row: &NewAudit,
) -> Result<String, StoreError> {
    let credential = row.by.credential.as_ref().map(ToString::to_string).unwrap_or_default();
    let detail = to_raw_value(&row.detail)
        .map_err(|error| StoreError::Unreadable { column: "detail", text: error.to_string() })?;
    let link = Link {
        seq,
        id,
        at: at.as_millisecond(),
        actor: &row.by.name,
        credential: &credential,
        action: row.action,
        subject: &row.subject,
        reason: &row.reason,
        detail: &detail,
    };
    let sha256 = digest(previous, &link)?;
    sqlx::query(
        "INSERT INTO audit (id, at, actor, credential, action, subject, reason, detail, seq, sha256)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(id.to_owned())
    .bind(link.at)
    .bind(row.by.name.clone())
    .bind(credential)
    .bind(row.action)
    .bind(row.subject.clone())
    .bind(row.reason.clone())
    .bind(detail.get().to_owned())
    .bind(to_int(seq))
    .bind(sha256.clone())
    .execute(conn)
    .await?;
    Ok(sha256)
}

/// The newest `limit` rows, newest first.
pub async fn newest(conn: &mut Conn, limit: u32) -> Result<Vec<AuditRow>, StoreError> {
    sqlx::query(
        "SELECT at, actor, credential, action, subject, reason, detail FROM audit
         ORDER BY at DESC, seq DESC, id DESC LIMIT $1",
    )
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| {
        Ok(AuditRow {
            at: row.time("at")?,
            actor: row.text("actor")?,
            credential: row.text("credential")?,
            action: row.text("action")?,
            subject: row.text("subject")?,
            reason: row.text("reason")?,
            detail: row.json("detail")?,
        })
    })
    .collect()
}
