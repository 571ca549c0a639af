use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};

use cap_std::fs::Dir;
use rustix::fs::{Mode, OFlags, fchmod, mkdirat, openat};

use super::DiskError;
use crate::{Bundle, nofollow, tree};

/// What [`stage`] wrote, as paths below the folder it was given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Staged {
    /// Files, in byte order.
    pub files: Vec<String>,
    /// Folders, each after the one that holds it.
    pub folders: Vec<String>,
}

/// Writes a bundle below an opened, empty folder, and nothing else.
///
/// Files get mode 0644 or 0755 and folders 0755 whatever the umask says, never setuid or setgid. Nothing that is there
/// is opened or replaced (`O_EXCL`), and no path is resolved a second time: every file is made in a folder this
/// function made and holds open. On an error what was written is removed again. Whether it survives a power failure
/// is for the caller, who syncs a file system once for all that is staged there.
pub fn stage(bundle: &Bundle, dir: &Dir) -> Result<Staged, DiskError> {
    let mut staging = Staging { root: dir.as_fd(), open: Vec::new(), staged: Staged::default() };
    for (path, file) in bundle.files() {
        let mode = tree::Mode::of(file.executable());
        if let Err(error) = staging.write(path.as_str(), mode, file.content()) {
            let Staging { staged, .. } = staging;
            remove(dir, &staged);
            return Err(DiskError::new(path.as_str(), error));
        }
    }
    Ok(staging.staged)
}

/// Takes away what was staged; used where staging or what follows it went wrong. Gives up at what is gone or closed to
/// us, as there is an error to report already.
fn remove(dir: &Dir, staged: &Staged) {
    for file in staged.files.iter().rev() {
        let _ = dir.remove_file(file);
    }
    for folder in staged.folders.iter().rev() {
        let _ = dir.remove_dir(folder);
    }
}

struct Staging<'a> {
    root: BorrowedFd<'a>,
    /// The folders from the root to the last file written, by path and open. Files come in byte order, so the files
    /// of a folder and of those below it come in one run, and no folder is entered twice.
    open: Vec<(String, OwnedFd)>,
    staged: Staged,
}

impl Staging<'_> {
    fn write(&mut self, path: &str, mode: tree::Mode, content: &[u8]) -> io::Result<()> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        self.enter(folder)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = openat(self.current(), name, flags, Mode::RUSR | Mode::WUSR)?;
        self.staged.files.push(path.to_owned());
        let mut file = File::from(fd);
        file.write_all(content)?;
        fchmod(&file, Mode::from_raw_mode(mode.permissions()))?;
        Ok(())
    }

    fn current(&self) -> BorrowedFd<'_> {
        self.open.last().map_or(self.root, |(_, fd)| fd.as_fd())
    }

    /// Leaves the folders that `folder` is not in, and makes those above it that are not there yet.
    fn enter(&mut self, folder: &str) -> io::Result<()> {
        while self.open.last().is_some_and(|(path, _)| !is_in(folder, path)) {
            self.open.pop();
        }
        let mut path = self.open.last().map_or(String::new(), |(path, _)| path.clone());
        while path.len() < folder.len() {
            let rest = folder[path.len()..].trim_start_matches('/');
            let name = rest.split('/').next().unwrap_or(rest);
            path = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
            mkdirat(self.current(), name, Mode::RWXU)?;
            self.staged.folders.push(path.clone());
            let fd = nofollow::open_folder(self.current(), name.as_bytes())?;
            fchmod(&fd, Mode::from_raw_mode(0o755))?;
            self.open.push((path.clone(), fd));
        }
        Ok(())
    }
}

/// Whether `folder` is `above` or lies below it.
fn is_in(folder: &str, above: &str) -> bool {
    folder.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
