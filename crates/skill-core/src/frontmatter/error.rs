//! Why a `SKILL.md` cannot be read at all.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::{FRONTMATTER_ENCODING, FRONTMATTER_UNREADABLE};

/// A `SKILL.md` of which nothing can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrontmatterError {
    /// The file is not UTF-8.
    #[error("not UTF-8 (looks like {looks_like})")]
    Encoding {
        /// `UTF-16LE`, `UTF-16BE`, `UTF-32LE`, `UTF-32BE`, `Latin-1` or `binary data`.
        looks_like: &'static str,
        /// Line of the first byte that is wrong.
        line: u32,
    },
    /// A merge was left unfinished.
    #[error("git conflict marker `{marker}` in the frontmatter, line {line}")]
    Conflict {
        /// The line it stands on.
        line: u32,
        /// The seven characters.
        marker: &'static str,
    },
    /// Text stands before the opening fence.
    #[error("text before the opening ---, line {line}")]
    TextBefore {
        /// The line of that text.
        line: u32,
        /// The text of that line.
        excerpt: String,
    },
    /// The YAML is broken and neither name nor description could be read from its lines.
    #[error("{reason}, line {line}, column {column}")]
    Yaml {
        /// What the YAML parser said.
        reason: String,
        /// Line in the file.
        line: u32,
        /// Column in characters.
        column: u32,
        /// The text of that line.
        excerpt: String,
    },
    /// The frontmatter passes a limit that protects the reader (size, depth, aliases).
    #[error("the frontmatter passes a limit: {limit}")]
    Limit {
        /// Which limit.
        limit: &'static str,
    },
}

impl FrontmatterError {
    /// The stable code: `frontmatter-encoding` or `frontmatter-unreadable`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Encoding { .. } => FRONTMATTER_ENCODING.code,
            _ => FRONTMATTER_UNREADABLE.code,
        }
    }

    /// The same as a finding, with its place in the file.
    pub fn diagnostic(&self) -> Diagnostic {
        let rule = match self {
            Self::Encoding { .. } => &FRONTMATTER_ENCODING,
            _ => &FRONTMATTER_UNREADABLE,
        };
        let found = Diagnostic::new(rule, self.to_string());
        match self {
            Self::Encoding { line, .. } => found.at(*line, 1, 1, ""),
            Self::Conflict { line, marker } => found.at(*line, 1, 8, *marker),
            Self::TextBefore { line, excerpt } => {
                found.at(*line, 1, excerpt.chars().count() as u32 + 1, excerpt)
            }
            Self::Yaml { line, column, excerpt, .. } => found.at(*line, *column, *column, excerpt),
            Self::Limit { .. } => found,
        }
    }
}
