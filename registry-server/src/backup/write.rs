//! Making a backup.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use futures_util::StreamExt as _;
use jiff::Timestamp;
use serde_json::Value;
use skill_core::digest::{RegistryId, Sha256};

use super::format::{FORMAT, MANIFEST, Manifest, Part, blob_path, kept};
use super::making::{Making, MakingError};
use super::part::{self, Writer};
use crate::blob::{BlobError, BlobStore};
use crate::data::Folder;
use crate::store::tables::{self, Row};
use crate::store::{Conn, Db, StoreError, head, meta};

/// A backup that was made.
#[derive(Debug)]
pub struct Made {
    /// What it says of itself.
    pub manifest: Manifest,
    /// How many rows it holds.
    pub rows: u64,
    /// How many archives it holds.
    pub archives: u64,
    /// How many of them had to be copied; the others were there from the backup before.
    pub copied: u64,
}

/// Why there is no backup. Whatever was there before still is.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The folder holds something else.
    #[error("{folder} is not empty and no backup")]
    NoBackup {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder holds the backup of somebody else.
    #[error("{folder} holds a backup of the registry {found}, this is {registry}")]
    OtherRegistry {
        /// The folder.
        folder: PathBuf,
        /// Whose backup it is.
        found: RegistryId,
        /// This one.
        registry: RegistryId,
    },
    /// The place where it is made.
    #[error(transparent)]
    Making(#[from] MakingError),
    /// An archive that a release needs.
    #[error("{name}: {source}")]
    Archive {
        /// The archive.
        name: Sha256,
        /// What is wrong with it.
        source: BlobError,
    },
    /// An archive that is not what its name says.
    #[error("archive {name} has the digest {found}")]
    ArchiveDiffers {
        /// Its name.
        name: Sha256,
        /// What it holds.
        found: Sha256,
    },
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Backs up a registry, which may be served meanwhile, into `to`: a folder that is not there, is empty, or holds an
/// earlier backup of this registry, which it then replaces in one step.
pub async fn back_up(
    db: &Db,
    folder: &Folder,
    blobs: &BlobStore,
    to: &Path,
    now: Timestamp,
) -> Result<Made, BackupError> {
    let registry = registry_id(&mut *db.read().await?).await?;
    let new = New::begin(to, registry)?;
    let mut tx = db.snapshot().await?;
    let head = head::get(&mut tx).await?;
    let schema = crate::store::schema(&mut tx).await?;
    let mut rows = Rows::default();
    for (table, path) in kept() {
        rows.write(&mut tx, table, &new.path(&path), path).await?;
    }
    // What was read stays: no archive goes that a release needs.
    drop(tx);
    let Rows { mut parts, count, archives } = rows;
    let mut copied = 0;
    for (digest, size) in &archives {
        let path = blob_path(digest);
        let (part, is_new) = new.archive(blobs, &path, digest, *size).await?;
        copied += u64::from(is_new);
        parts.insert(path, part);
    }
    parts.extend(new.files(folder)?);
    let made_at = now;
    let manifest = Manifest {
        format: FORMAT,
        registry_id: registry,
        schema,
        event: head.event,
        leaves: head.leaf,
        made_at,
        parts,
    };
    new.end(&manifest)?;
    Ok(Made { manifest, rows: count, archives: archives.len() as u64, copied })
}

async fn registry_id(conn: &mut Conn) -> Result<RegistryId, StoreError> {
    let text = meta::get(conn, meta::REGISTRY_ID).await?.unwrap_or_default();
    text.parse().map_err(|_| StoreError::Unreadable { column: "value", text })
}

/// The rows that were written, and the archives that they name.
#[derive(Default)]
struct Rows {
    parts: BTreeMap<String, Part>,
    count: u64,
    archives: BTreeMap<Sha256, u64>,
}

impl Rows {
    async fn write(
        &mut self,
        conn: &mut Conn,
        table: &'static tables::Table,
        to: &Path,
        path: String,
    ) -> Result<(), BackupError> {
        let mut writer = Writer::begin(to, 0o600)?;
        let archives = &mut self.archives;
        self.count += tables::each(conn, table, |mut row| {
            for column in table.at_work {
                row.insert((*column).to_owned(), Value::Null);
            }
            if table.name == "releases" {
                archives.extend(archive_of(&row));
            }
            let mut line = serde_json::to_vec(&row).map_err(io::Error::other)?;
            line.push(b'\n');
            writer.add(&line).map_err(BackupError::from)
        })
        .await?;
        self.parts.insert(path, writer.end()?);
        Ok(())
    }
}

/// The archive that a release names.
fn archive_of(row: &Row) -> Option<(Sha256, u64)> {
    Some((row.get("archive_sha256")?.as_str()?.parse().ok()?, row.get("archive_size")?.as_u64()?))
}

/// A backup in the making.
struct New {
    making: Making,
    /// Whether an earlier one is there.
    again: bool,
}

impl New {
    fn begin(to: &Path, registry: RegistryId) -> Result<Self, BackupError> {
        let again = earlier(to, registry)?;
        Ok(Self { making: Making::begin(to)?, again })
    }

    fn path(&self, part: &str) -> PathBuf {
        self.making.folder().join(part)
    }

    /// Puts an archive in: the one of the backup before if it is still what it was, else a copy.
    async fn archive(
        &self,
        blobs: &BlobStore,
        path: &str,
        digest: &Sha256,
        size: u64,
    ) -> Result<(Part, bool), BackupError> {
        let (before, now) = (self.making.to().join(path), self.path(path));
        let expected = Part { sha256: *digest, size };
        if self.again && part::measure(&before).is_ok_and(|found| found == expected) {
            part::make_folder(now.parent().unwrap_or(&now))?;
            fs_err::hard_link(before, now)?;
            return Ok((expected, false));
        }
        let missing = |source| BackupError::Archive { name: *digest, source };
        let mut stream = blobs.open(digest, size).await.map_err(missing)?.into_stream();
        let mut writer = Writer::begin(&now, 0o600)?;
        while let Some(piece) = stream.next().await {
            writer.add(&piece?)?;
        }
        let part = writer.end()?;
        if part != expected {
            return Err(BackupError::ArchiveDiffers { name: *digest, found: part.sha256 });
        }
        Ok((part, true))
    }

    /// Puts in what lies in files: keys and root metadata, and the tree of the log where there is one.
    fn files(&self, folder: &Folder) -> Result<BTreeMap<String, Part>, BackupError> {
        let mut parts = BTreeMap::new();
        for (name, mode) in [("keys", 0o600), ("trust", 0o644), ("tiles", 0o644), ("checkpoint", 0o644)] {
            let from = folder.path().join(name);
            for path in part::files_below(&from)? {
                let path = if path.as_os_str().is_empty() {
                    PathBuf::from(name)
                } else {
                    Path::new(name).join(path)
                };
                let part = part::copy(&folder.path().join(&path), &self.making.folder().join(&path), mode)?;
                parts.insert(path.to_string_lossy().into_owned(), part);
            }
        }
        Ok(parts)
    }

    /// Makes it last, and puts it in its place.
    fn end(self, manifest: &Manifest) -> Result<(), BackupError> {
        let mut text = serde_json::to_vec_pretty(manifest).map_err(io::Error::other)?;
        text.push(b'\n');
        part::write(&self.path(MANIFEST), &text, 0o600)?;
        Ok(self.making.end()?)
    }
}

/// Whether a folder holds a backup of this registry; one that holds something else is an error.
fn earlier(to: &Path, registry: RegistryId) -> Result<bool, BackupError> {
    let text = match fs_err::read(to.join(MANIFEST)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let is_free = !to.exists() || fs_err::read_dir(to)?.next().is_none();
            return if is_free { Ok(false) } else { Err(BackupError::NoBackup { folder: to.to_owned() }) };
        }
        Err(error) => return Err(error.into()),
    };
    match serde_json::from_slice::<Manifest>(&text) {
        Ok(manifest) if manifest.registry_id == registry => Ok(true),
        Ok(other) => {
            Err(BackupError::OtherRegistry { folder: to.to_owned(), found: other.registry_id, registry })
        }
        Err(_) => Err(BackupError::NoBackup { folder: to.to_owned() }),
    }
}
