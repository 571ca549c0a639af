//! Version requirements: which releases an asker is content with.
//!
//! One grammar for the command line, `skills.toml` and `requires.skills`
//! (docs/FORMAT.md, "Requirements"):
//!
//! | written | means |
//! |---|---|
//! | `1.2.3`, `=1.2.3` | this release alone |
//! | `^3`, `3`, `^1.2.3` | no change of the leftmost number that is not zero |
//! | `~1.2`, `1.2`, `~1.2.3` | no change of the minor number |
//! | `3.x`, `1.2.x`, `3.*` | anything in that place |
//! | `*` | any release |
//! | `>=1.2 <2`, `>1, <=1.4` | all of them hold; a blank or a comma between |
//!
//! `v3` reads as `3`, with a warning. `||` is not supported. A pre-release is chosen only by a
//! comparator that names a pre-release of the same MAJOR.MINOR.PATCH.

use std::fmt;
use std::str::FromStr;

use semver::{Comparator, Op, VersionReq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::digest::serde_as_text;
use crate::name::Tag;
use crate::version::Version;

mod error;
mod parse;
pub use error::{RequirementError, RequirementReason};

/// Which releases are wanted.
///
/// Its text ([`fmt::Display`]) is a normal form that reads back as the same value: `=1.2.3` is
/// written `1.2.3`, `3` is `^3`, `1.2` is `~1.2`, `3.*` is `3.x`, and one blank stands between
/// comparators.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Requirement(VersionReq);

/// What was read with a smile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequirementWarning {
    /// `v3` was read as `3`.
    #[error("`{text}` is read as `{read}`")]
    LeadingV {
        /// What was written.
        text: String,
        /// The normal form of what it was read as.
        read: String,
    },
}

impl RequirementWarning {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::LeadingV { .. } => "requirement-v",
        }
    }
}

impl Requirement {
    /// Reads a requirement and says what was read leniently.
    pub fn parse(text: &str) -> Result<(Self, Option<RequirementWarning>), RequirementError> {
        let parsed = parse::requirement(text)?;
        let requirement = Self(VersionReq { comparators: parsed.comparators });
        if requirement.to_string().len() > parse::MAX_LENGTH {
            // `>=1<2` is shorter than its normal form, which is to read back.
            let at = text.chars().count() + 1;
            return Err(RequirementError { text: text.to_owned(), at, reason: RequirementReason::TooLong });
        }
        let warning = parsed
            .leading_v
            .then(|| RequirementWarning::LeadingV { text: text.to_owned(), read: requirement.to_string() });
        Ok((requirement, warning))
    }

    /// `*`: any release that is no pre-release.
    pub const fn any() -> Self {
        Self(VersionReq::STAR)
    }

    /// `^X.Y.Z`: what an install without a requirement records.
    pub fn caret(version: &Version) -> Self {
        Self::one(Op::Caret, version)
    }

    /// `X.Y.Z`: this release alone.
    pub fn exact(version: &Version) -> Self {
        Self::one(Op::Exact, version)
    }

    fn one(op: Op, version: &Version) -> Self {
        let semver::Version { major, minor, patch, pre, .. } = version.semver().clone();
        let comparator = Comparator { op, major, minor: Some(minor), patch: Some(patch), pre };
        Self(VersionReq { comparators: vec![comparator] })
    }

    /// Whether `version` is one of the wanted ones.
    pub fn matches(&self, version: &Version) -> bool {
        self.0.matches(version.semver())
    }

    /// The highest of `versions` that is wanted.
    pub fn select<'a>(&self, versions: impl IntoIterator<Item = &'a Version>) -> Option<&'a Version> {
        versions.into_iter().filter(|version| self.matches(version)).max()
    }

    /// Whether it names one release and no other could match.
    pub fn is_exact(&self) -> bool {
        matches!(&self.0.comparators[..], [Comparator { op: Op::Exact, .. }])
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.comparators.is_empty() {
            return f.write_str("*");
        }
        for (index, comparator) in self.0.comparators.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            write_comparator(f, comparator)?;
        }
        Ok(())
    }
}

fn write_comparator(f: &mut fmt::Formatter<'_>, comparator: &Comparator) -> fmt::Result {
    f.write_str(match comparator.op {
        Op::Greater => ">",
        Op::GreaterEq => ">=",
        Op::Less => "<",
        Op::LessEq => "<=",
        Op::Tilde => "~",
        Op::Caret => "^",
        _ => "",
    })?;
    write!(f, "{}", comparator.major)?;
    if let Some(minor) = comparator.minor {
        write!(f, ".{minor}")?;
    }
    if let Some(patch) = comparator.patch {
        write!(f, ".{patch}")?;
    }
    if comparator.op == Op::Wildcard {
        f.write_str(".x")?;
    }
    if !comparator.pre.is_empty() {
        write!(f, "-{}", comparator.pre)?;
    }
    Ok(())
}

impl FromStr for Requirement {
    type Err = RequirementError;

    /// Like [`Requirement::parse`], for where nobody is there to read a warning.
    fn from_str(text: &str) -> Result<Self, RequirementError> {
        Self::parse(text).map(|(requirement, _)| requirement)
    }
}

serde_as_text!(Requirement);

/// What stands after the `@` of a registry reference: a requirement if it reads as one, else a tag.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Selector {
    /// A requirement.
    Requirement(Requirement),
    /// A tag.
    Tag(Tag),
}

impl Selector {
    /// Reads a requirement or else a tag. The error is the requirement's.
    pub fn parse(text: &str) -> Result<(Self, Option<RequirementWarning>), RequirementError> {
        match Requirement::parse(text) {
            Ok((requirement, warning)) => Ok((Self::Requirement(requirement), warning)),
            Err(error) => match text.parse() {
                Ok(tag) => Ok((Self::Tag(tag), None)),
                Err(_) => Err(error),
            },
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Requirement(requirement) => fmt::Display::fmt(requirement, f),
            Self::Tag(tag) => fmt::Display::fmt(tag, f),
        }
    }
}

#[cfg(test)]
mod tests;
