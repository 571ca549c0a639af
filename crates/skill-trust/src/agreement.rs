//! Whether a lock entry says what the signed release says.

use std::fmt;

use skill_core::digest::{RegistryId, Sha256, TreeDigest};
use skill_core::name::{Owner, SkillName, Slug};
use skill_core::version::Version;

use crate::verify::VerifiedRelease;

/// The fields of a registry entry of `skills.lock` that the signed release vouches for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locked<'l> {
    /// Which registry.
    pub registry: RegistryId,
    /// Whose skill.
    pub owner: &'l Owner,
    /// Which skill.
    pub slug: &'l Slug,
    /// Which release.
    pub version: &'l Version,
    /// SHA-256 of the archive.
    pub archive: Sha256,
    /// Identity of the content.
    pub tree: TreeDigest,
    /// Whose rights were used.
    pub publisher: &'l Owner,
    /// Leaf of the release statement.
    pub log_index: u64,
    /// Digest of the findings that were accepted or clean.
    pub findings: Sha256,
}

/// A field in which lock and signed release differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// Which field.
    pub field: LockField,
    /// What the lock says.
    pub locked: String,
    /// What was signed.
    pub signed: String,
}

/// The fields, in the order of the checks of `verify`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockField {
    /// Which registry.
    Registry,
    /// Whose skill.
    Owner,
    /// Which skill.
    Slug,
    /// Which release.
    Version,
    /// SHA-256 of the archive.
    Archive,
    /// Identity of the content.
    Tree,
    /// Leaf of the release statement.
    LogIndex,
    /// Whose rights were used.
    Publisher,
    /// Digest of the findings.
    Findings,
}

impl LockField {
    /// The check of `verify` that fails (cli-style part 4).
    pub const fn check(self) -> &'static str {
        match self {
            Self::Registry => "lock-registry",
            Self::Owner => "lock-owner",
            Self::Slug => "lock-slug",
            Self::Version => "lock-version",
            Self::Archive => "lock-archive",
            Self::Tree => "lock-tree",
            Self::LogIndex => "lock-log-index",
            Self::Publisher => "lock-publisher",
            Self::Findings => "lock-findings",
        }
    }
}

/// Every field in which `locked` and `signed` differ, in the order of the checks; none if they
/// agree. A lock may call the skill by any of its names, as far as the envelope proves them.
pub fn disagreements(locked: &Locked<'_>, signed: &VerifiedRelease) -> Vec<Disagreement> {
    let release = &signed.release;
    let named = signed.names.include(&SkillName::new(locked.owner.clone(), locked.slug.clone()));
    let (owner, slug) = if named { (locked.owner, locked.slug) } else { (&release.owner, &release.slug) };
    let fields = [
        differ(LockField::Registry, &locked.registry, &release.registry),
        differ(LockField::Owner, locked.owner, owner),
        differ(LockField::Slug, locked.slug, slug),
        differ(LockField::Version, locked.version, &release.version),
        differ(LockField::Archive, &locked.archive, &signed.archive),
        differ(LockField::Tree, &locked.tree, &signed.tree),
        differ(LockField::LogIndex, &locked.log_index, &signed.release_log_index),
        differ(LockField::Publisher, locked.publisher, &release.publisher),
        differ(LockField::Findings, &locked.findings, &signed.scan.findings),
    ];
    fields.into_iter().flatten().collect()
}

fn differ<T: PartialEq + fmt::Display>(field: LockField, locked: &T, signed: &T) -> Option<Disagreement> {
    (locked != signed).then(|| Disagreement { field, locked: locked.to_string(), signed: signed.to_string() })
}
