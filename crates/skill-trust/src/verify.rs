//! Checking a trust envelope against the root and against what was asked for.
//!
//! Until the log's proofs travel in the envelope, the required set of a release is: one release
//! statement and at least one scan statement, each signed by its role inside its key's range,
//! all about the registry, the skill, the version and the bytes that were expected. A skill that
//! changed its name is still that skill, if signed aliases say so. A leaf's number is what the
//! registry says; nothing proves it yet.

mod error;
mod names;
mod restrictions;
mod signed;

use skill_core::digest::{RegistryId, Sha256, TreeDigest};
use skill_core::name::{Owner, SkillName, Slug};
use skill_core::verdict::Verdict;
use skill_core::version::Version;

pub use error::TrustError;
pub use names::{Names, Successor, follow_name};
pub use restrictions::{RestrictionEvent, Restrictions};
pub use signed::open_statement;

use crate::envelope::{LoggedStatement, TrustEnvelope};
use crate::predicate::{Kind, Predicate, ReleasePredicate, RestorationPredicate, ScanPredicate};
use crate::root::TrustedRoot;
use crate::statement::{Content, Statement};

use names::NameStatements;

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
    /// What the skill is called, and was.
    pub names: Names,
}

impl VerifiedRelease {
    /// The skill's name when this was published.
    pub fn name(&self) -> SkillName {
        SkillName::new(self.release.owner.clone(), self.release.slug.clone())
    }

    /// The verdict to act on: the scan's, but `suspicious` where a `malicious` one was overruled. A
    /// person judged that scan, and whoever installs it has to take its findings.
    pub fn verdict(&self) -> Verdict {
        if self.overruled().is_some() { Verdict::Suspicious } else { self.scan.verdict }
    }

    /// What overruled the scan, if that is `malicious`: the registry quarantined the release after it
    /// and then restored it. No scan that came later was overruled.
    pub fn overruled(&self) -> Option<&RestorationPredicate> {
        let malicious = self.scan.verdict == Verdict::Malicious;
        self.restrictions.restored_since(self.scan_log_index).filter(|_| malicious)
    }
}

/// Checks every statement of `envelope`: known kind, right role, key in range, strict
/// signature, the expected registry, skill and version, one content; and that nothing that is
/// needed is missing. Nothing is skipped.
///
/// All statements are opened first, and the names read: a release that was published under an
/// older name stands in the log before the alias that leads on from it.
pub fn verify_release(
    envelope: &TrustEnvelope,
    root: &TrustedRoot,
    expected: &Expected,
) -> Result<VerifiedRelease, TrustError> {
    if root.registry() != expected.registry {
        return Err(TrustError::Registry { expected: expected.registry, found: root.registry() });
    }
    let expected_name = SkillName::new(expected.owner.clone(), expected.slug.clone());
    let mut told = NameStatements::default();
    let mut opened = Vec::with_capacity(envelope.statements().len());
    for logged in envelope.statements() {
        let statement = open_statement(logged, root)?;
        let registry = statement.target().registry;
        if registry != expected.registry {
            return Err(TrustError::Registry { expected: expected.registry, found: registry });
        }
        match statement.predicate() {
            Predicate::Name(name) => told.take(logged.log_index, name.clone())?,
            _ => opened.push((logged, statement)),
        }
    }
    let names = told.of_release(&expected_name)?;
    let mut found = Found::default();
    for (logged, statement) in opened {
        check_target(logged, &statement, &expected_name, &expected.version, &names)?;
        found.take(logged, statement)?;
    }
    found.finish(names)
}

fn check_target(
    logged: &LoggedStatement,
    statement: &Statement,
    expected: &SkillName,
    version: &Version,
    names: &Names,
) -> Result<(), TrustError> {
    let &LoggedStatement { kind, log_index, .. } = logged;
    let target = statement.target();
    let (Some(slug), Some(found)) = (target.slug, target.version) else {
        return Err(TrustError::Unexpected { kind, log_index });
    };
    names.check(kind, log_index, &SkillName::new(target.owner.clone(), slug.clone()), expected)?;
    if found != version {
        let (expected, found) = (version.clone(), found.clone());
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

    fn finish(self, names: Names) -> Result<VerifiedRelease, TrustError> {
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
            names,
        })
    }
}
