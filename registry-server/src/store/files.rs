//! The files of a release.

use skill_core::digest::Sha256;
use sqlx::any::AnyRow;

use super::row::{Columns as _, to_int};
use super::{Conn, StoreError};

/// A row of `release_files`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// Path inside the bundle.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Digest of the bytes.
    pub sha256: Sha256,
    /// The executable bit.
    pub executable: bool,
    /// Media type that follows from the name, or what the publisher said it is.
    pub content_type: String,
}

impl FileRow {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            path: row.text("path")?,
            size: row.count("size")?,
            sha256: row.parsed("sha256")?,
            executable: row.flag("executable")?,
            content_type: row.text("content_type")?,
        })
    }
}

/// Adds the files of a new release.
pub async fn insert(conn: &mut Conn, release_id: &str, files: &[FileRow]) -> Result<(), StoreError> {
    for file in files {
        sqlx::query(
            "INSERT INTO release_files (release_id, path, size, sha256, executable, content_type)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(release_id)
        .bind(file.path.clone())
        .bind(to_int(file.size))
        .bind(file.sha256.to_hex())
        .bind(i64::from(file.executable))
        .bind(file.content_type.clone())
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}

/// The files of a release in byte order of their paths.
pub async fn of_release(conn: &mut Conn, release_id: &str) -> Result<Vec<FileRow>, StoreError> {
    sqlx::query(
        "SELECT path, size, sha256, executable, content_type FROM release_files WHERE release_id = $1
         ORDER BY path",
    )
    .bind(release_id)
    .fetch_all(conn)
    .await?
    .iter()
    .map(FileRow::from_row)
    .collect()
}
