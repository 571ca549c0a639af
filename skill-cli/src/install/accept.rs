use std::str::FromStr;

use skill_core::name::{NameError, SkillName};
use skill_core::version::Version;

/// `--accept owner/slug@VERSION`: the findings of this release are taken. Without a version it
/// speaks of whatever release of the skill is in this plan; a local skill is named by its local name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptance {
    name: Named,
    version: Option<Version>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Named {
    Skill(SkillName),
    Local(String),
}

/// Why a text accepts nothing.
#[derive(Debug, thiserror::Error)]
pub enum AcceptanceError {
    /// The source of a skill.
    #[error("--accept takes the name of a skill, and {0} says where one comes from")]
    Source(String),
    /// No name, or no version.
    #[error("{0}")]
    Name(#[from] NameError),
}

impl Acceptance {
    /// Whether it speaks of this release, or of the local skill that is called `local`.
    pub fn covers(&self, local: &str, release: Option<(&SkillName, &Version)>) -> bool {
        match (&self.name, release) {
            (Named::Skill(named), Some((name, version))) => {
                named == name && self.version.as_ref().is_none_or(|wanted| wanted == version)
            }
            (Named::Local(named), None) => named == local && self.version.is_none(),
            _ => false,
        }
    }
}

impl FromStr for Acceptance {
    type Err = AcceptanceError;

    fn from_str(text: &str) -> Result<Self, AcceptanceError> {
        if text.contains(':') || text.starts_with(['.', '/', '~']) {
            return Err(AcceptanceError::Source(text.to_owned()));
        }
        let (name, version) = match text.rsplit_once('@') {
            Some((name, version)) if !name.is_empty() => (name, Some(version.parse()?)),
            _ => (text, None),
        };
        let name = if name.contains('/') {
            Named::Skill(name.parse()?)
        } else {
            Named::Local(name.parse::<skill_core::name::Slug>()?.to_string())
        };
        Ok(Self { name, version })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speaks_of_one_release_only() {
        let name: SkillName = "octo/deploy".parse().unwrap();
        let other: SkillName = "octo/other".parse().unwrap();
        let version: Version = "0.9.2".parse().unwrap();
        let exact: Acceptance = "octo/deploy@0.9.2".parse().unwrap();
        assert!(exact.covers("deploy", Some((&name, &version))));
        assert!(!exact.covers("deploy", Some((&name, &"0.9.3".parse().unwrap()))));
        assert!(!exact.covers("deploy", Some((&other, &version))));
        assert!(!exact.covers("deploy", None));
        let any: Acceptance = "@octo/deploy".parse().unwrap();
        assert!(any.covers("deploy", Some((&name, &version))));
        let local: Acceptance = "dirry".parse().unwrap();
        assert!(local.covers("dirry", None));
        assert!(!local.covers("deploy", Some((&name, &version))));
        assert!("octo/deploy@^1".parse::<Acceptance>().is_err());
        for source in [".", "./dirry", "../dirry", "/srv/dirry", "~/dirry", "git:../r", "https://x.example/y"]
        {
            let error = source.parse::<Acceptance>().unwrap_err();
            assert!(matches!(error, AcceptanceError::Source(text) if text == source));
        }
    }
}
