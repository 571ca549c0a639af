//! Trees: what a bundle is, without its bytes.
//!
//! The preimage of a tree's digest is the line `skill-tree-v1\n`, and then for each file, in byte order of its
//! path:
//!
//! ```text
//! <mode> <size> <sha256 hex> <byte length of path> <path>\n
//! ```
//!
//! Mode is `100644` or `100755`, the numbers are decimal without leading zeros, single blanks part the fields.
//! The length stands before the path, so that no path can be mistaken for the rest of another line. The digest is the
//! SHA-256 of these bytes. It says nothing about times, owners, other mode bits, empty folders or the archive the
//! files travelled in. The preimage itself is kept as `<hex>.tree`.

use std::fmt::Write as _;

use skill_core::digest::{Sha256, TreeDigest};

use crate::{Bundle, BundlePath, PathError};

const HEAD: &str = "skill-tree-v1\n";

/// The one mode bit that a bundle keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// `100644`.
    Plain,
    /// `100755`.
    Executable,
}

impl Mode {
    /// The mode of a file whose owner may or may not execute it.
    pub const fn of(executable: bool) -> Self {
        if executable { Self::Executable } else { Self::Plain }
    }

    /// As it stands in a preimage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "100644",
            Self::Executable => "100755",
        }
    }

    /// Permission bits on disk: `0o644` or `0o755`.
    pub const fn permissions(self) -> u32 {
        match self {
            Self::Plain => 0o644,
            Self::Executable => 0o755,
        }
    }
}

/// One file of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// Where it lies.
    pub path: BundlePath,
    /// Its mode bit.
    pub mode: Mode,
    /// Number of bytes.
    pub size: u64,
    /// SHA-256 of the bytes.
    pub sha256: Sha256,
}

/// The files of a bundle by path, mode, size and digest, in byte order of their paths, each path once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    entries: Vec<TreeEntry>,
}

impl Tree {
    /// The tree of a bundle.
    pub fn of(bundle: &Bundle) -> Self {
        let entry = |(path, file): (&BundlePath, &crate::BundleFile)| TreeEntry {
            path: path.clone(),
            mode: Mode::of(file.executable()),
            size: file.size(),
            sha256: file.sha256(),
        };
        Self { entries: bundle.files().map(entry).collect() }
    }

    /// Puts entries into order; of two with one path the later is kept.
    pub(crate) fn from_entries(entries: impl IntoIterator<Item = TreeEntry>) -> Self {
        let by_path: std::collections::BTreeMap<BundlePath, TreeEntry> =
            entries.into_iter().map(|entry| (entry.path.clone(), entry)).collect();
        Self { entries: by_path.into_values().collect() }
    }

    /// The entries, in byte order of their paths.
    pub fn entries(&self) -> &[TreeEntry] {
        &self.entries
    }

    /// The entry at a path.
    pub fn get(&self, path: &str) -> Option<&TreeEntry> {
        let at = self.entries.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()?;
        self.entries.get(at)
    }

    /// The text that is digested.
    pub fn preimage(&self) -> String {
        let mut text = String::from(HEAD);
        for TreeEntry { path, mode, size, sha256 } in &self.entries {
            // Writing to a string cannot end in an error.
            let _ = writeln!(text, "{} {size} {sha256} {} {path}", mode.as_str(), path.as_str().len());
        }
        text
    }

    /// The digest: what is signed.
    pub fn digest(&self) -> TreeDigest {
        TreeDigest::new(Sha256::of(self.preimage()))
    }

    /// Reads a preimage. Only the one spelling of a tree is read, so that `Tree::parse(text)?.preimage() == text`.
    pub fn parse(text: &str) -> Result<Self, TreeError> {
        let mut rest = text.strip_prefix(HEAD).ok_or(TreeError::Head)?;
        let mut entries: Vec<TreeEntry> = Vec::new();
        while !rest.is_empty() {
            let line = entries.len() + 2;
            let (entry, after) = parse_entry(rest).map_err(|error| error.at(line))?;
            if entries.last().is_some_and(|last| last.path >= entry.path) {
                return Err(TreeError::Order { line });
            }
            entries.push(entry);
            rest = after;
        }
        Ok(Self { entries })
    }
}

/// A text that is not the preimage of a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// It starts otherwise.
    #[error("a tree starts with the line `skill-tree-v1`")]
    Head,
    /// An entry is not spelled as entries are.
    #[error("line {line} is not `<mode> <size> <sha256> <length> <path>`")]
    Entry {
        /// From 1.
        line: usize,
    },
    /// A path that no bundle holds.
    #[error("line {line}: {error}")]
    Path {
        /// From 1.
        line: usize,
        /// Why.
        error: PathError,
    },
    /// A path stands twice or out of order.
    #[error("line {line} is not in byte order of its path")]
    Order {
        /// From 1.
        line: usize,
    },
}

enum EntryError {
    Spelling,
    Path(PathError),
}

impl EntryError {
    fn at(self, line: usize) -> TreeError {
        match self {
            Self::Spelling => TreeError::Entry { line },
            Self::Path(error) => TreeError::Path { line, error },
        }
    }
}

/// One entry and what follows its line end.
fn parse_entry(text: &str) -> Result<(TreeEntry, &str), EntryError> {
    let spelled = || {
        let mut fields = text.splitn(5, ' ');
        let mode = match fields.next()? {
            "100644" => Mode::Plain,
            "100755" => Mode::Executable,
            _ => return None,
        };
        let size = decimal(fields.next()?)?;
        let sha256 = fields.next()?.parse().ok()?;
        let length = usize::try_from(decimal(fields.next()?)?).ok()?;
        let (path, after) = fields.next()?.split_at_checked(length)?;
        Some((mode, size, sha256, path, after.strip_prefix('\n')?))
    };
    let (mode, size, sha256, path, after) = spelled().ok_or(EntryError::Spelling)?;
    let parsed = BundlePath::parse(path).map_err(EntryError::Path)?;
    if parsed.as_str() != path {
        return Err(EntryError::Spelling);
    }
    Ok((TreeEntry { path: parsed, mode, size, sha256 }, after))
}

/// A decimal number as `Display` writes it.
fn decimal(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}
