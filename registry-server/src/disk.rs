//! Room to write: a full disk makes the registry read-only, and reading goes on.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::problem::ApiError;

/// The registry stops writing while less than this is free, so that a database can still be tidied.
const FLOOR: u64 = 16 << 20;

/// Watches the disk under the data folder.
#[derive(Debug, Clone)]
pub struct Disk {
    data: PathBuf,
    met_the_end: Arc<AtomicBool>,
}

impl Disk {
    /// Watches the disk under `data`.
    pub fn under(data: &Path) -> Self {
        Self { data: data.to_owned(), met_the_end: Arc::new(AtomicBool::new(false)) }
    }

    /// Refuses to begin a write that would end on a full disk. Costs one system call.
    pub fn room(&self) -> Result<(), ApiError> {
        if self.is_low() { Err(ApiError::ReadOnly) } else { Ok(()) }
    }

    /// Notes how a write ended, for [`Disk::is_writable`].
    pub fn noted<T>(&self, outcome: Result<T, ApiError>) -> Result<T, ApiError> {
        match &outcome {
            Ok(_) => self.met_the_end.store(false, Ordering::Relaxed),
            Err(ApiError::ReadOnly) => self.met_the_end.store(true, Ordering::Relaxed),
            Err(_) => {}
        }
        outcome
    }

    /// Whether writes are taken, as far as is known.
    pub fn is_writable(&self) -> bool {
        !self.is_low() && !self.met_the_end.load(Ordering::Relaxed)
    }

    /// A disk that cannot be asked counts as one with room: the write itself will tell.
    fn is_low(&self) -> bool {
        rustix::fs::statvfs(&self.data).is_ok_and(|disk| {
            let all = disk.f_blocks.saturating_mul(disk.f_frsize);
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            free < FLOOR.min(all / 20)
        })
    }
}
