use std::fmt;

/// What no bundle holds, whatever its source and its ignore files say: what version control and operating
/// systems leave in folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Junk {
    /// A folder of a version control system (or `.git` as a file, in work trees and submodules).
    VersionControl,
    /// What macOS and Windows put beside files.
    System,
}

impl Junk {
    /// What a name on disk or in an archive is, if it is one of them.
    pub fn of(segment: &str) -> Option<Self> {
        match segment {
            ".hg" | ".svn" | ".jj" | ".bzr" | "CVS" | "_darcs" => Some(Self::VersionControl),
            "__MACOSX" | ".DS_Store" | "Icon\r" | "Thumbs.db" | "desktop.ini" => Some(Self::System),
            // Where letter case does not count, git takes what is in it for a repository of its own.
            _ if segment.eq_ignore_ascii_case(".git") => Some(Self::VersionControl),
            _ if segment.starts_with("._") => Some(Self::System),
            _ => None,
        }
    }

    /// What the outermost such segment of a path is, and the folder it lies in; the root is the empty text.
    pub(crate) fn in_path(path: &str) -> Option<(Self, &str)> {
        let mut at = 0;
        for segment in path.split('/') {
            if let Some(junk) = Self::of(segment) {
                return Some((junk, path.get(..at).unwrap_or_default().trim_end_matches('/')));
            }
            at += segment.len() + 1;
        }
        None
    }
}

impl fmt::Display for Junk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::VersionControl => "version control, always",
            Self::System => "left by the operating system, always",
        })
    }
}
