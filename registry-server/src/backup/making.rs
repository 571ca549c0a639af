//! A folder that is whole or is not there: it is made beside its place, and put there in one step.

use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::format::MANIFEST;
use super::part;

/// Says that a folder is one in the making, and keeps another one from being made there.
const MARK: &str = ".in-the-making";

/// A folder in the making. Dropped, it is gone; what a run that was killed left there is taken away by the next one.
#[derive(Debug)]
pub(super) struct Making {
    to: PathBuf,
    folder: PathBuf,
    _mark: fs_err::File,
}

impl Drop for Making {
    fn drop(&mut self) {
        // It may be in its place already.
        let _ = fs_err::remove_dir_all(&self.folder);
    }
}

/// Why a folder cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum MakingError {
    /// Another one is on its way to the same place.
    #[error("another one is being made in {folder}")]
    InUse {
        /// Where it is made.
        folder: PathBuf,
    },
    /// Something else lies where it would be made.
    #[error("{folder} is in the way")]
    InTheWay {
        /// What is there.
        folder: PathBuf,
    },
    /// A file.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Making {
    /// Begins a folder beside `to`, and takes away what a run that was cut off left there.
    pub(super) fn begin(to: &Path) -> Result<Self, MakingError> {
        let mut name = to.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let folder = to.with_file_name(name);
        if folder.exists() {
            let is_ours = folder.join(MARK).exists() || folder.join(MANIFEST).exists();
            if !is_ours {
                return Err(MakingError::InTheWay { folder });
            }
            drop(mark(&folder)?);
            fs_err::remove_dir_all(&folder)?;
        }
        part::make_folder(&folder)?;
        let mark = mark(&folder)?;
        Ok(Self { to: to.to_owned(), folder, _mark: mark })
    }

    /// Where it is made.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where it will be.
    pub(super) fn to(&self) -> &Path {
        &self.to
    }

    /// Makes it last, and puts it in its place; what is there goes.
    pub(super) fn end(self) -> Result<(), MakingError> {
        fs_err::remove_file(self.folder.join(MARK))?;
        part::sync_folders(&self.folder)?;
        if self.to.exists() {
            let exchanged = renameat_with(CWD, &self.folder, CWD, &self.to, RenameFlags::EXCHANGE);
            exchanged.map_err(io::Error::from)?;
        } else {
            fs_err::rename(&self.folder, &self.to)?;
        }
        let parent = self.to.parent().filter(|parent| !parent.as_os_str().is_empty());
        Ok(part::sync_folder(parent.unwrap_or(Path::new(".")))?)
    }
}

/// Takes the mark of a folder in the making.
fn mark(folder: &Path) -> Result<fs_err::File, MakingError> {
    let file = fs_err::OpenOptions::new().write(true).create(true).truncate(false).open(folder.join(MARK))?;
    match file.file().try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(MakingError::InUse { folder: folder.to_owned() }),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}
