use std::fmt::Write as _;
use std::io;
use std::path::Path;

use fs_err as fs;
use skill_bundle::disk::{DiskReport, read_installed};
use skill_core::digest::Sha256;

/// A digest of all that lies at a path: a file's bytes, a link's target, and of a folder every file
/// with its mode and whatever else is in it.
pub(super) fn fingerprint(path: &Path) -> io::Result<Sha256> {
    let kind = fs::symlink_metadata(path)?.file_type();
    if kind.is_dir() {
        let report = read_installed(path).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(of_folder(&report))
    } else if kind.is_symlink() {
        use std::os::unix::ffi::OsStrExt as _;
        Ok(Sha256::of(fs::read_link(path)?.as_os_str().as_bytes()))
    } else if kind.is_file() {
        Ok(Sha256::of(fs::read(path)?))
    } else {
        Ok(Sha256::of("special"))
    }
}

/// The same of a folder that was read.
pub(super) fn of_folder(report: &DiskReport) -> Sha256 {
    let mut text = report.tree.preimage();
    for finding in &report.findings {
        let _ = writeln!(text, "{} {:?} {:?}", finding.check.id(), finding.path, finding.detail);
    }
    Sha256::of(text)
}
