//! Every table of the schema, and whether a backup holds it.

use futures_util::TryStreamExt as _;
use serde_json::{Map, Value};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Column as _, Row as _};

use super::{Conn, StoreError};

/// A table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// The columns of its primary key, separated by commas: the order of its rows.
    pub key: &'static str,
    /// What becomes of it in a backup.
    pub kept: Kept,
    /// Columns that belong to processes that run: null in a backup.
    pub at_work: &'static [&'static str],
}

/// What becomes of a table in a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Every row.
    Yes,
    /// No row, for the reason given.
    No(&'static str),
}

const fn kept(name: &'static str, key: &'static str) -> Table {
    Table { name, key, kept: Kept::Yes, at_work: &[] }
}

const fn left(name: &'static str, key: &'static str, why: &'static str) -> Table {
    Table { name, key, kept: Kept::No(why), at_work: &[] }
}

const SHORT_LIVED: &str = "it opens the registry to whoever holds it, and is made anew in a moment";
const AT_WORK: &str = "it belongs to processes that run";
const WHO: &str = "it says who downloaded, for two days";

/// The tables, in an order in which their rows can be put in: what is referred to comes first.
pub const TABLES: &[Table] = &[
    kept("meta", "key"),
    kept("head", "one"),
    kept("counters", "name"),
    kept("roots", "version"),
    kept("events", "event"),
    kept("statements", "sha256"),
    kept("leaves", "idx"),
    left("leases", "name", AT_WORK),
    kept("users", "id"),
    kept("publishers", "handle"),
    kept("members", "publisher, user_id"),
    kept("departures", "publisher, user_id"),
    kept("invitations", "id"),
    kept("tokens", "id"),
    kept("recovery_codes", "user_id, sha256"),
    kept("oidc_identities", "issuer, subject"),
    kept("reserved_grants", "kind, name, publisher"),
    kept("publisher_keys", "publisher, key_id"),
    kept("audit", "id"),
    kept("skills", "id"),
    kept("slug_bindings", "slug"),
    kept("bare_aliases", "slug"),
    kept("slug_holds", "slug"),
    kept("aliases", "owner, slug"),
    kept("releases", "id"),
    kept("release_files", "release_id, path"),
    kept("fingerprints", "release_id, kind"),
    kept("readings", "release_id"),
    kept("requirements", "release_id, owner, slug"),
    kept("tags", "skill_id, tag"),
    // One names a later one that lifts it.
    kept("restrictions", "sequence DESC"),
    kept("transfers", "id"),
    kept("holds", "id"),
    kept("reports", "id"),
    kept("appeals", "id"),
    kept("proposals", "id"),
    kept("stars", "skill_id, user_id"),
    kept("downloads", "release_id, day"),
    left("download_clients", "release_id, day, client", WHO),
    left("download_keys", "day", WHO),
    kept("webhooks", "id"),
    kept("deliveries", "id"),
    Table { at_work: &["claimed_by", "lease_until"], ..kept("jobs", "id") },
    left("contents", "digest", AT_WORK),
    left("upload_tickets", "id", SHORT_LIVED),
    left("drafts", "id", SHORT_LIVED),
    left("sessions", "sha256", SHORT_LIVED),
    left("sign_in_links", "sha256", SHORT_LIVED),
    left("device_codes", "sha256", SHORT_LIVED),
    left("oidc_flows", "sha256", SHORT_LIVED),
    left("guesses", "key", SHORT_LIVED),
];

/// A row: its columns by name, each a text, a whole number or null. Both engines give the same.
pub type Row = Map<String, Value>;

/// Hands every row of a table to `take`, in the order of its key, and says how many there were.
pub async fn each<E: From<StoreError>>(
    conn: &mut Conn,
    table: &Table,
    mut take: impl FnMut(Row) -> Result<(), E>,
) -> Result<u64, E> {
    let sql = format!("SELECT * FROM {} ORDER BY {}", table.name, table.key);
    let mut rows = sqlx::query(AssertSqlSafe(sql)).fetch(conn);
    let mut count = 0;
    while let Some(row) = rows.try_next().await.map_err(|error| E::from(error.into()))? {
        take(read(&row)?)?;
        count += 1;
    }
    Ok(count)
}

fn read(row: &AnyRow) -> Result<Row, StoreError> {
    let mut read = Row::new();
    for (at, column) in row.columns().iter().enumerate() {
        let value = match row.try_get::<Option<String>, _>(at) {
            Ok(text) => text.map(Value::String),
            Err(_) => row.try_get::<Option<i64>, _>(at)?.map(Value::from),
        };
        read.insert(column.name().to_owned(), value.unwrap_or(Value::Null));
    }
    Ok(read)
}

/// Puts one row in. A column whose name this program would not give is [`StoreError::Unreadable`].
pub async fn insert(conn: &mut Conn, table: &Table, row: &Row) -> Result<(), StoreError> {
    if let Some(column) = row.keys().find(|column| !is_name(column)) {
        return Err(StoreError::Unreadable { column: "row", text: column.clone() });
    }
    let mut values = Vec::new();
    // A null says nothing of its type, so that it stands in the statement itself.
    let mut bound = 0;
    for value in row.values() {
        if value.is_null() {
            values.push("NULL".to_owned());
        } else {
            bound += 1;
            values.push(format!("${bound}"));
        }
    }
    let columns: Vec<&str> = row.keys().map(String::as_str).collect();
    let sql = format!("INSERT INTO {} ({}) VALUES ({})", table.name, columns.join(", "), values.join(", "));
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for value in row.values() {
        query = match value {
            Value::Null => query,
            Value::String(text) => query.bind(text.clone()),
            other => match other.as_i64() {
                Some(number) => query.bind(number),
                None => return Err(StoreError::Unreadable { column: "row", text: other.to_string() }),
            },
        };
    }
    query.execute(conn).await?;
    Ok(())
}

/// Whether a text can stand in a statement as the name of a column.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Whether the database does not have a table. Asked outside of a transaction, which an absent one would end.
pub async fn is_absent(conn: &mut Conn, table: &Table) -> bool {
    let sql = format!("SELECT 1 FROM {} WHERE 1 = 0", table.name);
    sqlx::query(AssertSqlSafe(sql)).fetch_optional(conn).await.is_err()
}
