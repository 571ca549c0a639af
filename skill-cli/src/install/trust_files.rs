//! The files below `.skill/` that make an installed release verifiable without a network.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use skill_core::digest::{RegistryId, TreeDigest};
use skill_core::lock::{Lock, LockedSkill, LockedSource};
use skill_core::name::SkillName;
use skill_core::version::Version;
use skill_trust::{Statement, TrustEnvelope};

use super::Desk;
use super::resolve::Release;
use crate::files::{self, limit};
use crate::verify::envelope_key;
use crate::workdir::Workdir;

/// A release's full name.
type Identity = (RegistryId, SkillName, Version);

/// Which release an envelope says that it is about. Nothing is checked here.
fn identity(bytes: &[u8]) -> Option<Identity> {
    let envelope = TrustEnvelope::parse(bytes).ok()?;
    envelope.statements().iter().find_map(|logged| {
        let statement = Statement::parse(logged.dsse.payload()).ok()?;
        let target = statement.target();
        let name = SkillName::new(target.owner.clone(), target.slug?.clone());
        Some((target.registry, name, target.version?.clone()))
    })
}

/// What lies in a place of an envelope; nothing if that cannot be one.
fn envelope_in(path: &Path) -> Option<Vec<u8>> {
    files::read(path, limit::ENVELOPE).ok().flatten()
}

/// The two places where the envelope of a release may lie: that of its tree, and, where another
/// release with the same tree has that one, a name of its own.
fn candidates(workdir: &Workdir, tree: TreeDigest, identity: &Identity) -> [PathBuf; 2] {
    let (registry, name, version) = identity;
    let key = envelope_key(*registry, name, version);
    [workdir.envelope(tree), workdir.other_envelope(tree, key)]
}

/// Where the envelope of a release is to go. `claimed` are the places that this transaction has
/// given away already.
pub(super) fn place_of_envelope(
    workdir: &Workdir,
    tree: TreeDigest,
    identity: &Identity,
    claimed: &mut HashSet<PathBuf>,
) -> PathBuf {
    let [first, own] = candidates(workdir, tree, identity);
    let free = !claimed.contains(&first)
        && envelope_in(&first)
            .is_none_or(|bytes| self::identity(&bytes).is_none_or(|there| there == *identity));
    let place = if free { first } else { own };
    claimed.insert(place.clone());
    place
}

/// The envelope of a locked release as the work directory keeps it.
pub(super) fn envelope_at_hand(desk: &Desk<'_>, registry: RegistryId, release: &Release) -> Option<Vec<u8>> {
    let wanted = (registry, release.name.clone(), release.version.clone());
    let locked = desk.lock.of_skill(registry, &release.name).find(|(_, skill)| {
        matches!(&skill.source, LockedSource::Registry { version, .. } if *version == release.version)
    });
    let (_, locked) = locked?;
    candidates(desk.workdir, locked.tree, &wanted).into_iter().find_map(|path| {
        envelope_in(&path).filter(|bytes| identity(bytes).is_some_and(|there| there == wanted))
    })
}

/// Whether the work directory keeps the envelope of a locked release.
pub(super) fn has_envelope(workdir: &Workdir, skill: &LockedSkill) -> bool {
    release_of(skill).is_some_and(|(tree, wanted)| {
        candidates(workdir, tree, &wanted).into_iter().any(|path| {
            envelope_in(&path).is_some_and(|bytes| identity(&bytes).is_some_and(|there| there == wanted))
        })
    })
}

/// The files that the entries of `before` needed and those of `after` do not.
pub(super) fn retire(workdir: &Workdir, before: &Lock, after: &Lock) -> Vec<PathBuf> {
    let trees = |lock: &Lock| lock.skills.values().map(|skill| skill.tree).collect::<HashSet<_>>();
    let releases = |lock: &Lock| {
        lock.skills.values().filter_map(release_of).collect::<HashSet<(TreeDigest, Identity)>>()
    };
    let registries = |lock: &Lock| lock.skills.values().filter_map(registry_of).collect::<HashSet<_>>();
    let mut files: Vec<PathBuf> =
        trees(before).difference(&trees(after)).map(|tree| workdir.tree(*tree)).collect();
    for (tree, release) in releases(before).difference(&releases(after)) {
        let own = candidates(workdir, *tree, release).into_iter().find(|path| {
            envelope_in(path).is_some_and(|bytes| identity(&bytes).is_some_and(|there| there == *release))
        });
        files.extend(own);
    }
    files.extend(registries(before).difference(&registries(after)).map(|registry| workdir.trust(*registry)));
    files.sort();
    files
}

fn release_of(skill: &LockedSkill) -> Option<(TreeDigest, Identity)> {
    match &skill.source {
        LockedSource::Registry { registry, owner, slug, version, .. } => {
            let name = SkillName::new(owner.clone(), slug.clone());
            Some((skill.tree, (*registry, name, version.clone())))
        }
        _ => None,
    }
}

const fn registry_of(skill: &LockedSkill) -> Option<RegistryId> {
    match skill.source {
        LockedSource::Registry { registry, .. } => Some(registry),
        _ => None,
    }
}
