//! Release numbers.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::digest::serde_as_text;
use crate::name::NameError;

/// The number of a release: semver 2.0 without build metadata, used once for ever.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(semver::Version);

/// Which part of a number goes up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bump {
    /// `1.2.3` to `1.2.4`.
    Patch,
    /// `1.2.3` to `1.3.0`.
    Minor,
    /// `1.2.3` to `2.0.0`.
    Major,
}

impl Version {
    /// The first number a skill gets.
    pub const FIRST: Self = Self(semver::Version::new(1, 0, 0));

    /// Whether it has a pre-release part.
    pub fn is_prerelease(&self) -> bool {
        !self.0.pre.is_empty()
    }

    /// The number as the semver crate knows it.
    pub const fn semver(&self) -> &semver::Version {
        &self.0
    }

    /// The next number, never a pre-release: the patch bump of `1.2.3-beta` is `1.2.3`. `None` where that part
    /// is at its highest value, 2^64 - 1.
    pub fn bumped(&self, bump: Bump) -> Option<Self> {
        let semver::Version { major, minor, patch, .. } = self.0;
        let finished = self.is_prerelease();
        Some(Self(match bump {
            Bump::Patch if finished => semver::Version::new(major, minor, patch),
            Bump::Minor if finished && patch == 0 => semver::Version::new(major, minor, 0),
            Bump::Major if finished && minor == 0 && patch == 0 => semver::Version::new(major, 0, 0),
            Bump::Patch => semver::Version::new(major, minor, patch.checked_add(1)?),
            Bump::Minor => semver::Version::new(major, minor.checked_add(1)?, 0),
            Bump::Major => semver::Version::new(major.checked_add(1)?, 0, 0),
        }))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Version {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match semver::Version::parse(text) {
            Ok(version) if version.build.is_empty() && text.len() <= 128 => Ok(Self(version)),
            _ => Err(NameError {
                text: text.to_owned(),
                wanted: "a version: MAJOR.MINOR.PATCH or MAJOR.MINOR.PATCH-pre, without +build",
            }),
        }
    }
}

serde_as_text!(Version);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_build_metadata() {
        assert!("1.0.0".parse::<Version>().is_ok());
        assert!("1.0.0-beta.1".parse::<Version>().is_ok());
        for bad in ["1.0.0+b", "1.0", "v1.0.0", "01.0.0", ""] {
            assert!(bad.parse::<Version>().is_err(), "{bad}");
        }
    }

    fn bumped(from: &str, bump: Bump) -> Option<String> {
        Some(from.parse::<Version>().unwrap().bumped(bump)?.to_string())
    }

    #[test]
    fn bumps() {
        assert_eq!(bumped("1.2.3", Bump::Patch).as_deref(), Some("1.2.4"));
        assert_eq!(bumped("1.2.3", Bump::Minor).as_deref(), Some("1.3.0"));
        assert_eq!(bumped("1.2.3", Bump::Major).as_deref(), Some("2.0.0"));
        assert_eq!(bumped("1.2.3-beta.1", Bump::Patch).as_deref(), Some("1.2.3"));
        assert_eq!(bumped("2.0.0-rc.1", Bump::Major).as_deref(), Some("2.0.0"));
    }

    #[test]
    fn a_part_at_its_highest_value_does_not_go_up() {
        let most = u64::MAX;
        assert_eq!(bumped(&format!("1.2.{most}"), Bump::Patch), None);
        assert_eq!(bumped(&format!("1.2.{most}-rc.1"), Bump::Patch), Some(format!("1.2.{most}")));
        assert_eq!(bumped(&format!("1.{most}.3"), Bump::Minor), None);
        assert_eq!(bumped(&format!("{most}.2.3"), Bump::Major), None);
        assert_eq!(bumped(&format!("1.{most}.{most}"), Bump::Major).as_deref(), Some("2.0.0"));
    }
}
