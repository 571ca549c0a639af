//! Room to write: a full disk makes the registry read-only, and reading goes on.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};

use crate::app::App;
use crate::blob::BlobError;
use crate::problem::ApiError;
use crate::store::{StoreError, meta};

/// The registry stops writing while less than this is free, so that a database can still be tidied.
const FLOOR: u64 = 16 << 20;
/// After a write that met the end, whether there is room again is tried this often at most.
const TRY_EVERY: SignedDuration = SignedDuration::from_secs(5);
/// How much is written to try it: more than is left over where a file or database just ends.
const TRIED_BYTES: usize = 64 * 1024;

/// Watches the disk under the data folder.
#[derive(Debug, Clone)]
pub struct Disk {
    data: PathBuf,
    end: Arc<Mutex<End>>,
}

/// Whether the last write that ended met the end of the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    NotMet,
    Met,
    /// And when it was looked at last.
    MetAndSeen(Timestamp),
}

impl Disk {
    /// Watches the disk under `data`.
    pub fn under(data: &Path) -> Self {
        Self { data: data.to_owned(), end: Arc::new(Mutex::new(End::NotMet)) }
    }

    /// Refuses to begin a write that would end on a full disk. Costs one system call.
    pub fn room(&self) -> Result<(), ApiError> {
        if self.is_low() { Err(ApiError::ReadOnly) } else { Ok(()) }
    }

    /// Notes how a write ended, for [`Disk::is_writable`].
    pub fn noted<T>(&self, outcome: Result<T, ApiError>) -> Result<T, ApiError> {
        match &outcome {
            Ok(_) => self.set(End::NotMet),
            Err(ApiError::ReadOnly) => self.set(End::Met),
            Err(_) => {}
        }
        outcome
    }

    /// Whether writes are taken, as far as is known.
    pub fn is_writable(&self) -> bool {
        !self.is_low() && self.get() == End::NotMet
    }

    /// Bytes that may still be written, if the disk can be asked.
    pub(crate) fn free(&self) -> Option<u64> {
        self.size().map(|(free, _)| free)
    }

    /// A disk that cannot be asked counts as one with room: the write itself will tell.
    fn is_low(&self) -> bool {
        self.size().is_some_and(|(free, all)| free < FLOOR.min(all / 20))
    }

    /// What is free of it, and all of it, in bytes.
    fn size(&self) -> Option<(u64, u64)> {
        let disk = rustix::fs::statvfs(&self.data).ok()?;
        let bytes = |blocks: u64| blocks.saturating_mul(disk.f_frsize);
        Some((bytes(disk.f_bavail), bytes(disk.f_blocks)))
    }

    /// Whether it is time to try if there is room again.
    fn is_to_be_tried(&self, now: Timestamp) -> bool {
        let seen = match self.get() {
            End::NotMet => return false,
            End::Met => None,
            End::MetAndSeen(seen) => Some(seen),
        };
        let due = seen.is_some_and(|seen| now.duration_since(seen) >= TRY_EVERY);
        if seen.is_none() || due {
            self.set(End::MetAndSeen(now));
        }
        due && !self.is_low()
    }

    fn get(&self) -> End {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, end: End) {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner) = end;
    }
}

/// Finds out whether there is room again after a write met the end of the disk, by writing to the data folder and
/// to the database: whoever waits for the registry to be ready sends no writes that would tell. Whether there is
/// stands in [`Disk::is_writable`].
pub(crate) async fn look_again(app: &App) {
    if !app.disk().is_to_be_tried(app.clock().now()) {
        return;
    }
    match app.disk().noted(try_to_write(app).await) {
        Ok(()) => tracing::info!("there is room to write again"),
        Err(error) => tracing::debug!(%error, "there is no room to write"),
    }
}

async fn try_to_write(app: &App) -> Result<(), ApiError> {
    let folder = app.folder().incoming();
    let written = tokio::task::spawn_blocking(move || {
        let mut file = tempfile::tempfile_in(folder)?;
        file.write_all(&vec![b'0'; TRIED_BYTES])?;
        file.sync_all()
    });
    written.await.map_err(ApiError::internal)?.map_err(BlobError::Io)?;
    let in_database: Result<(), StoreError> = async {
        let mut tx = app.db().quiet().await?;
        meta::set(tx.conn(), meta::ROOM, &"0".repeat(TRIED_BYTES)).await?;
        meta::remove(tx.conn(), meta::ROOM).await?;
        tx.commit().await
    }
    .await;
    Ok(in_database?)
}
