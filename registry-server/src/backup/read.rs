//! Making a registry of a backup.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Component, Path, PathBuf};

use super::format::{FORMAT, MANIFEST, Manifest, kept};
use super::making::{Making, MakingError};
use super::part;
use crate::clock::Clock;
use crate::config::Config;
use crate::entropy::Entropy;
use crate::store::tables::{self, Row, Table};
use crate::store::{Conn, Db, OpenError, StoreError};

/// Where the parts of a backup lie.
const PLACES: [&str; 6] = ["rows", "blobs", "keys", "trust", "tiles", "checkpoint"];
/// Tables in which an empty database has rows already.
const FILLED: [&str; 2] = ["DELETE FROM head", "DELETE FROM counters"];

/// A registry that was restored.
#[derive(Debug)]
pub struct Restored {
    /// What the backup says of itself.
    pub manifest: Manifest,
    /// How many rows were put in.
    pub rows: u64,
    /// Files in the backup's folder that do not belong to it, and were left where they are.
    pub ignored: Vec<String>,
}

/// Why there is no restored registry. Nothing was put in the data folder.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The folder has no `backup.json`.
    #[error("{folder} is no backup")]
    NoBackup {
        /// The folder.
        folder: PathBuf,
    },
    /// `backup.json` does not read.
    #[error("{path} does not read: {error}")]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// Another format.
    #[error("the backup has format {found}, this program reads {FORMAT}")]
    Format {
        /// Its format.
        found: u32,
    },
    /// A path that no part of a backup has.
    #[error("{path} is no part of a backup")]
    Path {
        /// As it is written.
        path: String,
    },
    /// A part that is not there.
    #[error("the backup lacks {path}")]
    Missing {
        /// Its path.
        path: String,
    },
    /// A part that is not what it was.
    #[error("{path} is not what was backed up")]
    Differs {
        /// Its path.
        path: String,
        /// Bytes that are there.
        found: u64,
        /// Bytes that were backed up.
        expected: u64,
    },
    /// A table without its rows.
    #[error("the backup lacks the rows of {table}")]
    Table {
        /// The table.
        table: &'static str,
    },
    /// A line that is no row.
    #[error("line {line} of {path} is no row of {table}")]
    Line {
        /// The file.
        path: String,
        /// Its line, from 1.
        line: u64,
        /// The table.
        table: &'static str,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The data folder holds something.
    #[error("the data folder {folder} is not empty")]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// The place where it is made.
    #[error(transparent)]
    Making(#[from] MakingError),
    /// The database cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Makes the registry of a backup in the data folder and database that `config` names, both of which must be empty. Every
/// part is checked before anything is made.
pub async fn restore(
    from: &Path,
    config: &Config,
    clock: &Clock,
    entropy: &Entropy,
) -> Result<Restored, RestoreError> {
    if !is_free(&config.data)? {
        return Err(RestoreError::NotEmpty { folder: config.data.clone() });
    }
    let manifest = manifest(from)?;
    let ignored = checked(from, &manifest)?;
    let making = Making::begin(&config.data)?;
    for path in manifest.parts.keys().filter(|path| !path.starts_with("rows/")) {
        let mode = if path.starts_with("keys/") { 0o600 } else { 0o644 };
        part::copy(&from.join(path), &making.folder().join(path), mode)?;
    }
    let location = config.database.location(making.folder());
    let db = Db::open_empty(&location, manifest.schema, clock.clone(), entropy.clone()).await?;
    let put_in = put_in(&db, from, &manifest).await;
    db.close().await;
    let rows = put_in?;
    // The rest of the schema, if the backup is older than this program.
    Db::open(&location, clock.clone(), entropy.clone()).await?.close().await;
    making.end()?;
    Ok(Restored { manifest, rows, ignored })
}

/// What the backup says of itself.
fn manifest(from: &Path) -> Result<Manifest, RestoreError> {
    let path = from.join(MANIFEST);
    let text = fs_err::read(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            RestoreError::NoBackup { folder: from.to_owned() }
        }
        _ => error.into(),
    })?;
    let manifest: Manifest =
        serde_json::from_slice(&text).map_err(|error| RestoreError::Manifest { path, error })?;
    if manifest.format != FORMAT {
        return Err(RestoreError::Format { found: manifest.format });
    }
    Ok(manifest)
}

/// Checks that every part is there as it was, and names the files that are no parts.
fn checked(from: &Path, manifest: &Manifest) -> Result<Vec<String>, RestoreError> {
    for (path, expected) in &manifest.parts {
        if !is_part(path) {
            return Err(RestoreError::Path { path: path.clone() });
        }
        let file = from.join(path);
        if !file.symlink_metadata().is_ok_and(|found| found.is_file()) {
            return Err(RestoreError::Missing { path: path.clone() });
        }
        let found = part::measure(&file)?;
        if found != *expected {
            let (found, expected) = (found.size, expected.size);
            return Err(RestoreError::Differs { path: path.clone(), found, expected });
        }
    }
    let known: BTreeSet<&str> = manifest.parts.keys().map(String::as_str).chain([MANIFEST]).collect();
    let there = part::files_below(from)?.into_iter().map(|path| path.to_string_lossy().into_owned());
    Ok(there.filter(|path| !known.contains(path.as_str())).collect())
}

/// Whether a path is relative, plain, and in one of the places of a backup.
fn is_part(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    let first =
        matches!(parts.next(), Some(Component::Normal(first)) if PLACES.iter().any(|place| first == *place));
    first
        && parts.all(|part| matches!(part, Component::Normal(_)))
        && !path.ends_with('/')
        && !path.contains("//")
}

fn is_free(data: &Path) -> io::Result<bool> {
    Ok(!data.exists() || (data.is_dir() && fs_err::read_dir(data)?.next().is_none()))
}

/// Puts every row in, or none.
async fn put_in(db: &Db, from: &Path, manifest: &Manifest) -> Result<u64, RestoreError> {
    let mut filled = Vec::new();
    for (table, _) in kept() {
        let ending = format!("-{}.jsonl", table.name);
        match manifest.parts.keys().find(|path| path.starts_with("rows/") && path.ends_with(&ending)) {
            Some(path) => filled.push((table, path)),
            // A table that came with a later schema.
            None if tables::is_absent(&mut *db.read().await?, table).await => {}
            None => return Err(RestoreError::Table { table: table.name }),
        }
    }
    let mut tx = db.quiet().await?;
    for delete in FILLED {
        sqlx::query(delete).execute(tx.conn()).await.map_err(StoreError::from)?;
    }
    let mut rows = 0;
    for (table, path) in filled {
        rows += of_table(tx.conn(), from, table, path).await?;
    }
    tx.commit().await?;
    Ok(rows)
}

async fn of_table(
    conn: &mut Conn,
    from: &Path,
    table: &'static Table,
    path: &str,
) -> Result<u64, RestoreError> {
    let mut count = 0;
    for line in BufReader::new(fs_err::File::open(from.join(path))?).lines() {
        count += 1;
        let wrong =
            |source| RestoreError::Line { path: path.to_owned(), line: count, table: table.name, source };
        let row: Row = serde_json::from_str(&line?).map_err(|error| wrong(error.into()))?;
        match tables::insert(conn, table, &row).await {
            Ok(()) => {}
            Err(error @ (StoreError::Full | StoreError::Busy(_))) => return Err(error.into()),
            Err(error) => return Err(wrong(error.into())),
        }
    }
    Ok(count)
}
