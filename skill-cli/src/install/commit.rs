//! Into place: renames, and the files that say what is there.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use skill_core::lock::{Lock, LockedRegistry, LockedSkill, LockedSource};
use skill_core::name::SkillName;
use skill_core::reference::Location;
use skill_core::requirement::Requirement;
use skill_core::wanted::{Wanted, WantedSkill};

use super::Desk;
use super::judge::{Judged, JudgedSkill};
use super::sources::Sources;
use super::stage::not_guarded;
use super::trust_files::{place_of_envelope, retire};
use super::verified::{Decided, From, VerifiedSkill};
use crate::failure::Failure;
use crate::files::{self, limit};
use crate::registry::root_file;
use crate::workdir::Transaction;

/// Everything is in its place.
#[derive(Debug, Default)]
pub struct Committed {
    /// Whether skills.toml was written.
    pub wanted_written: bool,
    /// Whether skills.lock was written.
    pub lock_written: bool,
    /// Where changed copies were kept.
    pub backups: Vec<PathBuf>,
    /// How many warnings of the install policy a person took.
    pub acknowledged: usize,
}

impl Judged {
    /// Brings everything into place at once. On an error every byte is as it was.
    ///
    /// # Errors
    /// `disk-…`.
    pub fn commit(self, desk: &Desk<'_>, transaction: Option<Transaction<'_>>) -> Result<Committed, Failure> {
        if transaction.is_none() && desk.options.frozen && self.skills.is_empty() {
            return Ok(Committed::default());
        }
        let mut transaction = transaction.ok_or_else(not_guarded)?;
        let mut committed = Committed { acknowledged: self.acknowledged, ..Committed::default() };
        let (lock, wanted) = self.documents(desk);
        let failed = |error: &std::io::Error| desk.disk(error, desk.workdir.root());
        let work = || -> std::io::Result<bool> {
            for skill in &self.skills {
                put_skill(desk, &mut transaction, skill, &mut committed.backups)?;
            }
            put_trust(desk, &mut transaction, &self.sources, &self.skills)?;
            for file in retire(desk.workdir, &desk.lock, &lock) {
                transaction.take_file(&file)?;
            }
            if !desk.options.frozen {
                committed.lock_written = desk.put_lock(&mut transaction, &lock)?;
                if let Some(wanted) = wanted {
                    committed.wanted_written = desk.put_wanted(&mut transaction, &wanted)?;
                }
            }
            Ok(!self.skills.is_empty() || committed.lock_written || committed.wanted_written)
        };
        if work().map_err(|error| failed(&error))? {
            transaction.commit().map_err(|error| desk.not_changed(&error))?;
        }
        Ok(committed)
    }

    /// The lock as it will be, and skills.toml if it is to say more than now.
    fn documents(&self, desk: &Desk<'_>) -> (Lock, Option<Wanted>) {
        let mut lock = desk.lock.clone();
        let mut wanted = desk.wanted.clone();
        for skill in &self.skills {
            let entry = locked(skill);
            if let From::Release(release, _) = &skill.staged.verified.resolved.from {
                let source = self.sources.get(release.source);
                if lock.registry_name(source.id).is_none() {
                    let taken = lock.registries.contains_key(&source.name);
                    let name = if taken { source.id.default_name() } else { source.name.clone() };
                    let url = Location::stripped(&source.url);
                    lock.registries.insert(name, LockedRegistry { id: source.id, url });
                }
            }
            let Decided { local, record, .. } = &skill.staged.verified.resolved;
            if *record {
                let registry = match &skill.staged.verified.resolved.from {
                    From::Release(release, _) => self.sources.get(release.source).recorded(),
                    From::Local(_) => None,
                };
                wanted.get_or_insert_default().set(local, wish(&entry, registry));
            }
            lock.skills.insert(local.clone(), entry);
        }
        for kept in &self.unchanged {
            lock.skills.insert(kept.local.clone(), kept.skill.clone());
            if kept.record {
                let wish = wish(&kept.skill, kept.registry.clone());
                let says = wanted.as_ref().and_then(|wanted| wanted.skills().get(&kept.local));
                if says != Some(&wish) {
                    wanted.get_or_insert_default().set(&kept.local, wish);
                }
            }
        }
        lock.forget_unused_registries();
        (lock, wanted)
    }
}

