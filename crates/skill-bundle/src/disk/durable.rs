use std::io;

use cap_std::fs::Dir;

use super::{DiskError, Staged};
use crate::nofollow;

/// Makes what was staged below `dir` survive a power failure, before it is renamed into place.
///
/// On Linux this is one `syncfs` of the file system that holds `dir`, which costs one journal commit instead of one
/// for each file. Elsewhere, and where the kernel has no such call, every file, every folder and `dir` is synced.
pub fn make_durable(dir: &Dir, staged: &Staged) -> Result<(), DiskError> {
    match sync_file_system(dir) {
        Some(result) => result.map_err(|error| DiskError::new(".", error)),
        None => sync_each(dir, staged),
    }
}

#[cfg(target_os = "linux")]
fn sync_file_system(dir: &Dir) -> Option<io::Result<()>> {
    let opened = match reopen(dir, ".") {
        Ok(opened) => opened,
        Err(error) => return Some(Err(error)),
    };
    match rustix::fs::syncfs(opened) {
        Err(rustix::io::Errno::NOSYS) => None,
        done => Some(done.map_err(io::Error::from)),
    }
}

#[cfg(not(target_os = "linux"))]
fn sync_file_system(_: &Dir) -> Option<io::Result<()>> {
    None
}

fn sync_each(dir: &Dir, staged: &Staged) -> Result<(), DiskError> {
    for path in &staged.files {
        dir.open(path).and_then(|file| file.sync_all()).map_err(|error| DiskError::new(path, error))?;
    }
    let innermost_first = staged.folders.iter().rev().map(String::as_str);
    for path in innermost_first.chain(std::iter::once(".")) {
        reopen(dir, path)
            .and_then(|folder| folder.sync_all())
            .map_err(|error| DiskError::new(path, error))?;
    }
    Ok(())
}

/// Opens a folder below `dir` for reading: one that was opened only to look names up in cannot be synced.
fn reopen(dir: &Dir, path: &str) -> io::Result<std::fs::File> {
    let folder = dir.open_dir(path)?;
    Ok(nofollow::open_folder(folder, b".")?.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_and_folder_can_be_synced_by_itself() {
        let folder = tempfile::tempdir().unwrap();
        let dir = Dir::open_ambient_dir(folder.path(), cap_std::ambient_authority()).unwrap();
        dir.create_dir_all("a/b").unwrap();
        dir.write("a/b/c.md", "text").unwrap();
        let staged =
            Staged { files: vec!["a/b/c.md".to_owned()], folders: vec!["a".to_owned(), "a/b".to_owned()] };
        sync_each(&dir, &staged).unwrap();
        let gone = Staged { files: vec!["gone.md".to_owned()], folders: Vec::new() };
        assert_eq!(sync_each(&dir, &gone).unwrap_err().code(), "disk-absent");
    }
}
