//! Writing the user's own files: whole or not at all.

use std::io::{self, Write as _};
use std::path::Path;

use fs_err as fs;

/// Puts `bytes` at `path` in one moment and durably; makes the folders above it. A `secret` file and its
/// folder are for their owner alone (modes 0600 and 0700).
///
/// # Errors
/// What the system says; `path` is then as it was.
pub fn replace(path: &Path, bytes: &[u8], secret: bool) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    if !folder.is_dir() {
        fs::create_dir_all(folder)?;
        if secret {
            fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))?;
        }
    }
    // A temporary file is made with mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    if !secret {
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    fs::File::open(folder)?.sync_all()
}
