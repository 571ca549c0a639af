//! Entries of the lock, restored exactly.

use std::collections::BTreeSet;

use futures_util::stream::{self, StreamExt as _};
use skill_core::digest::TreeDigest;
use skill_core::lock::{LockedSkill, LockedSource};
use skill_core::name::{SkillName, Slug};
use skill_core::requirement::Requirement;
use skill_core::state::ReleaseState;

use super::fetch::is_at_hand;
use super::lookup::index;
use super::occupied::{Asked, has_trust, places_for, targets};
use super::resolve::{AT_ONCE, Origin, Place, Release, ResolvedSkill, SOURCES_AT_ONCE, Unchanged};
use super::{Desk, Resolved, restrictions, select};
use crate::failure::Failure;
use crate::parallel;
use crate::sources::{self, Git, Local};

impl Resolved {
    /// Entries of the lock, restored exactly.
    pub(super) async fn add_locked(
        &mut self,
        desk: &Desk<'_>,
        git: &Git<'_>,
        names: Vec<(Slug, Option<Requirement>)>,
    ) -> Result<(), Failure> {
        let (mut releases, mut elsewhere) = (Vec::new(), Vec::new());
        let known = names.into_iter().filter_map(|(local, requirement)| {
            let skill = desk.lock.skills.get(&local)?;
            Some((local, requirement.or_else(|| skill.requirement.clone()), skill))
        });
        // Every file of every copy is read here.
        let looked_at = parallel::each(known.collect(), |(local, requirement, skill)| {
            let targets = targets(desk, Some(skill));
            let frozen = desk.options.frozen.then_some("--frozen");
            let again = ["skill", "install"].into_iter().chain(frozen).map(str::to_owned).collect();
            let asked = Asked { title: local.as_str(), name: None, again };
            let places = places_for(desk, &local, Some(skill), &targets, true, &asked)?;
            let is_whole = places.is_empty() && has_trust(desk, skill) && skill.targets == targets;
            Ok::<_, Failure>((local, requirement, skill, targets, places, is_whole))
        });
        for looked_at in looked_at {
            let (local, requirement, skill, targets, places, is_whole) = looked_at?;
            if is_whole {
                let skill = LockedSkill { requirement, ..skill.clone() };
                self.unchanged.push(Unchanged { local, skill, record: false, registry: None });
                continue;
            }
            let LockedSource::Registry { registry, owner, slug, version, archive, .. } = &skill.source else {
                elsewhere.push((local, skill, targets, places));
                continue;
            };
            let release = Release {
                source: self.sources.for_entry(desk, *registry).await?,
                name: SkillName::new(owner.clone(), slug.clone()),
                version: version.clone(),
                archive: *archive,
                archive_size: None,
                locked: true,
            };
            releases.push((local, skill, requirement, targets, places, release));
        }
        self.restore_elsewhere(desk, git, elsewhere).await?;
        let states: Vec<_> = stream::iter(releases.iter().map(|(.., release)| self.state(desk, release)))
            .buffered(AT_ONCE)
            .collect()
            .await;
        for ((local, skill, requirement, targets, places, release), state) in releases.into_iter().zip(states)
        {
            let archive_size = state?;
            self.skills.push(ResolvedSkill {
                local,
                asked: requirement.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string),
                typed: None,
                record: false,
                origin: Origin::Release(Release { archive_size, ..release }),
                requirement,
                before: Some(skill.clone()),
                targets,
                places,
            });
        }
        Ok(())
    }

    /// What is from elsewhere than a registry, several at once.
    async fn restore_elsewhere(
        &mut self,
        desk: &Desk<'_>,
        git: &Git<'_>,
        entries: Vec<(Slug, &LockedSkill, BTreeSet<String>, Vec<Place>)>,
    ) -> Result<(), Failure> {
        let restoring = entries.iter().map(|(local, skill, ..)| sources::restore(desk, git, local, skill));
        let found: Vec<_> = stream::iter(restoring).buffered(SOURCES_AT_ONCE).collect().await;
        for ((local, skill, targets, places), found) in entries.into_iter().zip(found) {
            let found = found?;
            check_source(desk, &local, skill.tree, &found)?;
            found.tell(desk);
            self.skills.push(ResolvedSkill {
                local,
                asked: sources::asked(&skill.source),
                typed: None,
                record: false,
                origin: Origin::Local(Box::new(found)),
                requirement: None,
                before: Some(skill.clone()),
                targets,
                places,
            });
        }
        Ok(())
    }

    /// Asks where a locked release stands. A yanked one is restored with a warning; a closed one from
    /// the cache at most. Gives the size that its archive is to have.
    async fn state(&self, desk: &Desk<'_>, release: &Release) -> Result<Option<u64>, Failure> {
        let at = self.sources.get(release.source);
        if at.session.is_none() {
            return Ok(None);
        }
        let found = index(desk, at, &release.name).await?;
        let lines = found.as_deref().unwrap_or_default();
        let Release { name, version, .. } = release;
        let Some(line) = lines.iter().find(|line| line.version == *version) else {
            return if is_at_hand(desk, at, release) {
                desk.context.screen.tell(&restrictions::vanished(&at.label(), name, version));
                Ok(None)
            } else if found.is_none() {
                Err(restrictions::gone(&at.label(), name, version))
            } else {
                let asked = version.to_string();
                Err(restrictions::missed(&at.label(), name, &asked, lines, &select::Miss::None))
            };
        };
        let refused = match line.state {
            ReleaseState::Quarantined | ReleaseState::TakenDown | ReleaseState::Pending => true,
            ReleaseState::Withdrawn | ReleaseState::Deleted => !is_at_hand(desk, at, release),
            ReleaseState::Visible | ReleaseState::Suspicious | ReleaseState::Yanked => false,
        };
        if refused {
            return Err(restrictions::closed(name, version, line.state, line, lines));
        }
        for warning in
            [restrictions::warning(name, line), restrictions::deprecated(name, line)].into_iter().flatten()
        {
            desk.context.screen.tell(&warning);
        }
        Ok(Some(line.archive_size))
    }
}

/// `--frozen` restores the bytes of a source, not whatever it gives today.
fn check_source(desk: &Desk<'_>, local: &Slug, locked: TreeDigest, found: &Local) -> Result<(), Failure> {
    let today = skill_bundle::Tree::of(&found.bundle).digest();
    if !desk.options.frozen || today == locked {
        return Ok(());
    }
    let (reference, own) = (found.reference(), found.slug().ok());
    let asked = sources::Locked { local, source: &found.source, reference: &reference, own: own.as_ref() };
    Err(asked.changed(&found.shown, &locked.to_string(), &today.to_string()))
}
