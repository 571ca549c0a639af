//! Names that are easily taken for another: what a squat of a much-used name looks like.
//!
//! The rules are those that names of packages are attacked by: a letter more, less, other or out of place,
//! hyphens, characters that look alike, words in another order, words that say nothing. They compare two names
//! and know nothing of who owns them; a registry decides which names are worth the comparison, and holds the
//! first publish of a look-alike until a person has seen it.

use std::fmt;

use crate::name::Slug;

mod affix;
mod distance;
mod shown;
mod skeleton;

pub use shown::{mixed_word, same_shown};

/// In what way one slug is easily taken for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Alike {
    /// Only the hyphens differ: `git-hub`, `github`.
    Hyphens,
    /// Characters that look alike stand in for each other, or one is doubled: `g1thub`, `gitthub`.
    Confusable,
    /// The same words in another order: `analysis-data`, `data-analysis`.
    Words,
    /// Words that many names have were put before or behind: `github-pro`, `my-github`.
    Affix,
    /// So many letters are left out, put in, changed or swapped: `gihtub`, `githb`.
    Edit(u8),
}

impl Alike {
    /// One word for programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hyphens => "hyphens",
            Self::Confusable => "confusable",
            Self::Words => "words",
            Self::Affix => "affix",
            Self::Edit(_) => "edit",
        }
    }
}

impl fmt::Display for Alike {
    /// Goes on a sentence: "its name is nearly acme/github: …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hyphens => f.write_str("only the hyphens differ"),
            Self::Confusable => f.write_str("it differs in characters that look alike"),
            Self::Words => f.write_str("the same words in another order"),
            Self::Affix => f.write_str("it differs in words that many names have"),
            Self::Edit(1) => f.write_str("one letter differs"),
            Self::Edit(count) => write!(f, "{count} letters differ"),
        }
    }
}

/// Whether `one` is easily taken for `other`, and in what way; of several the one that is told first. Takes no side:
/// the names may stand in any order. Equal names are no look-alikes: under two owners they are two skills, and
/// which of them a bare slug means is written down.
pub fn alike(one: &Slug, other: &Slug) -> Option<Alike> {
    if one == other {
        return None;
    }
    let (one, other) = (one.as_str(), other.as_str());
    let (bare, other_bare) = (one.replace('-', ""), other.replace('-', ""));
    if bare == other_bare {
        Some(Alike::Hyphens)
    } else if skeleton::of(&bare) == skeleton::of(&other_bare) {
        Some(Alike::Confusable)
    } else if words(one) == words(other) {
        Some(Alike::Words)
    } else if affix::without(one) == affix::without(other) {
        Some(Alike::Affix)
    } else {
        distance::within_reach(&bare, &other_bare).map(Alike::Edit)
    }
}

fn words(slug: &str) -> Vec<&str> {
    let mut words: Vec<&str> = slug.split('-').collect();
    words.sort_unstable();
    words
}
