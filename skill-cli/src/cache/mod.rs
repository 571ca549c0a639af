//! What can be fetched again: archives by their digest, index answers with their entity tags, and
//! envelopes. Everything that comes out of here is checked like what comes from the network.

mod file;
mod index;

use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;
use skill_core::digest::{RegistryId, Sha256, TreeDigest};
use skill_core::name::SkillName;
use skill_core::version::Version;

pub use file::{keep, read_if_there};
pub use index::CachedIndex;

/// The cache of one user.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The cache below `folder`, which is made when something is kept.
    pub const fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The bytes of an archive, if they are here and are what they are called by. A damaged file
    /// counts as absent.
    pub fn archive(&self, digest: Sha256) -> io::Result<Option<Vec<u8>>> {
        let bytes = read_if_there(&self.archive_path(digest))?;
        Ok(bytes.filter(|bytes| Sha256::of(bytes) == digest))
    }

    /// A place for a download, in the same file system as the archives.
    pub fn incoming(&self) -> io::Result<tempfile::TempPath> {
        let folder = self.folder.join("archives");
        fs::create_dir_all(&folder)?;
        Ok(tempfile::Builder::new().prefix(".incoming-").tempfile_in(folder)?.into_temp_path())
    }

    /// Keeps a download under the digest that was taken while it came.
    pub fn keep_archive(&self, incoming: tempfile::TempPath, digest: Sha256) -> io::Result<()> {
        incoming.persist(self.archive_path(digest)).map_err(|refused| refused.error)
    }

    /// The envelope of a release as it was fetched last.
    pub fn envelope(
        &self,
        registry: RegistryId,
        name: &SkillName,
        version: &Version,
    ) -> io::Result<Option<Vec<u8>>> {
        read_if_there(&self.envelope_path(registry, name, version))
    }

    /// Keeps an envelope.
    pub fn keep_envelope(
        &self,
        registry: RegistryId,
        name: &SkillName,
        version: &Version,
        bytes: &[u8],
    ) -> io::Result<()> {
        keep(&self.envelope_path(registry, name, version), bytes)
    }

    /// An archive with this tree, kept when a folder was installed. Whoever opens it takes the
    /// digest of its tree again.
    pub fn tree(&self, tree: TreeDigest) -> io::Result<Option<Vec<u8>>> {
        read_if_there(&self.tree_path(tree))
    }

    /// Keeps an archive with this tree.
    pub fn keep_tree(&self, tree: TreeDigest, archive: &[u8]) -> io::Result<()> {
        keep(&self.tree_path(tree), archive)
    }

    fn tree_path(&self, tree: TreeDigest) -> PathBuf {
        self.folder.join("trees").join(tree.sha256().to_hex())
    }

    fn archive_path(&self, digest: Sha256) -> PathBuf {
        self.folder.join("archives").join(digest.to_hex())
    }

    fn envelope_path(&self, registry: RegistryId, name: &SkillName, version: &Version) -> PathBuf {
        self.of_skill("envelopes", registry, name).join(format!("{version}.json"))
    }

    /// Owners and slugs are each one path component, and so is a version.
    fn of_skill(&self, kind: &str, registry: RegistryId, name: &SkillName) -> PathBuf {
        let below = Path::new(kind).join(registry.to_string());
        self.folder.join(below).join(name.owner.as_str()).join(name.slug.as_str())
    }
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
        fs::write(cache.archive_path(digest), "bytez").unwrap();
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
