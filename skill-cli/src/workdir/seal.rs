use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::Workdir;
use crate::files::{self, limit};

/// Tells a journal that this user's `skill` wrote in this very folder from one that came with a
/// checkout: HMAC-SHA-256 (RFC 2104) over its text and the folder's real path and inode number, under
/// a key that only the user has. The device number is left out, as it may be another after a restart.
#[derive(Debug, Clone)]
pub(super) struct Seal {
    key: PathBuf,
    state: PathBuf,
}

impl Seal {
    /// `home` is the user's own folder for what must last.
    pub(super) fn of(workdir: &Workdir, home: &Path) -> Self {
        Self { key: home.join("journal.key"), state: workdir.state() }
    }

    /// Where the key is kept.
    pub(super) fn key_file(&self) -> &Path {
        &self.key
    }

    /// The seal of a text, in lower-case hex. The key is made when it is needed first.
    pub(super) fn make(&self, text: &str) -> io::Result<String> {
        let key = match self.key().and_then(|key| key.map_or_else(|| self.new_key(), Ok)) {
            // Who can keep nothing can install all the same; a change of theirs that is stopped is not
            // finished, but told.
            Err(error) if keeps_nothing(&error) => random_key()?,
            key => key?,
        };
        let mac = self.mac(&key, text)?.finalize().into_bytes();
        Ok(skill_core::digest::Sha256::from_bytes(mac.into()).to_hex())
    }

    /// Whether `seal` is the seal of a text.
    pub(super) fn holds(&self, text: &str, seal: &str) -> io::Result<bool> {
        let Some(key) = self.key()? else { return Ok(false) };
        let digits: Option<Vec<u8>> =
            (0..seal.len()).step_by(2).map(|at| u8::from_str_radix(seal.get(at..at + 2)?, 16).ok()).collect();
        let Some(bytes) = digits else { return Ok(false) };
        Ok(self.mac(&key, text)?.verify_slice(&bytes).is_ok())
    }

    fn mac(&self, key: &[u8], text: &str) -> io::Result<Hmac<Sha256>> {
        use std::os::unix::ffi::OsStrExt as _;
        let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(io::Error::other)?;
        let place = fs::canonicalize(&self.state)?;
        let place = place.as_os_str().as_bytes();
        mac.update(&(place.len() as u64).to_be_bytes());
        mac.update(place);
        mac.update(&fs::metadata(&self.state)?.ino().to_be_bytes());
        mac.update(text.as_bytes());
        Ok(mac)
    }

    fn key(&self) -> io::Result<Option<Vec<u8>>> {
        match files::read(&self.key, limit::PIN)? {
            Some(key) if key.len() == 32 => Ok(Some(key)),
            Some(_) => {
                let text = format!("{} does not hold 32 bytes", self.key.display());
                Err(io::Error::new(io::ErrorKind::InvalidData, text))
            }
            None => Ok(None),
        }
    }

    /// Of two commands that make it at once both use the first one's.
    fn new_key(&self) -> io::Result<Vec<u8>> {
        let key = random_key()?;
        if files::create(&self.key, &key, true)? {
            return Ok(key);
        }
        self.key()?.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }
}

fn random_key() -> io::Result<Vec<u8>> {
    let mut key = vec![0; 32];
    getrandom::fill(&mut key).map_err(io::Error::other)?;
    Ok(key)
}

/// Whether the user's folder cannot be there or cannot be written.
fn keeps_nothing(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), AlreadyExists | NotADirectory | NotFound | PermissionDenied | ReadOnlyFilesystem)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn holds_for_this_text_in_this_folder_of_this_user() {
        let disk = tempfile::tempdir().unwrap();
        let seal = |folder: &str, user: &str| {
            let workdir = Workdir::at(disk.path().join(folder), false);
            fs::create_dir_all(workdir.state()).unwrap();
            Seal::of(&workdir, &disk.path().join(user))
        };
        let ours = seal("work", "user");
        let made = ours.make("text").unwrap();
        assert!(ours.holds("text", &made).unwrap());
        assert!(!ours.holds("other", &made).unwrap());
        for wrong in ["", "0", "zz", "é", &made[..62], &format!("{made}00")] {
            assert!(!ours.holds("text", wrong).unwrap(), "{wrong}");
        }
        assert!(!seal("copy", "user").holds("text", &made).unwrap());
        assert!(!seal("work", "nobody").holds("text", &made).unwrap());
        seal("work", "other").make("text").unwrap();
        assert!(!seal("work", "other").holds("text", &made).unwrap());
        let permissions = fs::metadata(disk.path().join("user/journal.key")).unwrap().permissions();
        assert_eq!(permissions.mode() & 0o777, 0o600);
    }
}
