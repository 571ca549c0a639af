//! Whether a registry is whole: every row, statement, digest and archive, held against each other.
//!
//! What no constraint of the database can say is said here once. `skill-registry fsck` asks for all of it, a restored
//! backup is asked before it is called one, and every test of the server asks for [`structure`] at its end.

mod accounts;
mod archives;
mod contents;
mod finding;
mod lifecycle;
mod names;
mod numbers;
mod rows;
mod signed;
mod statements;

use crate::blob::BlobStore;
use crate::data::Folder;
use crate::store::{Conn, Db, StoreError};

pub use finding::{Family, Finding, Report};

/// Checks everything, on the database as it is when this begins; a server may run beside it.
pub async fn check(db: &Db, folder: &Folder, blobs: &BlobStore) -> Result<Report, StoreError> {
    let mut tx = db.snapshot().await?;
    let mut report = Report::default();
    rows::check(&mut tx, &mut report).await?;
    signed::check(&mut tx, folder, &mut report).await?;
    structure_into(&mut tx, blobs, &mut report).await?;
    contents::check(&mut tx, blobs, &mut report).await?;
    Ok(report)
}

/// Checks what rows and archives say of each other, and leaves out who signed the statements and what the archives hold.
pub async fn structure(conn: &mut Conn, blobs: &BlobStore) -> Result<Report, StoreError> {
    let mut report = Report::default();
    structure_into(conn, blobs, &mut report).await?;
    Ok(report)
}

async fn structure_into(conn: &mut Conn, blobs: &BlobStore, report: &mut Report) -> Result<(), StoreError> {
    numbers::check(conn, report).await?;
    statements::check(conn, report).await?;
    accounts::check(conn, report).await?;
    names::check(conn, report).await?;
    lifecycle::check(conn, report).await?;
    archives::check(conn, blobs, report).await
}
