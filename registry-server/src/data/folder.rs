use std::fs::{Permissions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::DataError;

/// A data folder and where things are in it.
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

/// Held for as long as a server runs on a folder. The kernel gives it back when the process ends,
/// however it ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: fs_err::File,
}

impl Folder {
    /// The folder at `path`, there or not.
    pub fn at(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Makes it, for this user alone, if it is not there.
    pub fn make(&self) -> Result<(), DataError> {
        if !self.0.is_dir() {
            std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.0).map_err(|e| {
                io::Error::new(e.kind(), format!("cannot make the folder {}: {e}", self.0.display()))
            })?;
            if let Some(parent) = self.0.parent().filter(|parent| !parent.as_os_str().is_empty()) {
                sync_folder(parent)?;
            }
        }
        Ok(())
    }

    /// Takes the lock, or says that another server has it.
    pub fn lock(&self) -> Result<FolderLock, DataError> {
        let file =
            fs_err::OpenOptions::new().create(true).truncate(false).write(true).open(self.0.join("lock"))?;
        match file.file().try_lock() {
            Ok(()) => Ok(FolderLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(DataError::InUse { folder: self.0.clone() }),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Where the role keys lie.
    pub fn keys(&self) -> PathBuf {
        self.0.join("keys")
    }

    /// One version of the root metadata.
    pub fn root(&self, version: u64) -> PathBuf {
        self.0.join("trust").join("root").join(format!("{version}.json"))
    }

    /// Where uploads are while they are looked at.
    pub fn incoming(&self) -> PathBuf {
        self.0.join("incoming")
    }

    /// Where the blobs lie.
    pub fn blobs(&self) -> PathBuf {
        self.0.join("blobs")
    }
}

/// Makes a folder for this user alone, and its entry in the folder above durable.
pub(super) fn make_private(path: &Path) -> Result<(), DataError> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = path.parent().unwrap_or(path);
    make_private(parent)?;
    std::fs::DirBuilder::new().mode(0o700).create(path)?;
    sync_folder(parent)?;
    Ok(())
}

/// Writes a file that is either there whole and durable or not there at all.
pub(super) fn write_once(path: &Path, bytes: &[u8], mode: u32) -> Result<(), DataError> {
    let parent = path.parent().unwrap_or(path);
    let mut file = tempfile::Builder::new()
        .prefix(".new-")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(parent)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|e| e.error)?;
    sync_folder(parent)?;
    Ok(())
}

fn sync_folder(path: &Path) -> io::Result<()> {
    fs_err::File::open(path)?.sync_all()
}
