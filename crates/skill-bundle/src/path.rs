//! Paths inside a bundle.

mod characters;
mod device;
mod error;
mod short_name;

use std::borrow::Borrow;
use std::fmt;

use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizer;

pub use error::{PathError, PathRule};

/// The longest path there is, in bytes of its NFC form.
pub const MAX_PATH_BYTES: usize = 240;

/// A path inside a bundle: relative, `/` between its segments, in Unicode's NFC form, and the same
/// file on every system.
///
/// The rules are those of docs/FORMAT.md, "Paths"; each has its [`PathRule`]. Ordered by bytes, which is the
/// order of tree digests and of canonical archives.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BundlePath(String);

impl BundlePath {
    /// Brings `text` to NFC and checks every rule.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let normal = ComposingNormalizer::new_nfc().normalize(text).into_owned();
        match broken_rule(&normal) {
            Some(rule) => Err(PathError { path: text.to_owned(), rule }),
            None => Ok(Self(normal)),
        }
    }

    /// Reads a path as an archive or a file system holds it; other bytes than UTF-8 are refused.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PathError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::parse(text),
            Err(_) => {
                Err(PathError { path: String::from_utf8_lossy(bytes).into_owned(), rule: PathRule::Encoding })
            }
        }
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last segment.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The folders above the file, outermost first: `a`, `a/b` for `a/b/c.md`.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.0.match_indices('/').map(|(at, _)| &self.0[..at])
    }

    /// What two paths share that a file system without letter case takes for the same: full case folding,
    /// then NFC again.
    pub fn folded(&self) -> String {
        fold(&self.0)
    }

    /// `SKILL.md` at the root.
    pub(crate) fn skill_md() -> Self {
        Self(crate::SKILL_MD.to_owned())
    }

    /// The path below `folder`, if it lies there.
    pub(crate) fn below(&self, folder: &str) -> Option<Self> {
        let rest = self.0.strip_prefix(folder)?.strip_prefix('/')?;
        Some(Self(rest.to_owned()))
    }
}

/// The first rule that the name of an entry breaks which leads somewhere else for some reader, or is cut short by one.
///
/// What is left out has to keep these alone: it is never written, and the names that operating systems give to files of
/// their own break others (`Icon\r`, or a path that `__MACOSX/` and `._` make too long).
pub(crate) fn misleading(path: &str) -> Option<PathRule> {
    if path.contains('\0') {
        return Some(PathRule::Control);
    }
    if path.contains('\\') {
        return Some(PathRule::Backslash);
    }
    let leads_elsewhere = |rule: &PathRule| {
        matches!(rule, PathRule::EmptySegment | PathRule::DotSegment | PathRule::Parent | PathRule::Colon)
    };
    absolute(path).or_else(|| path.split('/').filter_map(broken_by_segment).find(leads_elsewhere))
}

/// Full case folding and NFC of a text in NFC.
pub(crate) fn fold(normal: &str) -> String {
    let folded = CaseMapper::new().fold_string(normal);
    ComposingNormalizer::new_nfc().normalize(&folded).into_owned()
}

/// The first rule that a text in NFC breaks.
fn broken_rule(path: &str) -> Option<PathRule> {
    if let Some(rule) = path.chars().find_map(characters::broken_by) {
        return Some(rule);
    }
    if let Some(rule) = absolute(path).or_else(|| path.split('/').find_map(broken_by_segment)) {
        return Some(rule);
    }
    (path.len() > MAX_PATH_BYTES).then_some(PathRule::Long)
}

fn absolute(path: &str) -> Option<PathRule> {
    match path.as_bytes() {
        [b'/', ..] => Some(PathRule::Absolute),
        [letter, b':', ..] if letter.is_ascii_alphabetic() => Some(PathRule::Drive),
        _ => None,
    }
}

fn broken_by_segment(segment: &str) -> Option<PathRule> {
    match segment {
        "" => Some(PathRule::EmptySegment),
        "." => Some(PathRule::DotSegment),
        ".." => Some(PathRule::Parent),
        _ if segment.contains(':') => Some(PathRule::Colon),
        _ if segment.starts_with(char::is_whitespace) => Some(PathRule::Leading),
        _ if segment.ends_with(['.', ' ']) => Some(PathRule::Trailing),
        _ if device::is_reserved(segment) => Some(PathRule::Device),
        _ if short_name::is_one(segment) => Some(PathRule::ShortName),
        _ => None,
    }
}

impl fmt::Display for BundlePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for BundlePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl AsRef<str> for BundlePath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for BundlePath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for BundlePath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        Self::parse(text)
    }
}
