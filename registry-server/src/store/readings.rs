//! What the files of a release say when they are read, as pages show it.

use serde::{Deserialize, Serialize};
use skill_core::diagnostic::Level;
use skill_core::digest::Sha256;
use skill_core::name::Slug;
use skill_scan::capabilities::Capabilities;

use super::requirements::{self, Requirement};
use super::row::{Columns as _, to_int, to_json};
use super::{Conn, StoreError};

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// What the release reaches for, beside what it declares.
    pub capabilities: Capabilities,
    /// What lint says of it.
    pub lint: Lint,
    /// The skills that it requires.
    pub requirements: Vec<Requirement>,
}

/// What lint says of a release: how much of each weight, and the gravest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lint {
    /// Findings that keep an agent from using it.
    pub errors: u64,
    /// Findings worth knowing.
    pub warnings: u64,
    /// Findings that may be meant so.
    pub notes: u64,
    /// The gravest first, then by place.
    pub advice: Vec<Advice>,
}

/// One finding of lint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advice {
    /// How much it weighs.
    pub level: Level,
    /// The rule, as docs/LINT.md lists it.
    pub code: String,
    /// Path inside the bundle.
    pub file: String,
    /// Line from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

/// A release that waits to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Id of the release.
    pub release_id: String,
    /// What its skill is called.
    pub slug: Slug,
    /// Digest of the archive.
    pub archive_sha256: Sha256,
    /// Bytes of the archive.
    pub archive_size: u64,
}

/// Keeps what was read of a release, in place of an earlier reading.
pub async fn keep(
    conn: &mut Conn,
    release_id: &str,
    reader: u64,
    reading: &Reading,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO readings (release_id, reader, capabilities, lint) VALUES ($1, $2, $3, $4)
         ON CONFLICT (release_id) DO UPDATE
         SET reader = excluded.reader, capabilities = excluded.capabilities, lint = excluded.lint",
    )
    .bind(release_id)
    .bind(to_int(reader))
    .bind(to_json("capabilities", &reading.capabilities)?)
    .bind(to_json("lint", &reading.lint)?)
    .execute(&mut *conn)
    .await?;
    requirements::set(conn, release_id, &reading.requirements).await
}

/// What a release reaches for; `None`: it was not read yet.
pub async fn capabilities(conn: &mut Conn, release_id: &str) -> Result<Option<Capabilities>, StoreError> {
    sqlx::query("SELECT capabilities FROM readings WHERE release_id = $1")
        .bind(release_id)
        .fetch_optional(conn)
        .await?
        .map(|row| row.json("capabilities"))
        .transpose()
}

/// What lint says of a release; `None`: it was not read yet.
pub async fn lint(conn: &mut Conn, release_id: &str) -> Result<Option<Lint>, StoreError> {
    sqlx::query("SELECT lint FROM readings WHERE release_id = $1")
        .bind(release_id)
        .fetch_optional(conn)
        .await?
        .map(|row| row.json("lint"))
        .transpose()
}

/// The next `limit` releases behind the id `after` that were not read by `reader` or a later one.
pub async fn unread(
    conn: &mut Conn,
    reader: u64,
    after: &str,
    limit: u32,
) -> Result<Vec<Unread>, StoreError> {
    sqlx::query(
        "SELECT r.id, r.archive_sha256, r.archive_size, s.slug FROM releases r
         JOIN skills s ON s.id = r.skill_id LEFT JOIN readings d ON d.release_id = r.id
         WHERE r.id > $1 AND (d.reader IS NULL OR d.reader < $2) ORDER BY r.id LIMIT $3",
    )
    .bind(after)
    .bind(to_int(reader))
    .bind(i64::from(limit))
    .fetch_all(conn)
    .await?
    .iter()
    .map(|row| {
        Ok(Unread {
            release_id: row.text("id")?,
            slug: row.parsed("slug")?,
            archive_sha256: row.parsed("archive_sha256")?,
            archive_size: row.count("archive_size")?,
        })
    })
    .collect()
}
