//! Why a text is no reference.

use super::without_credentials;
use crate::requirement::RequirementError;

/// A text that does not read as a reference. No variant holds credentials of a URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReferenceError {
    /// Nothing was written.
    #[error("a reference is empty")]
    Empty,
    /// A scheme that names no source.
    #[error("`{scheme}:` is not a source; git, github, http and https are")]
    UnknownScheme {
        /// What stands before the first `:`.
        scheme: String,
        /// Whole references that may have been meant, nearest first; two if it is a tie.
        did_you_mean: Vec<String>,
    },
    /// No path, no URL and no name in a registry.
    #[error("`{text}` does not read as {wanted}")]
    Unreadable {
        /// What was read, without credentials.
        text: String,
        /// The column in `text` where reading stopped, in characters from 1.
        at: usize,
        /// What is accepted there.
        wanted: &'static str,
    },
    /// What stands after the last `@` is neither a requirement nor a tag.
    #[error(transparent)]
    Selector(#[from] RequirementError),
    /// A git ref that git would take for an option.
    #[error("the ref `{reference}` starts with `-`")]
    RefDash {
        /// The ref.
        reference: String,
    },
    /// A source that git or ssh would take for an option.
    #[error("`{source_text}` starts with `-`, or its host does")]
    SourceDash {
        /// The source, without credentials.
        source_text: String,
    },
    /// A path inside the source that would leave it.
    #[error("the path `{path}` inside the source has a `..` in it")]
    SubpathParent {
        /// The path, decoded.
        path: String,
    },
    /// A transport that git would run a program for, or that is not known to be harmless.
    #[error("git is not asked over `{transport}`; https, ssh, http, git and file are known")]
    Transport {
        /// The scheme of the URL.
        transport: String,
    },
    /// One ref before the `//`, another after a `#`.
    #[error("`{text}` names two refs")]
    RefTwice {
        /// What was read, without credentials.
        text: String,
    },
}

impl ReferenceError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownScheme { .. } | Self::Transport { .. } => "reference-scheme",
            Self::Empty | Self::Unreadable { .. } | Self::SourceDash { .. } | Self::RefTwice { .. } => {
                "reference-unreadable"
            }
            Self::Selector(error) => error.code(),
            Self::RefDash { .. } => "ref-dash",
            Self::SubpathParent { .. } => "subpath-parent",
        }
    }

    /// The text and the column in it, in characters from 1, under which a caret belongs.
    pub fn caret(&self) -> Option<(&str, usize)> {
        match self {
            Self::Unreadable { text, at, .. } => Some((text, *at)),
            Self::Selector(error) => Some((&error.text, error.at)),
            _ => None,
        }
    }

    /// Reading stopped at byte `at` of `text`.
    pub(super) fn unreadable(text: &str, at: usize, wanted: &'static str) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let at = without_credentials(before).chars().count() + 1;
        Self::Unreadable { text: without_credentials(text), at, wanted }
    }
}
