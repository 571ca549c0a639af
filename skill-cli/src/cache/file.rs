use std::io::{self, Write as _};
use std::path::Path;

use fs_err as fs;

use crate::files;

/// The bytes of a kept file. One that cannot be what was kept counts as absent: it is fetched again.
pub(super) fn kept(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    match files::read(path, limit) {
        Err(error) if files::is_unfit(&error) => Ok(None),
        other => other,
    }
}

/// Puts a file in its place in one moment; several programs may do so at once.
pub(super) fn keep(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|refused| refused.error)?;
    Ok(())
}