/// The lock entry of a skill that was just installed.
fn locked(skill: &JudgedSkill) -> LockedSkill {
    let VerifiedSkill { resolved, tree, judgement, .. } = &skill.staged.verified;
    let source = match &resolved.from {
        From::Release(release, signed) => LockedSource::Registry {
            registry: signed.release.release.registry,
            owner: release.name.owner.clone(),
            slug: release.name.slug.clone(),
            version: release.version.clone(),
            archive: signed.release.archive,
            publisher: signed.release.release.publisher.clone(),
            log_index: signed.release.release_log_index,
        },
        From::Local(local) => local.source.clone(),
    };
    LockedSkill {
        source,
        requirement: resolved.requirement.clone(),
        tree: tree.digest(),
        verdict: judgement.verdict,
        findings: judgement.findings_digest,
        accepted: skill.accepted,
        targets: resolved.targets.clone(),
    }
}

fn wish(entry: &LockedSkill, registry: Option<String>) -> WantedSkill {
    match &entry.source {
        LockedSource::Registry { owner, slug, version, .. } => WantedSkill::Registry {
            name: SkillName::new(owner.clone(), slug.clone()),
            requirement: entry.requirement.clone().unwrap_or_else(|| Requirement::caret(version)),
            registry,
        },
        LockedSource::Path { path } => WantedSkill::Path { path: path.clone() },
        LockedSource::Archive { location, path, .. } => {
            WantedSkill::Archive { archive: location.clone(), path: path.clone() }
        }
        LockedSource::Git { url, reference, path, .. } => {
            WantedSkill::Git { url: url.clone(), reference: reference.clone(), path: path.clone() }
        }
    }
}

fn put_skill(
    desk: &Desk<'_>,
    transaction: &mut Transaction<'_>,
    skill: &JudgedSkill,
    backups: &mut Vec<PathBuf>,
) -> std::io::Result<()> {
    let decided = &skill.staged.verified.resolved;
    for place in &decided.places {
        let backup = place.keep_old.then(|| backup_of(desk, decided.local.as_str(), backups.len()));
        transaction.put_skill(&place.root, &decided.local, place.seen, backup.as_deref())?;
        backups.extend(backup);
    }
    let tree = &skill.staged.verified.tree;
    let file = desk.workdir.tree(tree.digest());
    put_bytes(transaction, &file, tree.preimage().as_bytes()).map(drop)
}

/// `.skill/backup/github-20261130T155400-0`; nothing that is there is taken for it.
pub(super) fn backup_of(desk: &Desk<'_>, local: &str, count: usize) -> PathBuf {
    let now = desk.context.now().strftime("%Y%m%dT%H%M%S");
    let name = |count: usize| desk.workdir.backup().join(format!("{local}-{now}-{count}"));
    let free = |path: &PathBuf| fs_err::symlink_metadata(path).is_err();
    (count..).step_by(64).map(name).find(free).unwrap_or_else(|| name(count))
}

fn put_trust(
    desk: &Desk<'_>,
    transaction: &mut Transaction<'_>,
    sources: &Sources,
    skills: &[JudgedSkill],
) -> std::io::Result<()> {
    let mut claimed = HashSet::new();
    let mut used = HashSet::new();
    for skill in skills {
        let VerifiedSkill { resolved, tree, .. } = &skill.staged.verified;
        let From::Release(release, signed) = &resolved.from else { continue };
        let registry = signed.release.release.registry;
        let identity = (registry, release.name.clone(), release.version.clone());
        let place = place_of_envelope(desk.workdir, tree.digest(), &identity, &mut claimed);
        put_bytes(transaction, &place, &signed.envelope)?;
        used.insert(registry);
    }
    for source in sources.iter().filter(|source| used.contains(&source.id)) {
        let folder = desk.workdir.trust(source.id);
        for (number, root) in (1..).zip(&source.chain) {
            put_bytes(transaction, &folder.join(root_file(number)), root)?;
        }
    }
    Ok(())
}

/// Puts a file unless it is there with these bytes.
fn put_bytes(transaction: &mut Transaction<'_>, path: &Path, bytes: &[u8]) -> std::io::Result<bool> {
    match files::read(path, limit::LOCK) {
        Ok(Some(there)) if there == bytes => return Ok(false),
        // What cannot be such a file is replaced.
        Err(error) if !files::is_unfit(&error) => return Err(error),
        _ => {}
    }
    transaction.put_file(path, bytes).map(|()| true)
}
