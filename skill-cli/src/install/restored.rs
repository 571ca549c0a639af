//! Entries of the lock, restored exactly.

use futures_util::stream::{self, StreamExt as _};
use skill_core::digest::TreeDigest;
use skill_core::lock::LockedSource;
use skill_core::name::{SkillName, Slug};
use skill_core::state::ReleaseState;

use super::folder::Folder;
use super::lookup::index;
use super::occupied::{has_trust, places_for, targets};
use super::resolve::{AT_ONCE, Origin, Release, ResolvedSkill, Unchanged};
use super::{Desk, Resolved, restrictions, select};
use crate::code::Code;
use crate::failure::Failure;

impl Resolved {
    /// Entries of the lock, restored exactly.
    pub(super) async fn add_locked(&mut self, desk: &Desk<'_>, names: Vec<Slug>) -> Result<(), Failure> {
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
                LockedSource::Path { path } => {
                    let folder = match Folder::pack(desk, path, false) {
                        Err(gone) if gone.code == Code::PathNotFound => {
                            Folder::kept(desk, path, skill.tree).ok_or(gone)?
                        }
                        packed => packed?,
                    };
                    check_source(desk, &local, skill.tree, &folder)?;
                    folder.tell(desk);
                    self.skills.push(ResolvedSkill {
                        local,
                        asked: "-".to_owned(),
                        record: false,
                        origin: Origin::Folder(Box::new(folder)),
                        requirement: None,
                        before: Some(skill.clone()),
                        targets,
                        places,
                    });
                }
                other => return Err(not_restorable(&local, other.kind())),
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

/// `--frozen` restores a folder's bytes, not whatever lies there today.
fn check_source(desk: &Desk<'_>, local: &Slug, locked: TreeDigest, folder: &Folder) -> Result<(), Failure> {
    let today = skill_bundle::Tree::of(&folder.bundle).digest();
    if !desk.options.frozen || today == locked {
        return Ok(());
    }
    let message = format!("{} holds other files than {local} is locked with", folder.shown);
    Err(Failure::new(Code::LockSourceChanged, message)
        .because(format!("locked {}, there today {}", locked.short(), today.short()))
        .nothing_changed()
        .key("locked", locked.to_string())
        .key("found", today.to_string())
        .hint(format!("run `skill install {}` to take what is there today", folder.shown)))
}

fn not_restorable(local: &Slug, kind: &str) -> Failure {
    Failure::new(Code::NotBuilt, format!("{local} is locked from a {kind} source"))
        .because("this build installs from a registry and from a folder")
        .nothing_changed()
}
