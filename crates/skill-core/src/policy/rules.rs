use std::fmt;
use std::str::FromStr;

use super::{Capability, SourceKind};
use crate::name::Owner;
use crate::strict_toml::{Fields, TomlError};

/// `[security.rules]`: what needs no program. An absent key lets everything through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Proofs that have to be there.
    pub require: Vec<Require>,
    /// Whose skills come in; everybody's if absent.
    pub allowed_publishers: Option<Vec<Publisher>>,
    /// Whose skills stay out.
    pub denied_publishers: Vec<Publisher>,
    /// Where skills may come from; anywhere if absent.
    pub allowed_sources: Option<Vec<SourceRule>>,
    /// How old a release has to be.
    pub min_release_age: Option<Age>,
    /// Licences that come in; any or none if absent.
    pub allowed_licences: Option<Vec<String>>,
    /// What a skill must not be able to do.
    pub denied_capabilities: Vec<Capability>,
}

/// A proof that a rule asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Require {
    /// A registry signed exactly these bytes.
    Signature,
    /// The release is proved to be in the registry's log.
    Log,
    /// The scan found nothing, accepted findings included.
    VerdictClean,
}

/// A publisher of a registry: `registry-name:owner`, or `registry-name:*` for all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publisher {
    /// The name of the registry in the same layer's file.
    pub registry: String,
    /// Whose skills; everybody's if none.
    pub owner: Option<Owner>,
}

/// A source that a rule lets in: `registry`, `registry:NAME`, `git`, `archive`, `path`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceRule {
    /// A kind of source.
    Kind(SourceKind),
    /// One registry, by its name in the same layer's file.
    Registry(String),
}

/// How old a release has to be, as written: a whole number and one of `s m h d w`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Age {
    /// The age in seconds.
    pub seconds: i64,
    text: String,
}

impl Rules {
    pub(super) fn read(fields: Fields<'_>) -> Result<Self, TomlError> {
        fields.deny_unknown(&[
            "require",
            "allowed_publishers",
            "denied_publishers",
            "allowed_sources",
            "min_release_age",
            "allowed_licences",
            "denied_capabilities",
        ])?;
        Ok(Self {
            require: list(fields, "require")?.unwrap_or_default(),
            allowed_publishers: list(fields, "allowed_publishers")?,
            denied_publishers: list(fields, "denied_publishers")?.unwrap_or_default(),
            allowed_sources: list(fields, "allowed_sources")?,
            min_release_age: fields.read("min_release_age")?,
            allowed_licences: list(fields, "allowed_licences")?,
            denied_capabilities: list(fields, "denied_capabilities")?.unwrap_or_default(),
        })
    }

    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The keys that ask for something, in the order in which they are judged.
    pub fn keys(&self) -> Vec<&'static str> {
        let asked = [
            (!self.require.is_empty(), "require"),
            (self.allowed_publishers.is_some(), "allowed_publishers"),
            (!self.denied_publishers.is_empty(), "denied_publishers"),
            (self.allowed_sources.is_some(), "allowed_sources"),
            (self.min_release_age.is_some(), "min_release_age"),
            (self.allowed_licences.is_some(), "allowed_licences"),
            (!self.denied_capabilities.is_empty(), "denied_capabilities"),
        ];
        asked.into_iter().filter(|(asked, _)| *asked).map(|(_, key)| key).collect()
    }

    /// The names of registries that the rules speak of.
    pub fn registries(&self) -> impl Iterator<Item = &str> {
        let allowed = self.allowed_publishers.iter().flatten();
        let publishers = allowed.chain(&self.denied_publishers).map(|publisher| publisher.registry.as_str());
        let sources = self.allowed_sources.iter().flatten().filter_map(|source| match source {
            SourceRule::Registry(name) => Some(name.as_str()),
            SourceRule::Kind(_) => None,
        });
        publishers.chain(sources)
    }
}

fn list<T: FromStr<Err: fmt::Display>>(
    fields: Fields<'_>,
    key: &'static str,
) -> Result<Option<Vec<T>>, TomlError> {
    if !fields.has(key) {
        return Ok(None);
    }
    let texts: Vec<String> = fields.need_texts(key)?;
    let read = texts.iter().map(|text| text.parse().map_err(|error: T::Err| fields.wrong_value(key, error)));
    read.collect::<Result<_, _>>().map(Some)
}

