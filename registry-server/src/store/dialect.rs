//! Everything that SQLite and Postgres do not say alike: at most ten statements, all of them here.

use std::path::Path;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::{Conn, StoreError};

/// Which database is behind the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// A file in the data folder.
    Sqlite,
    /// A server.
    Postgres,
}

/// What a URL of a file must not hold as it is.
const URL_PATH: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'?').add(b'#').add(b'"').add(b'<').add(b'>');

/// The URL of a SQLite file. Without `create` a file that is not there is an error.
pub(super) fn sqlite_url(file: &Path, create: bool) -> String {
    let path = file.to_string_lossy();
    let mode = if create { "rwc" } else { "rw" };
    format!("sqlite://{}?mode={mode}", utf8_percent_encode(&path, URL_PATH))
}

impl Engine {
    /// The engine that a database URL names.
    pub fn of_url(url: &str) -> Option<Self> {
        match url.split_once(':')?.0 {
            "sqlite" => Some(Self::Sqlite),
            "postgres" | "postgresql" => Some(Self::Postgres),
            _ => None,
        }
    }

    /// How a transaction that writes begins. On SQLite it takes the write lock at once: a lock taken
    /// later could find its snapshot stale, which no waiting helps.
    pub(super) const fn begin(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => "BEGIN",
        }
    }

    /// How a transaction begins that only reads, and sees the database as it is now until it ends.
    pub(super) const fn snapshot(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN",
            Self::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        }
    }

    /// What every new connection is told first.
    pub(super) const fn on_connect(self) -> &'static [&'static str] {
        match self {
            Self::Sqlite => &[
                "PRAGMA busy_timeout = 10000",
                "PRAGMA journal_mode = WAL",
                "PRAGMA synchronous = FULL",
                "PRAGMA foreign_keys = ON",
            ],
            Self::Postgres => &["SET TIME ZONE 'UTC'"],
        }
    }

    /// How many connections write at a time.
    pub(super) const fn writers(self) -> u32 {
        match self {
            Self::Sqlite => 1,
            Self::Postgres => 4,
        }
    }

    /// The collation in which this database orders text; `None` where it is by bytes. Postgres is asked
    /// for the name and for what it does: with ICU the name says nothing.
    pub(super) async fn foreign_collation(self, conn: &mut Conn) -> Result<Option<String>, StoreError> {
        if self == Self::Sqlite {
            return Ok(None);
        }
        let (name, by_language): (String, i32) = sqlx::query_as(
            "SELECT CAST(datcollate AS TEXT), CASE WHEN 'a' < 'B' THEN 1 ELSE 0 END FROM pg_database
             WHERE datname = current_database()",
        )
        .fetch_one(conn)
        .await?;
        let by_bytes = matches!(name.as_str(), "C" | "POSIX" | "C.UTF-8" | "C.utf8") && by_language == 0;
        Ok((!by_bytes).then(|| if by_language == 1 { format!("{name} (language rules)") } else { name }))
    }
}
