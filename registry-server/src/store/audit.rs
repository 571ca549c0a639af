//! Every change, by whom. Rows are only ever added.

use jiff::Timestamp;
use serde_json::Value;

use super::row::{Columns as _, to_json};
use super::{Conn, StoreError};
use crate::entropy::Entropy;

/// A change about to be written down.
#[derive(Debug, Clone, PartialEq)]
pub struct NewAudit {
    /// Who: a user's name, or `operator` for the command line.
    pub actor: String,
    /// What was done: `publish`, `yank`, `token.create` …
    pub action: &'static str,
    /// To what.
    pub subject: String,
    /// Whatever else matters; never a secret.
    pub detail: Value,
}

/// A row of `audit`.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditRow {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: String,
    /// What was done.
    pub action: String,
    /// To what.
    pub subject: String,
    /// Whatever else matters.
    pub detail: Value,
}

/// Adds a row, in the transaction that makes the change.
pub async fn insert(
    conn: &mut Conn,
    entropy: &Entropy,
    at: Timestamp,
    row: &NewAudit,
) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO audit (id, at, actor, action, subject, detail) VALUES ($1, $2, $3, $4, $5, $6)")
        .bind(entropy.id()?)
        .bind(at.as_millisecond())
        .bind(row.actor.clone())
        .bind(row.action)
        .bind(row.subject.clone())
        .bind(to_json("detail", &row.detail)?)
        .execute(conn)
        .await?;
    Ok(())
}

/// The newest `limit` rows, newest first.
pub async fn newest(conn: &mut Conn, limit: u32) -> Result<Vec<AuditRow>, StoreError> {
    sqlx::query("SELECT at, actor, action, subject, detail FROM audit ORDER BY at DESC, id DESC LIMIT $1")
        .bind(i64::from(limit))
        .fetch_all(conn)
        .await?
        .iter()
        .map(|row| {
            Ok(AuditRow {
                at: row.time("at")?,
                actor: row.text("actor")?,
                action: row.text("action")?,
                subject: row.text("subject")?,
                detail: row.json("detail")?,
            })
        })
        .collect()
}
