use std::io;
use std::path::PathBuf;

use skill_core::digest::{RegistryId, Sha256};
use skill_core::name::SkillName;

use super::{Cache, keep};
use crate::files::limit;

/// An answer of the index as it was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedIndex {
    /// What to ask with whether it still holds; none if the registry gave nothing.
    pub etag: Option<String>,
    /// The lines as they came.
    pub body: Vec<u8>,
}

impl Cache {
    /// The index of a skill as it was fetched last.
    pub fn index(&self, registry: RegistryId, name: &SkillName) -> io::Result<Option<CachedIndex>> {
        Ok(self.kept(&Self::index_path(registry, name), limit::INDEX)?.and_then(|bytes| opened(&bytes)))
    }

    /// Keeps the index of a skill: a line with the digest of what follows, one with the entity tag, then the
    /// lines as they came.
    pub fn keep_index(&self, registry: RegistryId, name: &SkillName, index: &CachedIndex) -> io::Result<()> {
        let etag = index.etag.as_deref().filter(|etag| !etag.contains('\n')).unwrap_or_default();
        let guarded = [format!("{etag}\n").as_bytes(), &index.body].concat();
        let bytes = [format!("{}\n", Sha256::of(&guarded)).as_bytes(), &guarded].concat();
        keep(&self.place(&Self::index_path(registry, name)), &bytes)
    }

    fn index_path(registry: RegistryId, name: &SkillName) -> PathBuf {
        Self::of_skill("index", registry, name).with_extension("lines")
    }
}

/// What was kept; nothing if it is not what was kept. The registry is asked anew then, for all of it.
fn opened(bytes: &[u8]) -> Option<CachedIndex> {
    let line = |bytes: &[u8]| bytes.iter().position(|&byte| byte == b'\n');
    let (digest, guarded) = bytes.split_at(line(bytes)? + 1);
    if digest.strip_suffix(b"\n")? != Sha256::of(guarded).to_string().as_bytes() {
        return None;
    }
    let (etag, body) = guarded.split_at(line(guarded)? + 1);
    let etag = String::from_utf8(etag.strip_suffix(b"\n")?.to_vec()).ok()?;
    Some(CachedIndex { etag: Some(etag).filter(|etag| !etag.is_empty()), body: body.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_comes_back_with_its_tag() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().to_owned());
        let registry = RegistryId::new(Sha256::of("root"));
        let name: SkillName = "acme/github".parse().unwrap();
        assert_eq!(cache.index(registry, &name).unwrap(), None);
        for etag in [Some("\"7\"".to_owned()), None] {
            let index = CachedIndex { etag, body: b"{}\n\n".to_vec() };
            cache.keep_index(registry, &name, &index).unwrap();
            assert_eq!(cache.index(registry, &name).unwrap(), Some(index));
        }
    }

    #[test]
    fn a_damaged_index_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().to_owned());
        let registry = RegistryId::new(Sha256::of("root"));
        let name: SkillName = "acme/github".parse().unwrap();
        let path = cache.place(&Cache::index_path(registry, &name));
        let index = CachedIndex { etag: Some("\"7\"".to_owned()), body: b"{}\n\n".to_vec() };
        cache.keep_index(registry, &name, &index).unwrap();
        let whole = fs_err::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs_err::write(&path, &bytes).unwrap();
            assert_eq!(cache.index(registry, &name).unwrap(), None, "byte {at}");
            fs_err::write(&path, &whole[..at]).unwrap();
            assert_eq!(cache.index(registry, &name).unwrap(), None, "cut at {at}");
        }
    }
}
