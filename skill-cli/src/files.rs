//! The small files that this program keeps: read with a bound, written whole or not at all.
//!
//! A work directory comes with a clone, and what lies in it is anybody's: a pipe without a writer, a
//! link to a device without an end. Every file of it and of the user's folder is read by [`read`].

use std::fs::Permissions;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use fs_err as fs;
use fs_err::os::unix::fs::OpenOptionsExt as _;

/// Most bytes of a file, by its kind.
pub mod limit {
    /// skills.lock and the journal.
    pub const LOCK: u64 = 4 << 20;
    /// skills.toml, config.toml and the credentials.
    pub const TOML: u64 = 1 << 20;
    /// A trust envelope.
    pub const ENVELOPE: u64 = skill_trust::TrustEnvelope::MAX_BYTES as u64;
    /// One version of a root.
    pub const ROOT: u64 = skill_trust::RootChain::MAX_BYTES as u64;
    /// The preimage of a tree digest.
    pub const TREE: u64 = 1 << 20;
    /// A pin.
    pub const PIN: u64 = 64 << 10;
    /// An answer of the index that was kept, with what guards it.
    pub const INDEX: u64 = 64 << 20;
    /// An archive.
    pub const ARCHIVE: u64 = 64 << 20;
}

/// Why a file is not read although it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// A folder, pipe, device or socket, or a link to one.
    #[error("it is not a regular file")]
    NotAFile,
    /// It is longer than files of its kind are.
    #[error("it is longer than {0} bytes, the most that is read of it")]
    TooLong(u64),
}

impl From<Unfit> for io::Error {
    fn from(unfit: Unfit) -> Self {
        Self::new(io::ErrorKind::InvalidData, unfit)
    }
}

/// The bytes of a regular file of at most `limit` bytes, or none if there is no such file. Links are followed;
/// nothing that is no regular file is waited for or read from.
///
/// # Errors
/// [`Unfit`] inside the error; else what the system says.
pub fn read(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = open(path)? else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(Unfit::TooLong(limit).into()) } else { Ok(Some(bytes)) }
}

/// The same as text.
///
/// # Errors
/// As [`read`], and for what is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<Option<String>> {
    let bytes = read(path, limit)?;
    bytes.map(String::from_utf8).transpose().map_err(|_| io::Error::new(io::ErrorKind::InvalidData, NotText))
}

/// The bytes are no UTF-8.
#[derive(Debug, thiserror::Error)]
#[error("it is not UTF-8")]
struct NotText;

fn open(path: &Path) -> io::Result<Option<fs::File>> {
    // A pipe would be waited for without this flag; a regular file does not know it.
    let flags = (rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY).bits();
    let file = match fs::OpenOptions::new().read(true).custom_flags(flags.cast_signed()).open(path) {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        // A socket is not opened at all.
        Err(error) if fs::metadata(path).is_ok_and(|found| !found.is_file()) => {
            return Err(if error.kind() == io::ErrorKind::PermissionDenied {
                error
            } else {
                Unfit::NotAFile.into()
            });
        }
        Err(error) => return Err(error),
    };
    if file.metadata()?.is_file() { Ok(Some(file)) } else { Err(Unfit::NotAFile.into()) }
}

/// Whether the file is there and is not one that is read: [`Unfit`].
pub fn is_unfit(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Unfit>)
}

/// What an error of the system says about a file, in words and without a number.
pub fn reason(error: &io::Error) -> String {
    match error.get_ref() {
        // What this program found wrong with the bytes; the system has no such error.
        Some(own) if error.kind() == io::ErrorKind::InvalidData => own.to_string(),
        _ => words(innermost(error)),
    }
}

/// The same with what was tried and where: `cannot create file `/a/b`: permission denied`.
pub fn whole_reason(error: &io::Error) -> String {
    let text = error.to_string();
    let reason = reason(error);
    let tried = text.strip_prefix("failed to ").and_then(|text| text.split_once("`: "));
    tried.map_or_else(|| reason.clone(), |(tried, _)| format!("cannot {tried}`: {reason}"))
}

/// What the system said, without what was put around it to name the path.
fn innermost(error: &io::Error) -> &io::Error {
    let source = error.get_ref().and_then(|around| around.source());
    source.and_then(|source| source.downcast_ref::<io::Error>()).map_or(error, innermost)
}

fn words(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error ").next().unwrap_or(&text);
    // What was put around it may hide it and show its text at the end.
    let around = text.strip_prefix("failed to ").and_then(|text| text.rsplit_once("`: "));
    let said = around.map_or(text, |(_, said)| said);
    let mut letters = said.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    let system = error.raw_os_error().is_some() || around.is_some();
    if system { first.into_iter().chain(letters).collect() } else { said.to_owned() }
}

/// Puts `bytes` at `path` in one moment and durably; makes the folders above it. A link is followed, and the
/// file it points to is replaced. A `secret` file and a folder made for it are for their owner alone (modes
/// 0600 and 0700); others get what the umask leaves.
///
/// # Errors
/// What the system says; `path` is then as it was.
pub fn replace(path: &Path, bytes: &[u8], secret: bool) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = folder_of(&path, secret)?;
    written(folder, bytes, secret)?.persist(&path).map_err(|error| error.error)?;
    fs::File::open(folder)?.sync_all()
}

/// The same where nothing is yet; `false`, and nothing is changed, where something is.
///
/// # Errors
/// What the system says.
pub fn create(path: &Path, bytes: &[u8], secret: bool) -> io::Result<bool> {
    let folder = folder_of(path, secret)?;
    match written(folder, bytes, secret)?.persist_noclobber(path) {
        Ok(_) => fs::File::open(folder)?.sync_all().map(|()| true),
        Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(refused) => Err(refused.error),
    }
}

/// The folder of a file, made if it is missing.
fn folder_of(path: &Path, secret: bool) -> io::Result<&Path> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    if !folder.is_dir() {
        fs::create_dir_all(folder)?;
        if secret {
            fs::set_permissions(folder, Permissions::from_mode(0o700))?;
        }
    }
    Ok(folder)
}

fn written(folder: &Path, bytes: &[u8], secret: bool) -> io::Result<tempfile::NamedTempFile> {
    let mode = Permissions::from_mode(if secret { 0o600 } else { 0o666 });
    let mut file = tempfile::Builder::new().permissions(mode).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
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
    fn what_is_no_regular_file_is_neither_waited_for_nor_read_without_end() {
        let disk = tempfile::tempdir().unwrap();
        let pipe = disk.path().join("pipe");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o644),
            0,
        )
        .unwrap();
        let link = disk.path().join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        let socket = disk.path().join("socket");
        let _socket = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for path in [pipe.as_path(), &link, &socket, disk.path()] {
            let error = read(path, 8).unwrap_err();
            assert_eq!(reason(&error), "it is not a regular file", "{}", path.display());
        }
    }

    #[test]
    fn no_more_is_read_than_a_file_of_its_kind_has() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("file");
        fs::write(&path, [0; 8]).unwrap();
        assert_eq!(read(&path, 8).unwrap(), Some(vec![0; 8]));
        let error = read(&path, 7).unwrap_err();
        assert_eq!(reason(&error), "it is longer than 7 bytes, the most that is read of it");
        assert_eq!(read(&disk.path().join("absent"), 7).unwrap(), None);
        assert_eq!(read(&path.join("below"), 7).unwrap(), None);
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
