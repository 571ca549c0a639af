//! Puts the new bytes of a file into its place, and takes away what a run left that was killed meanwhile.

use std::fs::{Metadata, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
use std::path::{Path, PathBuf};

use fs_err as fs;
use skill_bundle::BundlePath;

use super::draft::File;
use crate::files;

/// Most bytes of a file that is fixed; a bundle has none that is longer.
const LARGEST: u64 = 10 << 20;
/// How a file is called until it is renamed into its place: this and [`RANDOM`] letters and digits. Packing leaves names
/// that begin with a dot out.
const PREFIX: &str = ".skill-lint-";
const RANDOM: usize = 12;

/// Where a file of the bundle lies below the folder: its path is in NFC, in which some file systems do not keep names.
pub(super) fn located(folder: &Path, path: &str) -> PathBuf {
    let exact = folder.join(path);
    if path.is_ascii() || fs::symlink_metadata(&exact).is_ok() {
        return exact;
    }
    let mut place = folder.to_path_buf();
    for segment in path.split('/') {
        let is_it = |name: &str| BundlePath::parse(name).is_ok_and(|path| path.as_str() == segment);
        let entries = fs::read_dir(&place).into_iter().flatten().flatten();
        let found = entries.map(|entry| entry.file_name()).find(|name| name.to_str().is_some_and(is_it));
        place.push(found.unwrap_or_else(|| segment.into()));
    }
    place
}

/// Whether a file has the bytes that were judged.
pub(super) fn is_as_read(path: &Path, file: &File) -> io::Result<bool> {
    Ok(files::read(path, LARGEST)?.is_some_and(|bytes| bytes == file.before))
}

/// Puts a file's new bytes and mode in its place; `false`, and nothing is changed, where it is not as it was read, or
/// became a link.
///
/// Between the last look and the rename another program may write; what it wrote in that moment is lost, as with every
/// editor. Extended attributes and access control lists do not come along.
pub(super) fn rewrite(path: &Path, file: &File) -> io::Result<bool> {
    let before = fs::symlink_metadata(path)?;
    if !before.is_file() {
        return Ok(false);
    }
    // Set-user and set-group bits are not handed on to bytes that nobody gave them to.
    let mut mode = before.mode() & 0o777;
    if file.becomes_executable() {
        // Whoever may read it may execute it.
        mode |= (mode & 0o444) >> 2;
    }
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let mut written = tempfile::Builder::new().prefix(PREFIX).rand_bytes(RANDOM).tempfile_in(folder)?;
    // As long as it is held, no other run takes it for one that was left over.
    match written.as_file().lock() {
        Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(error),
        _ => {}
    }
    written.write_all(&file.after)?;
    keep_owner(written.as_file(), &before)?;
    written.as_file().set_permissions(Permissions::from_mode(mode))?;
    written.as_file().sync_all()?;
    if !is_as_read(path, file)? {
        return Ok(false);
    }
    written.persist(path).map_err(|error| error.error)?;
    fs::File::open(folder)?.sync_all().map(|()| true)
}

/// Gives a new file the owner and group of the one before. Only root may give a file away, and others a group that they
/// are not in: there it is theirs, as any file that they write.
fn keep_owner(written: &std::fs::File, before: &Metadata) -> io::Result<()> {
    let now = written.metadata()?;
    for (owner, group) in [(Some(before.uid()), None), (None, Some(before.gid()))] {
        let is_kept =
            owner.is_none_or(|owner| owner == now.uid()) && group.is_none_or(|group| group == now.gid());
        match if is_kept { Ok(()) } else { fchown(written, owner, group) } {
            Err(error) if error.kind() != io::ErrorKind::PermissionDenied => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Removes the files of a folder that a killed run left; gives how many. One that another run holds is not left over.
pub(super) fn left_over(folder: &Path) -> io::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_ours = entry.file_name().to_str().is_some_and(is_own_name);
        if !is_ours || !entry.file_type()?.is_file() {
            continue;
        }
        // Whoever runs `--fix` as somebody else may not open what is not theirs; it is no matter of this run.
        let Ok(file) = fs::File::open(entry.path()) else { continue };
        // Another run holds it, or the file system cannot tell.
        if file.try_lock().is_err() {
            continue;
        }
        match fs::remove_file(entry.path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            done => done.map(|()| removed += 1)?,
        }
    }
    Ok(removed)
}

fn is_own_name(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|random| {
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_a_killed_run_left_is_removed_and_nothing_else() {
        let disk = tempfile::tempdir().unwrap();
        let path = |name: &str| disk.path().join(name);
        let others = [
            ".skill-lint-notes.md",
            ".skill-lint-Ab1",
            ".skill-lint-Ab1234567890.",
            "skill-lint-Ab1234567890",
        ];
        for name in others {
            fs::write(path(name), "x").unwrap();
        }
        fs::create_dir(path(".skill-lint-Folder123456")).unwrap();
        std::os::unix::fs::symlink("SKILL.md", path(".skill-lint-Link12345678")).unwrap();
        fs::write(path(".skill-lint-Left12345678"), "half").unwrap();
        fs::write(path(".skill-lint-Held12345678"), "half").unwrap();
        let held = fs::File::open(path(".skill-lint-Held12345678")).unwrap();
        held.lock().unwrap();
        assert_eq!(left_over(disk.path()).unwrap(), 1);
        let left = names(disk.path());
        assert_eq!(left.len(), others.len() + 3);
        assert!(!left.contains(&".skill-lint-Left12345678".to_owned()), "{left:?}");
        drop(held);
        assert_eq!(left_over(disk.path()).unwrap(), 1);
        assert_eq!(left_over(disk.path()).unwrap(), 0);
    }
}
