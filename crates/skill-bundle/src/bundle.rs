use std::collections::BTreeMap;
use std::sync::Arc;

use skill_core::digest::Sha256;

use crate::BundlePath;

/// The file that makes a folder a skill, as it is spelled in every bundle.
pub const SKILL_MD: &str = "SKILL.md";

/// One file of a bundle: its bytes, its one mode bit, and the digest of the bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct BundleFile {
    executable: bool,
    content: Arc<Vec<u8>>,
    sha256: Sha256,
}

impl BundleFile {
    /// `sha256` is the digest of `content`.
    pub(crate) const fn new(executable: bool, content: Arc<Vec<u8>>, sha256: Sha256) -> Self {
        Self { executable, content, sha256 }
    }

    /// Whether its owner may execute it.
    pub const fn executable(&self) -> bool {
        self.executable
    }

    /// The bytes, exactly as they came.
    pub fn content(&self) -> &[u8] {
        &self.content
    }

    /// Number of bytes.
    pub fn size(&self) -> u64 {
        self.content.len() as u64
    }

    /// SHA-256 of the bytes.
    pub const fn sha256(&self) -> Sha256 {
        self.sha256
    }
}

impl std::fmt::Debug for BundleFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BundleFile")
            .field("executable", &self.executable)
            .field("size", &self.size())
            .field("sha256", &self.sha256)
            .finish_non_exhaustive()
    }
}

/// The files of one skill, checked: made by [`BundleBuilder::finish`](crate::BundleBuilder::finish) only.
///
/// Every path keeps the rules of [`BundlePath`]; no two meet on a file system without letter case; no file is
/// also a folder; the limits hold; and there is a `SKILL.md` at the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundle {
    pub(crate) files: BTreeMap<BundlePath, BundleFile>,
    pub(crate) skill_md_found_as: String,
}

impl Bundle {
    /// The files, in byte order of their paths.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&BundlePath, &BundleFile)> {
        self.files.iter()
    }

    /// The file at a path.
    pub fn get(&self, path: &str) -> Option<&BundleFile> {
        self.files.get(path)
    }

    /// Number of files; at least one.
    #[expect(clippy::len_without_is_empty, reason = "a bundle holds its SKILL.md at least")]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Bytes of all files together.
    pub fn total_bytes(&self) -> u64 {
        self.files.values().map(BundleFile::size).sum()
    }

    /// The bytes of `SKILL.md`.
    pub fn skill_md(&self) -> &[u8] {
        self.files.get(SKILL_MD).map_or(&[], BundleFile::content)
    }

    pub(crate) fn skill_md_found_as(&self) -> &str {
        &self.skill_md_found_as
    }

    /// How `SKILL.md` was spelled where it came from, if otherwise (warning `skill-md-case`).
    pub fn skill_md_renamed_from(&self) -> Option<&str> {
        (self.skill_md_found_as != SKILL_MD).then_some(self.skill_md_found_as.as_str())
    }
}
