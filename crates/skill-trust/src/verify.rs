//! Checking a trust envelope against the root and against what was asked for.
//!
//! Until the log's proofs travel in the envelope, the required set of a release is: one release
//! statement and at least one scan statement, each signed by its role inside its key's range,
//! all about the registry, the skill, the version and the bytes that were expected. A leaf's
//! number is what the registry says; nothing proves it yet.

mod error;
mod restrictions;
mod signed;

use skill_core::digest::{RegistryId, Sha256, TreeDigest};
use skill_core::name::{Owner, SkillName, Slug};
use skill_core::version::Version;

pub use error::TrustError;
pub use restrictions::{RestrictionEvent, Restrictions};
pub use signed::open_statement;

use crate::envelope::{LoggedStatement, TrustEnvelope};
use crate::predicate::{Kind, Predicate, ReleasePredicate, ScanPredicate};
use crate::root::TrustedRoot;
use crate::statement::{Content, Statement};

/// What a reader asked for: the answer must be about exactly this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The registry that is pinned.
    pub registry: RegistryId,
    /// Whose skill.
    pub owner: Owner,
    /// Which skill.
    pub slug: Slug,
    /// Which release.
    pub version: Version,
}

/// A release whose statements were all checked. Only [`verify_release`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifiedRelease {
    /// SHA-256 of the archive to download.
    pub archive: Sha256,
    /// Bytes of that archive.
    pub archive_size: u64,
    /// Identity of what must be in it, and on disk.
    pub tree: TreeDigest,
    /// What the registry signed at the publish.
    pub release: ReleasePredicate,
    /// The scan that counts: the worst verdict that was ever logged for it, and of equal ones
    /// the newest. A later scan may worsen what is enforced, never improve it.
    pub scan: ScanPredicate,
    /// Number of the release statement's leaf. What the registry says, not yet proved.
    pub release_log_index: u64,
    /// Number of that scan statement's leaf.
    pub scan_log_index: u64,
    /// What was restricted and restored, and what of it is in force.
    pub restrictions: Restrictions,
}

impl VerifiedRelease {
    /// The skill's name.
    pub fn name(&self) -> SkillName {
        SkillName::new(self.release.owner.clone(), self.release.slug.clone())
    }
}

/// Checks every statement of `envelope`: known kind, right role, key in range, strict
/// signature, the expected registry, owner, slug and version, one content; and that nothing
/// that is needed is missing. Nothing is skipped.
pub fn verify_release(
    envelope: &TrustEnvelope,
    root: &TrustedRoot,
    expected: &Expected,
) -> Result<VerifiedRelease, TrustError> {
    if root.registry() != expected.registry {
        return Err(TrustError::Registry { expected: expected.registry, found: root.registry() });
    }
    let mut found = Found::default();
    for logged in envelope.statements() {
        let statement = open_statement(logged, root)?;
        check_target(logged, &statement, expected)?;
        found.take(logged, statement)?;
    }
    found.finish()
}

fn check_target(
    logged: &LoggedStatement,
    statement: &Statement,
    expected: &Expected,
) -> Result<(), TrustError> {
    let &LoggedStatement { kind, log_index, .. } = logged;
    let target = statement.target();
    let (Some(slug), Some(version)) = (target.slug, target.version) else {
        return Err(TrustError::Unexpected { kind, log_index });
    };
    if target.registry != expected.registry {
        return Err(TrustError::Registry { expected: expected.registry, found: target.registry });
    }
    if target.owner != &expected.owner {
        let (expected, found) = (expected.owner.clone(), target.owner.clone());
        return Err(TrustError::Owner { kind, expected, found });
    }
    if slug != &expected.slug {
        let (expected, found) = (expected.slug.clone(), slug.clone());
        return Err(TrustError::Slug { kind, expected, found });
    }
    if version != &expected.version {
        let (expected, found) = (expected.version.clone(), version.clone());
        return Err(TrustError::Version { kind, expected, found });
    }
    Ok(())
}

/// What the statements read so far add up to.
#[derive(Default)]
struct Found {
    content: Option<(Kind, Content)>,
    release: Option<(u64, ReleasePredicate)>,
    scan: Option<(u64, ScanPredicate)>,
    restrictions: Restrictions,
}

impl Found {
    fn take(&mut self, logged: &LoggedStatement, statement: Statement) -> Result<(), TrustError> {
        let (kind, index) = (logged.kind, logged.log_index);
        self.check_content(kind, statement.content())?;
        match statement.into_predicate() {
            Predicate::Release(release) => match &self.release {
                Some((first, _)) => return Err(TrustError::ReleaseTwice { first: *first, second: index }),
                None => self.release = Some((index, release)),
            },
            Predicate::Scan(scan) => {
                if self.scan.as_ref().is_none_or(|(_, worst)| scan.verdict >= worst.verdict) {
                    self.scan = Some((index, scan));
                }
            }
            Predicate::Restriction(restriction) => self.restrictions.restrict(index, restriction)?,
            Predicate::Restoration(restoration) => self.restrictions.restore(index, restoration)?,
            Predicate::Name(_) | Predicate::Publisher(_) | Predicate::PublisherReset(_) => {
                return Err(TrustError::Unexpected { kind, log_index: index });
            }
        }
        Ok(())
    }

    /// All statements of one envelope speak of the same bytes.
    fn check_content(&mut self, kind: Kind, content: Option<Content>) -> Result<(), TrustError> {
        let Some(content) = content else { return Ok(()) };
        let (first, agreed) = *self.content.get_or_insert((kind, content));
        if agreed.archive != content.archive {
            let (expected, found) = (agreed.archive, content.archive);
            return Err(TrustError::SubjectArchive { first, expected, second: kind, found });
        }
        if agreed.tree != content.tree {
            let (expected, found) = (agreed.tree, content.tree);
            return Err(TrustError::SubjectTree { first, expected, second: kind, found });
        }
        Ok(())
    }

    fn finish(self) -> Result<VerifiedRelease, TrustError> {
        let missing = |kind| TrustError::Missing { kind };
        let (release_log_index, release) = self.release.ok_or(missing(Kind::Release))?;
        let (scan_log_index, scan) = self.scan.ok_or(missing(Kind::Scan))?;
        let (_, content) = self.content.ok_or(missing(Kind::Release))?;
        Ok(VerifiedRelease {
            archive: content.archive,
            archive_size: release.archive_size,
            tree: content.tree,
            release,
            scan,
            release_log_index,
            scan_log_index,
            restrictions: self.restrictions,
        })
    }
}