impl FromStr for Require {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "signature" => Ok(Self::Signature),
            "log" => Ok(Self::Log),
            "verdict:clean" => Ok(Self::VerdictClean),
            _ => Err(format!("`{text}` is none of signature, log and verdict:clean")),
        }
    }
}

impl Require {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Signature => "signature",
            Self::Log => "log",
            Self::VerdictClean => "verdict:clean",
        }
    }
}

impl FromStr for Publisher {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shape = || format!("`{text}` is not written as REGISTRY:OWNER");
        let (registry, owner) = text.split_once(':').ok_or_else(shape)?;
        if registry.is_empty() {
            return Err(shape());
        }
        let owner = match owner {
            "*" => None,
            owner => Some(owner.parse().map_err(|error| format!("`{text}`: {error}"))?),
        };
        Ok(Self { registry: registry.to_owned(), owner })
    }
}

impl fmt::Display for Publisher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.owner {
            Some(owner) => write!(f, "{}:{owner}", self.registry),
            None => write!(f, "{}:*", self.registry),
        }
    }
}

impl FromStr for SourceRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "registry" => Ok(Self::Kind(SourceKind::Registry)),
            "git" => Ok(Self::Kind(SourceKind::Git)),
            "archive" => Ok(Self::Kind(SourceKind::Archive)),
            "path" | "directory" => Ok(Self::Kind(SourceKind::Path)),
            _ => match text.strip_prefix("registry:") {
                Some(name) if !name.is_empty() => Ok(Self::Registry(name.to_owned())),
                _ => Err(format!("`{text}` is none of registry, registry:NAME, git, archive and path")),
            },
        }
    }
}

impl fmt::Display for SourceRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => f.write_str(kind.as_str()),
            Self::Registry(name) => write!(f, "registry:{name}"),
        }
    }
}

impl FromStr for Age {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shape = || format!("`{text}` is not an age such as 36h or 3d");
        let unit = text.chars().last().ok_or_else(shape)?;
        let seconds = match unit {
            's' => 1,
            'm' => 60,
            'h' => 3600,
            'd' => 86_400,
            'w' => 7 * 86_400,
            _ => return Err(shape()),
        };
        let number: u32 = text[..text.len() - unit.len_utf8()].parse().map_err(|_| shape())?;
        Ok(Self { seconds: i64::from(number) * seconds, text: text.to_owned() })
    }
}

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Security;

    fn refused(line: &str) -> String {
        Security::parse(&format!("[security.rules]\n{line}\n")).unwrap_err().to_string()
    }

    #[test]
    fn every_key_is_read() {
        let text = "[security.rules]\nrequire = [\"signature\", \"log\", \"verdict:clean\"]\n\
                    allowed_publishers = [\"corp:acme\", \"corp:*\"]\ndenied_publishers = [\"corp:evil\"]\n\
                    allowed_sources = [\"registry:corp\", \"path\", \"directory\"]\nmin_release_age = \"3d\"\n\
                    allowed_licences = [\"MIT\"]\ndenied_capabilities = [\"network\", \"bin:curl\"]\n";
        let rules = Security::parse(text).unwrap().rules;
        assert_eq!(rules.require, [Require::Signature, Require::Log, Require::VerdictClean]);
        assert_eq!(rules.min_release_age.as_ref().unwrap().seconds, 3 * 86_400);
        assert_eq!(rules.registries().collect::<Vec<_>>(), ["corp"; 4]);
        assert_eq!(rules.allowed_sources.unwrap()[2], SourceRule::Kind(SourceKind::Path));
    }

    #[test]
    fn a_word_that_would_deny_nothing_is_an_error() {
        assert!(refused("requires = []").contains("`requires` is not known"));
        assert!(refused("require = [\"verdict\"]").contains("`verdict` is none of"));
        assert!(refused("denied_publishers = [\"evil\"]").contains("REGISTRY:OWNER"));
        assert!(refused("denied_publishers = [\"corp:Evil One\"]").contains("Evil One"));
        assert!(refused("allowed_sources = [\"gti\"]").contains("`gti` is none of"));
        assert!(refused("min_release_age = \"3\"").contains("such as 36h or 3d"));
        assert!(refused("min_release_age = \"-3d\"").contains("such as 36h or 3d"));
        assert!(refused("min_release_age = 3").contains("a text in quotes"));
        assert!(refused("denied_capabilities = [\"netwrok\"]").contains("netwrok"));
    }
}
