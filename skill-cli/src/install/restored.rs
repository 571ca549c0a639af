//! Entries of the lock, restored exactly.

use std::collections::BTreeSet;

use futures_util::stream::{self, StreamExt as _};
use skill_core::digest::TreeDigest;
use skill_core::lock::{LockedSkill, LockedSource};
use skill_core::name::{SkillName, Slug};
use skill_core::state::ReleaseState;

use super::lookup::index;
use super::occupied::{has_trust, places_for, targets};
use super::resolve::{AT_ONCE, Origin, Place, Release, ResolvedSkill, Unchanged};
use super::{Desk, Resolved, restrictions, select};
use crate::code::Code;
use crate::failure::Failure;
use crate::sources::{self, Git, Local};

impl Resolved {
    /// Entries of the lock, restored exactly.
    pub(super) async fn add_locked(
        &mut self,
        desk: &Desk<'_>,
        git: &Git<'_>,
        names: Vec<Slug>,
    ) -> Result<(), Failure> {
        let mut releases = Vec::new();
        for local in names {
            let Some(skill) = desk.lock.skills.get(&local) else { continue };
            let title = local.to_string();
            let targets = targets(desk, Some(skill));
            let places = places_for(desk, &local, Some(skill), &targets, true, &title, None)?;
            if places.is_empty() && has_trust(desk, skill) && skill.targets == targets {
                let skill = skill.clone();
                self.unchanged.push(Unchanged { local, skill, record: false, registry: None });
                continue;
            }
            match &skill.source {
                LockedSource::Registry { registry, owner, slug, version, archive, .. } => {
                    let release = Release {
                        source: self.sources.for_entry(desk, *registry).await?,
                        name: SkillName::new(owner.clone(), slug.clone()),
                        version: version.clone(),
                        archive: *archive,
                        archive_size: None,
                        locked: true,
                    };
                    releases.push((local, skill, targets, places, release));
                }
                _ => {
                    let found = sources::restore(desk, git, &local, skill).await?;
                    self.add_restored(desk, local, skill, targets, places, found)?;
                }
            }
        }
        let states: Vec<_> = stream::iter(releases.iter().map(|(.., release)| self.state(desk, release)))
            .buffered(AT_ONCE)
            .collect()
            .await;
        for ((local, skill, targets, places, release), state) in releases.into_iter().zip(states) {
            let archive_size = state?;
            self.skills.push(ResolvedSkill {
                local,
                asked: skill.requirement.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string),
                record: false,
                origin: Origin::Release(Release { archive_size, ..release }),
                requirement: skill.requirement.clone(),
                before: Some(skill.clone()),
                targets,
                places,
            });
        }
        Ok(())
    }

    fn add_restored(
        &mut self,
        desk: &Desk<'_>,
        local: Slug,
        skill: &LockedSkill,
        targets: BTreeSet<String>,
        places: Vec<Place>,
        found: Local,
    ) -> Result<(), Failure> {
        check_source(desk, &local, skill.tree, &found)?;
        found.tell(desk);
        self.skills.push(ResolvedSkill {
            local,
            asked: "-".to_owned(),
            record: false,
            origin: Origin::Local(Box::new(found)),
            requirement: None,
            before: Some(skill.clone()),
            targets,
            places,
        });
        Ok(())
    }

    /// Asks where a locked release stands. A yanked one is restored with a warning; a closed one from
    /// the cache at most. Gives the size that its archive is to have.
    async fn state(&self, desk: &Desk<'_>, release: &Release) -> Result<Option<u64>, Failure> {
        let at = self.sources.get(release.source);
        if at.session.is_none() {
            return Ok(None);
        }
        let lines = index(desk, at, &release.name).await?.unwrap_or_default();
        let line = lines.iter().find(|line| line.version == release.version);
        let cached = || desk.cache.archive(release.archive).is_ok_and(|bytes| bytes.is_some());
        let Some(line) = line else {
            if cached() {
                return Ok(None);
            }
            let asked = release.version.to_string();
            return Err(restrictions::missed(
                &at.label(),
                &release.name,
                &asked,
                &lines,
                &select::Miss::None,
            ));
        };
        let refused = match line.state {
            ReleaseState::Quarantined | ReleaseState::TakenDown | ReleaseState::Pending => true,
            ReleaseState::Withdrawn | ReleaseState::Deleted => !cached(),
            ReleaseState::Visible | ReleaseState::Suspicious | ReleaseState::Yanked => false,
        };
        if refused {
            return Err(restrictions::closed(&release.name, &release.version, line.state, line, &lines));
        }
        if let Some(warning) = restrictions::warning(&release.name, line) {
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
    Err(sources::changed(&found.shown, local, &locked.to_string(), &today.to_string()))
}
