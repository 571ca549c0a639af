//! Why a `SKILL.md` cannot be read at all.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::{FRONTMATTER_ENCODING, FRONTMATTER_UNREADABLE};

/// A `SKILL.md` of which nothing can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrontmatterError {
    /// The file is not UTF-8.
    #[error("not UTF-8 (looks like {looks_like})")]
    Encoding {
        /// `UTF-16LE`, `UTF-16BE`, `UTF-32LE`, `UTF-32BE`, `GBK`, `Latin-1` or `binary data`.
        looks_like: &'static str,
        /// Line of the first byte that is wrong.
        line: u32,
        /// Column of that byte in characters, from 1.
        column: u32,
    },
    /// The character U+0000, which no YAML text holds and no database keeps.
    #[error("the character U+0000 in the frontmatter, line {line}, column {column}")]
    Nul {
        /// The line it stands on.
        line: u32,
        /// The column in characters.
        column: u32,
        /// The text of that line.
        excerpt: String,
    },
    /// A merge was left unfinished.
    #[error("git conflict marker `{marker}` in the frontmatter, line {line}")]
    Conflict {
        /// The line it stands on.
        line: u32,
        /// The seven characters.
        marker: &'static str,
        /// The text of that line.
        excerpt: String,
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
        /// The line it begins on.
        line: u32,
        /// The text of that line.
        excerpt: String,
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
        let found = Diagnostic::new(rule, self.to_string()).fix(self.way_out());
        match self {
            Self::Encoding { line, column, .. } => found.at(*line, *column, *column, ""),
            Self::Conflict { line, marker, excerpt } => {
                found.at(*line, 1, marker.chars().count() as u32 + 1, excerpt)
            }
            Self::TextBefore { line, excerpt } | Self::Limit { line, excerpt, .. } => {
                found.at(*line, 1, excerpt.chars().count() as u32 + 1, excerpt)
            }
            Self::Nul { line, column, excerpt } => found.at(*line, *column, *column + 1, excerpt),
            Self::Yaml { line, column, excerpt, .. } => found.at(*line, *column, *column, excerpt),
        }
    }

    /// What to do about it, in a line.
    pub fn way_out(&self) -> String {
        match self {
            Self::Encoding { looks_like: "binary data", .. } => {
                "put a text in UTF-8 into SKILL.md".to_owned()
            }
            Self::Encoding { looks_like, .. } => {
                let charset = if *looks_like == "Latin-1" { "ISO-8859-1" } else { looks_like };
                format!("save it as UTF-8, for example with `iconv -f {charset} -t UTF-8 SKILL.md`")
            }
            Self::Nul { .. } => "take the character out".to_owned(),
            Self::Conflict { .. } => {
                "end the merge: keep one side, and take all lines with markers out".to_owned()
            }
            Self::TextBefore { .. } => {
                "begin the file with ---; that text can stand below the frontmatter".to_owned()
            }
            Self::Yaml { .. } => {
                "give `name: ` and `description: ` a line each between the fences".to_owned()
            }
            Self::Limit { .. } => {
                "keep the frontmatter short; long data belongs into a file of its own".to_owned()
            }
        }
    }
}
