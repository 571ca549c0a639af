//! What can be fetched again: archives by their digest, index answers with their entity tags, and
//! envelopes. Everything that comes out of here is checked like what comes from the network.

mod file;
mod index;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs_err as fs;
use rustix::fs::Access;
use skill_core::digest::{RegistryId, Sha256, TreeDigest};
use skill_core::name::SkillName;
use skill_core::version::Version;

use file::{keep, kept};
pub use index::CachedIndex;

use crate::files::limit;

/// The cache of one user.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    /// Where things are kept for this command alone, if they cannot be kept in `folder`.
    instead: Option<Arc<tempfile::TempDir>>,
}

impl Cache {
    /// The cache below `folder`, which is made when something is kept.
    pub const fn at(folder: PathBuf) -> Self {
        Self { folder, instead: None }
    }

    /// The same. Where this user cannot write, what lies there is read, and what is fetched lasts as long as
    /// the command.
    pub fn open(folder: PathBuf) -> Self {
        let denied = KINDS.iter().any(|kind| !is_writable(&folder.join(kind)));
        let instead = if denied { tempfile::tempdir().ok().map(Arc::new) } else { None };
        Self { folder, instead }
    }

    /// Whether nothing is kept longer than the command.
    pub const fn is_temporary(&self) -> bool {
        self.instead.is_some()
    }

    fn place(&self, below: &Path) -> PathBuf {
        self.instead.as_ref().map_or(self.folder.as_path(), |instead| instead.path()).join(below)
    }

    fn kept(&self, below: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
        if self.instead.is_none() {
            return kept(&self.folder.join(below), limit);
        }
        // What cannot be read is fetched again.
        let there = || kept(&self.folder.join(below), limit).ok().flatten();
        Ok(kept(&self.place(below), limit)?.or_else(there))
    }

    /// The bytes of an archive, if they are here and are what they are called by. A damaged file
    /// counts as absent.
    pub fn archive(&self, digest: Sha256) -> io::Result<Option<Vec<u8>>> {
        let bytes = self.kept(&Self::archive_path(digest), limit::ARCHIVE)?;
        Ok(bytes.filter(|bytes| Sha256::of(bytes) == digest))
    }

    /// Whether a file lies where this archive would: a guess at what a fetch will cost, and no more.
    pub fn has_archive(&self, digest: Sha256) -> bool {
        [self.place(&Self::archive_path(digest)), self.folder.join(Self::archive_path(digest))]
            .iter()
            .any(|path| path.exists())
    }

    /// A place for a download, in the same file system as the archives.
    pub fn incoming(&self) -> io::Result<tempfile::TempPath> {
        let folder = self.place(Path::new("archives"));
        fs::create_dir_all(&folder)?;
        Ok(tempfile::Builder::new().prefix(".incoming-").tempfile_in(folder)?.into_temp_path())
    }

    /// Keeps a download under the digest that was taken while it came.
    pub fn keep_archive(&self, incoming: tempfile::TempPath, digest: Sha256) -> io::Result<()> {
        incoming.persist(self.place(&Self::archive_path(digest))).map_err(|refused| refused.error)
    }

    /// Where repositories are made that live as long as a command.
    pub fn git(&self) -> PathBuf {
        self.place(Path::new("git"))
    }

    /// The envelope of a release as it was fetched last.
    pub fn envelope(
        &self,
        registry: RegistryId,
        name: &SkillName,
        version: &Version,
    ) -> io::Result<Option<Vec<u8>>> {
        self.kept(&Self::envelope_path(registry, name, version), limit::ENVELOPE)
    }

    /// Keeps an envelope.
    pub fn keep_envelope(
        &self,
        registry: RegistryId,
        name: &SkillName,
        version: &Version,
        bytes: &[u8],
    ) -> io::Result<()> {
        keep(&self.place(&Self::envelope_path(registry, name, version)), bytes)
    }

    /// An archive with this tree, kept when a folder was installed. Whoever opens it takes the
    /// digest of its tree again.
    pub fn tree(&self, tree: TreeDigest) -> io::Result<Option<Vec<u8>>> {
        self.kept(&Self::tree_path(tree), limit::ARCHIVE)
    }

    /// Keeps an archive with this tree.
    pub fn keep_tree(&self, tree: TreeDigest, archive: &[u8]) -> io::Result<()> {
        keep(&self.place(&Self::tree_path(tree)), archive)
    }

    fn tree_path(tree: TreeDigest) -> PathBuf {
        Path::new("trees").join(tree.sha256().to_hex())
    }

    fn archive_path(digest: Sha256) -> PathBuf {
        Path::new("archives").join(digest.to_hex())
    }

    fn envelope_path(registry: RegistryId, name: &SkillName, version: &Version) -> PathBuf {
        Self::of_skill("envelopes", registry, name).join(format!("{version}.json"))
    }

    /// Owners and slugs are each one path component, and so is a version.
    fn of_skill(kind: &str, registry: RegistryId, name: &SkillName) -> PathBuf {
        let below = Path::new(kind).join(registry.to_string());
        below.join(name.owner.as_str()).join(name.slug.as_str())
    }
}

const KINDS: [&str; 5] = ["archives", "envelopes", "git", "index", "trees"];

/// Whether this user may make things in a folder, or in the nearest one above it that is there.
fn is_writable(folder: &Path) -> bool {
    let there = folder.ancestors().find(|folder| fs::symlink_metadata(folder).is_ok());
    there.is_some_and(|folder| {
        folder.is_dir() && rustix::fs::access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_come_back_by_their_digest_and_never_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("cache"));
        let digest = Sha256::of("bytes");
        assert_eq!(cache.archive(digest).unwrap(), None);
        let incoming = cache.incoming().unwrap();
        fs::write(&incoming, "bytes").unwrap();
        cache.keep_archive(incoming, digest).unwrap();
        assert_eq!(cache.archive(digest).unwrap().as_deref(), Some(&b"bytes"[..]));
        fs::write(cache.place(&Cache::archive_path(digest)), "bytez").unwrap();
        assert_eq!(cache.archive(digest).unwrap(), None);
    }

    #[test]
    fn a_download_that_is_given_up_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().to_owned());
        drop(cache.incoming().unwrap());
        assert_eq!(fs::read_dir(folder.path().join("archives")).unwrap().count(), 0);
    }
}
