use std::io;
use std::path::PathBuf;

use skill_core::digest::RegistryId;
use skill_core::name::SkillName;

use super::{Cache, keep, read_if_there};

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
        let bytes = read_if_there(&self.index_path(registry, name))?;
        Ok(bytes.and_then(|bytes| {
            let end = bytes.iter().position(|&byte| byte == b'\n')?;
            let etag = String::from_utf8(bytes[..end].to_vec()).ok()?;
            Some(CachedIndex {
                etag: Some(etag).filter(|etag| !etag.is_empty()),
                body: bytes[end + 1..].to_vec(),
            })
        }))
    }

    /// Keeps the index of a skill: a line with the entity tag, then the lines as they came.
    pub fn keep_index(&self, registry: RegistryId, name: &SkillName, index: &CachedIndex) -> io::Result<()> {
        let etag = index.etag.as_deref().filter(|etag| !etag.contains('\n')).unwrap_or_default();
        let mut bytes = format!("{etag}\n").into_bytes();
        bytes.extend_from_slice(&index.body);
        keep(&self.index_path(registry, name), &bytes)
    }

    fn index_path(&self, registry: RegistryId, name: &SkillName) -> PathBuf {
        self.of_skill("index", registry, name).with_extension("lines")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_comes_back_with_its_tag() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().to_owned());
        let registry = RegistryId::new(skill_core::digest::Sha256::of("root"));
        let name: SkillName = "acme/github".parse().unwrap();
        assert_eq!(cache.index(registry, &name).unwrap(), None);
        for etag in [Some("\"7\"".to_owned()), None] {
            let index = CachedIndex { etag, body: b"{}\n\n".to_vec() };
            cache.keep_index(registry, &name, &index).unwrap();
            assert_eq!(cache.index(registry, &name).unwrap(), Some(index));
        }
    }
}
