//! What `backup.json` says.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::digest::{RegistryId, Sha256};

use crate::store::tables::{Kept, TABLES, Table};

/// The version of the format that this program writes and reads.
pub(super) const FORMAT: u32 = 1;
/// The file that makes a folder a backup; written last.
pub(super) const MANIFEST: &str = "backup.json";

/// What a backup is, and what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// 1; another one is refused.
    pub format: u32,
    /// Of which registry it is.
    pub registry_id: RegistryId,
    /// The schema that its rows are of.
    pub schema: i64,
    /// The last event in it.
    pub event: u64,
    /// How many leaves of the log are in it.
    pub leaves: u64,
    /// When its rows were read.
    pub made_at: Timestamp,
    /// Every other file, by its path with `/`.
    pub parts: BTreeMap<String, Part>,
}

/// One file of a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Digest of its bytes.
    pub sha256: Sha256,
    /// Its bytes.
    pub size: u64,
}

/// The tables that a backup holds, each with the path of its rows.
pub(super) fn kept() -> impl Iterator<Item = (&'static Table, String)> {
    let kept = TABLES.iter().filter(|table| table.kept == Kept::Yes);
    kept.enumerate().map(|(at, table)| (table, format!("rows/{:02}-{}.jsonl", at + 1, table.name)))
}

/// The path of an archive.
pub(super) fn blob_path(digest: &Sha256) -> String {
    let hex = digest.to_hex();
    format!("blobs/{}/{}", &hex[..2], &hex[2..])
}
