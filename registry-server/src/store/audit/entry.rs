use jiff::Timestamp;
use serde_json::value::RawValue;
use skill_core::digest::Sha256;
use sqlx::any::AnyRow;

use super::chain::Link;
use crate::store::row::{Columns as _, to_int, to_json};
use crate::store::{Conn, StoreError};

/// A row of the chain, as it is handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number.
    pub seq: u64,
    /// The JSON that its digest is over.
    json: String,
    /// Its digest as it is stored; nothing where somebody took it out.
    pub(super) sha256: Option<String>,
}

/// Which rows are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this user, or `operator`.
    pub actor: Option<String>,
    /// About this; a skill stands for its releases too.
    pub subject: Option<String>,
    /// Of this kind: `publish`, `yank`, `token.create` …
    pub action: Option<String>,
    /// Not before.
    pub since: Option<Timestamp>,
    /// Before.
    pub until: Option<Timestamp>,
}

impl Entry {
    pub(super) fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let columns = ["id", "actor", "credential", "action", "subject", "reason"];
        let [id, actor, credential, action, subject, reason] = columns.map(|column| row.text(column));
        let detail: Box<RawValue> = row.json("detail")?;
        let seq = row.count("seq")?;
        let link = Link {
            seq,
            id: &id?,
            at: row.int("at")?,
            actor: &actor?,
            credential: &credential?,
            action: &action?,
            subject: &subject?,
            reason: &reason?,
            detail: &detail,
        };
        Ok(Self { seq, json: to_json("audit", &link)?, sha256: row.maybe_text("sha256")? })
    }

    /// What its digest has to be after this one.
    pub(super) fn expected(&self, previous: &str) -> String {
        Sha256::of(previous.to_owned() + &self.json).to_hex()
    }

    /// Its line in an export: the JSON that the digest is over, with the digest as a last key.
    pub fn line(&self) -> String {
        let open = self.json.strip_suffix('}').unwrap_or(&self.json);
        match &self.sha256 {
            Some(sha256) => format!("{open},\"sha256\":\"{sha256}\"}}\n"),
            None => format!("{open},\"sha256\":null}}\n"),
        }
    }
}

/// The first `limit` rows after number `after`, by number.
pub async fn page(
    conn: &mut Conn,
    filter: &Filter,
    after: u64,
    limit: u32,
) -> Result<Vec<Entry>, StoreError> {
    rows(conn, filter, after, limit).await?.iter().map(Entry::from_row).collect()
}

pub(super) async fn rows(
    conn: &mut Conn,
    filter: &Filter,
    after: u64,
    limit: u32,
) -> Result<Vec<AnyRow>, StoreError> {
    let text = |wanted: &Option<String>| wanted.clone().unwrap_or_default();
    let rows = sqlx::query(
        "SELECT seq, id, at, actor, credential, action, subject, reason, detail, sha256 FROM audit
         WHERE seq > $1 AND ($2 = '' OR actor = $2) AND ($3 = '' OR action = $3)
           AND ($4 = '' OR subject = $4 OR SUBSTR(subject, 1, LENGTH($4) + 1) IN ($4 || '@', $4 || ':'))
           AND at >= $5 AND at < $6
         ORDER BY seq LIMIT $7",
    )
    .bind(to_int(after))
    .bind(text(&filter.actor))
    .bind(text(&filter.action))
    .bind(text(&filter.subject))
    .bind(filter.since.map_or(i64::MIN, Timestamp::as_millisecond))
    .bind(filter.until.map_or(i64::MAX, Timestamp::as_millisecond))
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?;
    Ok(rows)
}
