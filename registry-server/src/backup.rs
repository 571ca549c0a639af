//! A registry as a folder of plain files, from either engine into either engine.
//!
//! ```text
//! backup.json            what this is, and the digest of every other file
//! rows/NN-TABLE.jsonl    one row a line: its columns by name, in the order of the table's key
//! blobs/ab/cdef…         the archives, by their SHA-256
//! keys/ROLE.key web.key  what the registry signs and seals with, for its owner's eyes alone
//! trust/root/N.json      the root metadata
//! ```
//!
//! The rows are read in one transaction, then the archives that they name; a server may run all the while. Both are
//! written beside the place where they will be, synced, and put there in one step: a backup is whole or is not there.
//! Sessions, codes, links, guesses and who downloaded are left out ([`crate::store::tables`] says why of each).

mod format;
mod making;
mod part;
mod read;
mod write;

pub use format::{Manifest, Part};
pub use making::MakingError;
pub use read::{RestoreError, Restored, restore};
pub use write::{BackupError, Made, back_up};
