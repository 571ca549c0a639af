use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use fs_err::os::unix::fs::OpenOptionsExt as _;
use jiff::Timestamp;

use super::disk::missing;
use super::seal::Seal;
use super::{Workdir, WorkdirError, holder, links};
use crate::files::Unfit;

/// The right to change a work directory: an exclusive lock on `.skill/lock`, which is always
/// empty. It ends with the value, and with the process.
#[derive(Debug)]
pub struct Guard {
    file: fs::File,
    state: PathBuf,
    seal: Seal,
    /// Folders above it that were missing.
    made: Vec<PathBuf>,
}

impl Guard {
    /// Takes the right, or says who has it. Nothing waits here. `home` is the user's own folder for
    /// what must last.
    pub(super) fn take(workdir: &Workdir, home: &Path) -> Result<Self, WorkdirError> {
        links::refuse(workdir)?;
        let path = workdir.state().join("lock");
        let made = missing(workdir.root());
        loop {
            let state = workdir.state();
            fs::create_dir_all(&state).map_err(|error| WorkdirError::at(&state, error))?;
            let file = match open(&path) {
                Ok(file) => file,
                // Another command left nothing behind, its folder neither.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(WorkdirError::at(&path, error)),
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(std::fs::TryLockError::WouldBlock) => return Err(busy(workdir, &file)),
                Err(std::fs::TryLockError::Error(error)) => return Err(WorkdirError::at(&path, error)),
            }
            // Whoever held the lock may have taken the file away since it was opened.
            let still_there = fs::metadata(&path).is_ok_and(|now| {
                file.metadata().is_ok_and(|held| (held.dev(), held.ino()) == (now.dev(), now.ino()))
            });
            if still_there {
                touch(&file);
                let seal = Seal::of(workdir, home);
                return Ok(Self { file, state: workdir.state(), seal, made });
            }
        }
    }

    pub(super) const fn seal(&self) -> &Seal {
        &self.seal
    }
}

/// Opens the lock file. What a checkout brought along in its place is neither followed nor waited for.
fn open(path: &Path) -> io::Result<fs::File> {
    use rustix::fs::OFlags;
    let flags = (OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY).bits().cast_signed();
    let mut options = fs::OpenOptions::new();
    let opened = options.write(true).create(true).truncate(false).custom_flags(flags).open(path);
    match opened {
        Ok(file) if file.metadata()?.is_file() => Ok(file),
        Ok(_) => Err(Unfit::NotAFile.into()),
        Err(_) if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) => {
            Err(Unfit::NotAFile.into())
        }
        Err(error) => Err(error),
    }
}

/// Where nothing was installed nothing is left: a `.skill` that holds the lock file alone goes.
impl Drop for Guard {
    fn drop(&mut self) {
        let alone = fs::read_dir(&self.state)
            .is_ok_and(|entries| entries.flatten().all(|entry| entry.file_name() == "lock"));
        if alone {
            // What cannot be taken away is an empty file that hurts nobody.
            let _ = fs::remove_file(self.state.join("lock"));
            let _ = fs::remove_dir(&self.state);
            for folder in self.made.iter().rev() {
                let _ = fs::remove_dir(folder);
            }
        }
        // Not only by closing it: a child that another thread is just starting may hold it open too.
        let _ = self.file.unlock();
    }
}

/// The time of the file says since when it is held.
fn touch(file: &fs::File) {
    let now = rustix::fs::Timespec { tv_sec: 0, tv_nsec: rustix::fs::UTIME_NOW };
    let times = rustix::fs::Timestamps { last_access: now, last_modification: now };
    let _ = rustix::fs::futimens(file, &times);
}

fn busy(workdir: &Workdir, file: &fs::File) -> WorkdirError {
    let modified = file.metadata().and_then(|metadata| metadata.modified()).ok();
    WorkdirError::Busy {
        path: workdir.root().to_owned(),
        process: holder::of(file),
        since: modified.and_then(|time| Timestamp::try_from(time).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_and_the_other_is_named() {
        let disk = tempfile::tempdir().unwrap();
        let workdir = Workdir::at(disk.path().to_owned(), false);
        let guard = Guard::take(&workdir, disk.path()).unwrap();
        match Guard::take(&workdir, disk.path()) {
            Err(WorkdirError::Busy { process, since, .. }) => {
                assert_eq!(process, Some(std::process::id()));
                assert!(since.is_some());
            }
            other => panic!("{other:?}"),
        }
        drop(guard);
        Guard::take(&workdir, disk.path()).unwrap();
    }

    #[test]
    fn leaves_nothing_where_nothing_was() {
        let disk = tempfile::tempdir().unwrap();
        let workdir = Workdir::at(disk.path().to_owned(), false);
        drop(Guard::take(&workdir, disk.path()).unwrap());
        assert_eq!(fs::read_dir(disk.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_lock_file_stays_empty_and_stays_where_skills_are() {
        let disk = tempfile::tempdir().unwrap();
        let workdir = Workdir::at(disk.path().to_owned(), false);
        fs::create_dir(workdir.state()).unwrap();
        fs::write(workdir.state().join(".gitignore"), "lock\n").unwrap();
        drop(Guard::take(&workdir, disk.path()).unwrap());
        assert_eq!(fs::metadata(workdir.state().join("lock")).unwrap().len(), 0);
    }
}
