//! Names: slugs, owners, tags, and what is reserved.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::digest::serde_as_text;

mod reserved;
pub use reserved::{RESERVED_OWNERS, owner_is_reserved, slug_is_reserved};

/// A text that does not follow the grammar of its kind of name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` does not read as {wanted}")]
pub struct NameError {
    /// What was read.
    pub text: String,
    /// What is accepted.
    pub wanted: &'static str,
}

/// The name of a skill inside its owner's space: `^[a-z0-9]+(-[a-z0-9]+)*$`, 1 to 96 characters.
///
/// It is also the only kind of name that ever becomes a folder: exactly one path segment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slug(String);

impl Slug {
    /// Above this many characters a slug is accepted with a warning.
    pub const LONG: usize = 64;
    /// The most characters a slug may have.
    pub const MAX: usize = 96;

    /// The slug as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Derives a slug from a display name or a folder name: lower case, every run of other
    /// characters one hyphen, cut at [`Slug::MAX`]. `None` if nothing of `a-z0-9` is left.
    pub fn slugify(name: &str) -> Option<Self> {
        let mut slug = String::with_capacity(name.len().min(Self::MAX));
        let mut gap = false;
        for character in name.chars().flat_map(char::to_lowercase) {
            if !character.is_ascii_alphanumeric() {
                gap = true;
                continue;
            }
            let hyphen = usize::from(gap && !slug.is_empty());
            if slug.len() + hyphen >= Self::MAX {
                break;
            }
            if hyphen == 1 {
                slug.push('-');
            }
            gap = false;
            slug.push(character);
        }
        (!slug.is_empty()).then_some(Self(slug))
    }
}

impl FromStr for Slug {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let fits = (1..=Self::MAX).contains(&text.len())
            && text.split('-').all(|part| {
                !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            });
        if fits {
            return Ok(Self(text.to_owned()));
        }
        Err(NameError {
            text: text.to_owned(),
            wanted: "a slug: a-z, 0-9 and single hyphens between them, 1 to 96 characters",
        })
    }
}

/// The handle of a publisher: `^[a-z0-9](?:[a-z0-9_-]{0,38}[a-z0-9])?$`, no dots.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Owner(String);

impl Owner {
    /// The handle as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Owner {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let edge = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let bytes = text.as_bytes();
        let fits = (1..=40).contains(&bytes.len())
            && edge(bytes[0])
            && edge(bytes[bytes.len() - 1])
            && bytes.iter().all(|&b| edge(b) || b == b'_' || b == b'-');
        if fits {
            return Ok(Self(text.to_owned()));
        }
        Err(NameError {
            text: text.to_owned(),
            wanted: "an owner: a-z, 0-9, with - and _ inside, 1 to 40 characters",
        })
    }
}

/// A tag: `^[a-z][a-z0-9._-]{0,63}$`. `latest` is one that the registry derives.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(String);

impl Tag {
    /// The tag as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the derived tag `latest`.
    pub fn is_latest(&self) -> bool {
        self.0 == "latest"
    }
}

impl FromStr for Tag {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let bytes = text.as_bytes();
        let inner = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-');
        let fits =
            (1..=64).contains(&bytes.len()) && bytes[0].is_ascii_lowercase() && bytes.iter().all(inner);
        if fits {
            return Ok(Self(text.to_owned()));
        }
        Err(NameError {
            text: text.to_owned(),
            wanted: "a tag: a letter, then a-z, 0-9, `.`, `_` or `-`, 1 to 64 characters",
        })
    }
}

macro_rules! text_newtype {
    ($($name:ident),+) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}
text_newtype!(Slug, Owner, Tag);
serde_as_text!(Slug, Owner, Tag, SkillName);

/// A skill in a registry: `owner/slug`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillName {
    /// Whose it is.
    pub owner: Owner,
    /// What it is called there.
    pub slug: Slug,
}

impl SkillName {
    /// Joins the two halves.
    pub const fn new(owner: Owner, slug: Slug) -> Self {
        Self { owner, slug }
    }
}

impl fmt::Display for SkillName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.slug)
    }
}

impl FromStr for SkillName {
    type Err = NameError;

    /// Reads `owner/slug` and `@owner/slug`.
    fn from_str(text: &str) -> Result<Self, NameError> {
        let wrong = || NameError { text: text.to_owned(), wanted: "owner/slug" };
        let (owner, slug) = text.strip_prefix('@').unwrap_or(text).split_once('/').ok_or_else(wrong)?;
        Ok(Self::new(owner.parse()?, slug.parse()?))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn slugs() {
        for good in ["a", "github", "a-b-c", "0", &"x".repeat(96)] {
            assert!(good.parse::<Slug>().is_ok(), "{good}");
        }
        for bad in ["", "-a", "a-", "a--b", "A", "a_b", "a.b", "ä", "a/b", "..", &"x".repeat(97)] {
            assert!(bad.parse::<Slug>().is_err(), "{bad}");
        }
    }

    #[test]
    fn owners() {
        for good in ["a", "acme", "a_b-c", "0x", &"x".repeat(40)] {
            assert!(good.parse::<Owner>().is_ok(), "{good}");
        }
        for bad in ["", "_a", "a-", "a.b", "A", "@a", &"x".repeat(41)] {
            assert!(bad.parse::<Owner>().is_err(), "{bad}");
        }
    }

    #[test]
    fn slugify_keeps_what_it_can() {
        let slugify = |name| Slug::slugify(name).map(|slug| slug.to_string());
        assert_eq!(slugify("Data Analysis").as_deref(), Some("data-analysis"));
        assert_eq!(slugify("ce:brainstorm").as_deref(), Some("ce-brainstorm"));
        assert_eq!(slugify("../../evil").as_deref(), Some("evil"));
        assert_eq!(slugify("天气"), None);
    }

    proptest! {
        #[test]
        fn what_slugify_gives_is_a_slug(name in ".{0,200}") {
            if let Some(slug) = Slug::slugify(&name) {
                prop_assert_eq!(slug.as_str().parse::<Slug>(), Ok(slug));
            }
        }
    }
}
