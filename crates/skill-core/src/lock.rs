//! `skills.lock`: what is installed, exactly (docs/FORMAT.md, "skills.lock").
//!
//! TOML, made to be committed and to merge: one table per skill, sorted, one spelling. In memory
//! there is the newest form only; each form that was ever on disk has a module of its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::digest::{RegistryId, Sha256, TreeDigest};
use crate::name::{Owner, SkillName, Slug};
use crate::reference::Location;
use crate::requirement::Requirement;
use crate::strict_toml::{self, Fields, TomlError};
use crate::verdict::Verdict;
use crate::version::Version;

mod v1;

/// What a lock holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lock {
    /// The registries that its entries come from, by the name that is used here.
    pub registries: BTreeMap<String, LockedRegistry>,
    /// The skills by local name: the folder they are in.
    pub skills: BTreeMap<Slug, LockedSkill>,
}

/// A registry that entries come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedRegistry {
    /// Who it is.
    pub id: RegistryId,
    /// Where it was reached.
    pub url: Location,
}

/// One installed skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedSkill {
    /// Where it came from.
    pub source: LockedSource,
    /// Which releases were asked for; `None` where there is nothing to ask.
    pub requirement: Option<Requirement>,
    /// What is on disk.
    pub tree: TreeDigest,
    /// What its scan said when it was installed.
    pub verdict: Verdict,
    /// Which findings that verdict rests on ([`crate::verdict::findings_digest`]).
    pub findings: Sha256,
    /// Whether a person accepted these findings.
    pub accepted: bool,
    /// The folders it is installed into, relative to the work directory, with `/`.
    pub targets: BTreeSet<String>,
}

/// Where an installed skill came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LockedSource {
    /// A release of a registry.
    Registry {
        /// Which registry. The entries of [`Lock::registries`] say where it is reached.
        registry: RegistryId,
        /// Whose skill.
        owner: Owner,
        /// Which skill.
        slug: Slug,
        /// Which release.
        version: Version,
        /// The digest of its archive.
        archive: Sha256,
        /// The publisher whom its release statement names.
        publisher: Owner,
        /// The log index of its release statement, at most 2^63 - 1.
        log_index: u64,
    },
    /// A folder.
    Path {
        /// Relative to the work directory where possible, with `/`.
        path: String,
    },
    /// An archive from this machine or from a URL.
    Archive {
        /// A URL, or a path relative to the work directory where possible, with `/`.
        location: Location,
        /// The digest of its bytes.
        sha256: Sha256,
        /// The folder inside it.
        path: Option<String>,
    },
    /// A commit of a git repository.
    Git {
        /// The repository; reads as a [`crate::reference::GitSource`].
        url: Location,
        /// The ref that was asked for.
        reference: Option<String>,
        /// The commit it was: 40 or 64 hexadecimal digits.
        commit: String,
        /// The folder inside it.
        path: Option<String>,
    },
}

impl LockedSource {
    /// `owner/slug`, if it is a registry's.
    pub fn name(&self) -> Option<SkillName> {
        match self {
            Self::Registry { owner, slug, .. } => Some(SkillName::new(owner.clone(), slug.clone())),
            _ => None,
        }
    }

    /// The word for its kind, as the lock and `--json` have it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Registry { .. } => "registry",
            Self::Path { .. } => "path",
            Self::Archive { .. } => "archive",
            Self::Git { .. } => "git",
        }
    }
}

/// Why a lock could not be read. There is no reading that guesses: a lock that cannot be read is
/// never an empty one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    /// A merge was not finished.
    #[error("skills.lock holds conflict markers, line {line}")]
    Conflict {
        /// The line of the first marker, from 1.
        line: u32,
    },
    /// Nothing is in it.
    #[error("skills.lock is empty; it begins with `format = {}`", Lock::FORMAT)]
    Empty,
    /// It is not a lock of a known shape.
    #[error("skills.lock, {0}")]
    Unreadable(#[from] TomlError),
    /// A newer `skill` wrote it.
    #[error("skills.lock has format {found}, this build reads up to {}", Lock::FORMAT)]
    Newer {
        /// Its format number.
        found: u64,
    },
}

impl LockError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "lock-conflict",
            Self::Empty | Self::Unreadable(_) => "lock-unreadable",
            Self::Newer { .. } => "lock-newer",
        }
    }
}

impl Lock {
    /// What the file is called.
    pub const FILE_NAME: &str = "skills.lock";
    /// The format that this build writes.
    pub const FORMAT: u64 = 1;

    /// Reads a lock of any known format. Keys that a format does not know are refused: they would
    /// be lost, or mean something.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        if let Some(line) = first_conflict_marker(text) {
            return Err(LockError::Conflict { line });
        }
        let document = strict_toml::document(text)?;
        let fields = Fields::of(&document);
        if fields.is_empty() {
            return Err(LockError::Empty);
        }
        match fields.need_number("format")? {
            1 => Ok(v1::read(fields)?),
            0 => Err(fields.wrong_value("format", "formats are counted from 1").into()),
            found => Err(LockError::Newer { found }),
        }
    }

    /// The text of the lock. The same lock has the same bytes, always.
    pub fn to_toml(&self) -> String {
        v1::write(self)
    }

    /// The name that a registry has here.
    pub fn registry_name(&self, id: RegistryId) -> Option<&str> {
        self.registries.iter().find(|(_, registry)| registry.id == id).map(|(name, _)| name.as_str())
    }

    /// The entries that are this skill of this registry, whatever they are called here.
    pub fn of_skill(&self, id: RegistryId, name: &SkillName) -> impl Iterator<Item = (&Slug, &LockedSkill)> {
        self.skills.iter().filter(move |(_, skill)| {
            matches!(&skill.source, LockedSource::Registry { registry, .. } if *registry == id)
                && skill.source.name().as_ref() == Some(name)
        })
    }

    /// Drops the registries that no entry comes from.
    pub fn forget_unused_registries(&mut self) {
        let used: BTreeSet<RegistryId> = self
            .skills
            .values()
            .filter_map(|skill| match skill.source {
                LockedSource::Registry { registry, .. } => Some(registry),
                _ => None,
            })
            .collect();
        self.registries.retain(|_, registry| used.contains(&registry.id));
    }
}

/// The line of the first text that a merge leaves behind; none of them can begin a line of TOML.
pub(crate) fn first_conflict_marker(text: &str) -> Option<u32> {
    let marker = |line: &str| {
        let line = line.trim_end();
        ["<<<<<<<", "|||||||", ">>>>>>>"].iter().any(|marker| line.starts_with(marker)) || line == "======="
    };
    text.lines().position(marker).map(|index| index as u32 + 1)
}

#[cfg(test)]
mod tests;
