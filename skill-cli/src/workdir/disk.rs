//! The few ways in which a transaction changes the disk, each one step.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use rustix::fs::{CWD, RenameFlags, renameat_with};

/// Changes the disk. Tests stop it after any step.
#[derive(Debug, Default)]
pub(super) struct Disk {
    #[cfg(test)]
    pub(super) fault: fault::Fault,
    #[cfg(test)]
    pub(super) without_exchange: bool,
    /// Whether nothing is made durable: tests that only stop and look have no power to lose.
    #[cfg(test)]
    pub(super) without_sync: bool,
}

impl Disk {
    #[cfg(not(test))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "tests stop here")]
    const fn step(&self) -> io::Result<()> {
        Ok(())
    }

    #[cfg(test)]
    fn step(&self) -> io::Result<()> {
        self.fault.step()
    }

    /// Makes a folder and those above it.
    pub(super) fn make_dirs(&self, path: &Path) -> io::Result<()> {
        for folder in missing(path) {
            self.step()?;
            match fs::create_dir(folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes a new file whole.
    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.step()?;
        fs::write(path, bytes)
    }

    /// Puts a file in its place in one moment, durably; `beside` is where it is written first. Nothing
    /// that lies there is opened.
    pub(super) fn replace(&self, path: &Path, beside: &Path, bytes: &[u8]) -> io::Result<()> {
        self.step()?;
        remove(beside)?;
        let mut file = fs::File::create_new(beside)?;
        io::Write::write_all(&mut file, bytes)?;
        if self.is_durable() {
            file.sync_all()?;
        }
        self.step()?;
        fs::rename(beside, path)?;
        match path.parent() {
            Some(folder) if self.is_durable() => fs::File::open(folder)?.sync_all(),
            _ => Ok(()),
        }
    }

    /// Makes everything durable that was written to the file system of `path`.
    pub(super) fn sync(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        if self.is_durable() { sync_all_of(path) } else { Ok(()) }
    }

    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "tests say otherwise")]
    const fn is_durable(&self) -> bool {
        true
    }

    #[cfg(test)]
    const fn is_durable(&self) -> bool {
        !self.without_sync
    }

    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        fs::rename(from, to)
    }

    /// Renames where nothing is in the way; `false` where something is.
    pub(super) fn rename_to_free(&self, from: &Path, to: &Path) -> io::Result<bool> {
        self.step()?;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(true),
            Err(rustix::io::Errno::EXIST) => Ok(false),
            // The file system cannot look and rename in one moment.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) if inode(to).is_some() => Ok(false),
            Err(_) => fs::rename(from, to).map(|()| true),
        }
    }

    /// Exchanges two places in one moment; `false` where the file system cannot.
    pub(super) fn exchange(&self, one: &Path, other: &Path) -> io::Result<bool> {
        self.step()?;
        #[cfg(test)]
        if self.without_exchange {
            return Ok(false);
        }
        match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(true),
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::XDEV) => Ok(false),
            Err(errno) => {
                let error = io::Error::from(errno);
                let text = format!("cannot exchange {} and {}: {error}", one.display(), other.display());
                Err(io::Error::new(error.kind(), text))
            }
        }
    }

    /// Moves a file or folder, by copying where it lies on another file system.
    pub(super) fn carry(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        match fs::rename(from, to) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                remove(to)?;
                copy(from, to)?;
                remove(from)
            }
            other => other,
        }
    }

    /// Takes a file or folder away; one that is not there is no error. A folder goes file by file.
    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        #[cfg(test)]
        self.remove_files(path)?;
        self.step()?;
        remove(path)
    }

    /// Tests stop between any two files, too.
    #[cfg(test)]
    fn remove_files(&self, path: &Path) -> io::Result<()> {
        if !fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
            return Ok(());
        }
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                self.remove_files(&entry.path())?;
            } else {
                self.step()?;
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Takes a folder away if it is empty.
    pub(super) fn remove_if_empty(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        match fs::remove_dir(path) {
            Err(error)
                if matches!(error.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::NotFound) =>
            {
                Ok(())
            }
            other => other,
        }
    }
}

/// The identity of what lies at a path, without following a link; none if nothing does.
pub(super) fn inode(path: &Path) -> Option<u64> {
    fs::symlink_metadata(path).ok().map(|metadata| metadata.ino())
}

/// The folders that would have to be made for `path`, outermost first.
pub(super) fn missing(path: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> =
        path.ancestors().take_while(|folder| inode(folder).is_none()).map(Path::to_owned).collect();
    missing.reverse();
    missing
}

fn remove(path: &Path) -> io::Result<()> {
    let gone = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => match fs::remove_dir_all(path) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                open_folders(path)?;
                fs::remove_dir_all(path)
            }
            other => other,
        },
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match gone {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Lets this user into a folder of its own and those below it, whatever modes somebody gave them.
fn open_folders(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_folders(&entry.path())?;
        }
    }
    Ok(())
}

/// Copies files, folders and links; anything else is an error.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let kind = fs::symlink_metadata(from)?.file_type();
    if kind.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        Ok(())
    } else if kind.is_symlink() {
        fs_err::os::unix::fs::symlink(fs::read_link(from)?, to)
    } else if kind.is_file() {
        fs::copy(from, to).map(drop)
    } else {
        let text = format!("{} is no file, folder or link, so that it cannot be kept", from.display());
        Err(io::Error::new(io::ErrorKind::Unsupported, text))
    }
}

fn sync_all_of(path: &Path) -> io::Result<()> {
    let folder = fs::File::open(path)?;
    #[cfg(target_os = "linux")]
    rustix::fs::syncfs(&folder)?;
    #[cfg(not(target_os = "linux"))]
    {
        folder.sync_all()?;
        rustix::fs::sync();
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod fault {
    use std::cell::Cell;
    use std::io;

    /// What stops a transaction in a test.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(crate) enum Kind {
        /// Nothing does.
        #[default]
        None,
        /// From this step on nothing is done any more, as after `kill -9`.
        Killed,
        /// This step alone is refused, as by a full disk.
        Refused,
    }

    #[derive(Debug, Default)]
    pub(crate) struct Fault {
        kind: Cell<Kind>,
        at: Cell<usize>,
        steps: Cell<usize>,
    }

    impl Fault {
        pub(crate) fn new(kind: Kind, at: usize) -> Self {
            Self { kind: Cell::new(kind), at: Cell::new(at), steps: Cell::new(0) }
        }

        pub(super) fn step(&self) -> io::Result<()> {
            let count = self.steps.get();
            self.steps.set(count + 1);
            let stop = match self.kind.get() {
                Kind::None => false,
                Kind::Killed => count >= self.at.get(),
                Kind::Refused => count == self.at.get(),
            };
            if stop { Err(io::Error::other("stopped by the test")) } else { Ok(()) }
        }
    }
}
