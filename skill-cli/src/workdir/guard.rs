use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use fs_err as fs;
use jiff::Timestamp;

use super::disk::missing;
use super::{Workdir, WorkdirError, holder};

/// The right to change a work directory: an exclusive lock on `.skill/lock`, which is always
/// empty. It ends with the value, and with the process.
#[derive(Debug)]
pub struct Guard {
    _file: fs::File,
    state: PathBuf,
    /// Folders above it that were missing.
    made: Vec<PathBuf>,
}

impl Guard {
    /// Takes the right, or says who has it. Nothing waits here.
    pub fn take(workdir: &Workdir) -> Result<Self, WorkdirError> {
        let path = workdir.state().join("lock");
        let made = missing(workdir.root());
        loop {
            fs::create_dir_all(workdir.state())?;
            let file = match fs::File::options().write(true).create(true).truncate(false).open(&path) {
                Ok(file) => file,
                // Another command left nothing behind, its folder neither.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error.into()),
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(std::fs::TryLockError::WouldBlock) => return Err(busy(workdir, &file)),
                Err(std::fs::TryLockError::Error(error)) => return Err(error.into()),
            }
            // Whoever held the lock may have taken the file away since it was opened.
            let still_there = fs::metadata(&path).is_ok_and(|now| {
                file.metadata().is_ok_and(|held| (held.dev(), held.ino()) == (now.dev(), now.ino()))
            });
            if still_there {
                touch(&file);
                return Ok(Self { _file: file, state: workdir.state(), made });
            }
        }
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
        let guard = Guard::take(&workdir).unwrap();
        match Guard::take(&workdir) {
            Err(WorkdirError::Busy { process, since, .. }) => {
                assert_eq!(process, Some(std::process::id()));
                assert!(since.is_some());
            }
            other => panic!("{other:?}"),
        }
        drop(guard);
        Guard::take(&workdir).unwrap();
    }

    #[test]
    fn leaves_nothing_where_nothing_was() {
        let disk = tempfile::tempdir().unwrap();
        let workdir = Workdir::at(disk.path().to_owned(), false);
        drop(Guard::take(&workdir).unwrap());
        assert_eq!(fs::read_dir(disk.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_lock_file_stays_empty_and_stays_where_skills_are() {
        let disk = tempfile::tempdir().unwrap();
        let workdir = Workdir::at(disk.path().to_owned(), false);
        fs::create_dir(workdir.state()).unwrap();
        fs::write(workdir.state().join(".gitignore"), "lock\n").unwrap();
        drop(Guard::take(&workdir).unwrap());
        assert_eq!(fs::metadata(workdir.state().join("lock")).unwrap().len(), 0);
    }
}
