//! Writing the user's own files: whole or not at all.

use std::fs::Permissions;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use fs_err as fs;

/// Puts `bytes` at `path` in one moment and durably; makes the folders above it. A link is followed, and the
/// file it points to is replaced. A `secret` file and a folder made for it are for their owner alone (modes
/// 0600 and 0700); others get what the umask leaves.
///
/// # Errors
/// What the system says; `path` is then as it was.
pub fn replace(path: &Path, bytes: &[u8], secret: bool) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    if !folder.is_dir() {
        fs::create_dir_all(folder)?;
        if secret {
            fs::set_permissions(folder, Permissions::from_mode(0o700))?;
        }
    }
    let mode = Permissions::from_mode(if secret { 0o600 } else { 0o666 });
    let mut file = tempfile::Builder::new().permissions(mode).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_stays_a_link_and_a_secret_stays_one() {
        let disk = tempfile::tempdir().unwrap();
        let (real, link) = (disk.path().join("real"), disk.path().join("link"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        replace(&link, b"new", true).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn nothing_is_left_beside_a_file_that_cannot_be_replaced() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("folder");
        fs::create_dir_all(path.join("inside")).unwrap();
        assert!(replace(&path, b"new", false).is_err());
        assert_eq!(fs::read_dir(disk.path()).unwrap().count(), 1);
    }
}
