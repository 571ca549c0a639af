//! Into place: renames, and the files that say what is there.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use skill_core::lock::{Lock, LockedRegistry, LockedSkill, LockedSource};
use skill_core::reference::Location;
use skill_core::requirement::Requirement;
use skill_core::wanted::{Wanted, WantedSkill};

use super::Desk;
use super::judge::{Judged, JudgedSkill};
use super::sources::Sources;
use super::stage::not_guarded;
use super::trust_files::{place_of_envelope, retire};
use super::verified::{Decided, From, VerifiedSkill};
use crate::cache::read_if_there;
use crate::failure::Failure;
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
}

impl Judged {
    /// Brings everything into place at once. On an error every byte is as it was.
    ///
    /// # Errors
    /// `disk-…`.
    pub fn commit(self, desk: &Desk<'_>, transaction: Option<Transaction<'_>>) -> Result<Committed, Failure> {
        let mut transaction = transaction.ok_or_else(not_guarded)?;
        let mut committed = Committed::default();
        let (lock, wanted) = self.documents(desk);
        let failed = |error: &std::io::Error| desk.disk(error, desk.workdir.root());
        let work = || -> std::io::Result<bool> {
            for skill in &self.skills {
                put_skill(desk, &mut transaction, skill, &mut committed.backups)?;
            }
            put_trust(desk, &mut transaction, &self.sources, &self.skills)?;
            for file in retire(desk.workdir, &desk.lock, &lock) {
                transaction.take(&file, None, None)?;
            }
            if !desk.options.frozen {
                committed.lock_written = put_text(&mut transaction, &desk.workdir.lock(), &lock.to_toml())?;
                if let Some(wanted) = wanted {
                    committed.wanted_written =
                        put_text(&mut transaction, &desk.workdir.wanted(), &wanted.to_toml())?;
                }
            }
            Ok(!self.skills.is_empty() || committed.lock_written || committed.wanted_written)
        };
        if work().map_err(|error| failed(&error))? {
            transaction.commit().map_err(|error| failed(&error))?;
        }
        Ok(committed)
    }

    /// The lock as it will be, and skills.toml if it is to say more than now.
    fn documents(&self, desk: &Desk<'_>) -> (Lock, Option<Wanted>) {
        let mut lock = desk.lock.clone();
        let mut wanted = desk.wanted.clone();
        for skill in &self.skills {
            let entry = locked(skill);
            if let From::Release(release) = &skill.staged.verified.resolved.from {
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
                    From::Release(release) => self.sources.get(release.source).recorded(),
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
    let VerifiedSkill { resolved, tree, judgement, signed, .. } = &skill.staged.verified;
    let source = match (&resolved.from, signed) {
        (From::Release(release), Some(signed)) => LockedSource::Registry {
            registry: signed.release.release.registry,
            owner: release.name.owner.clone(),
            slug: release.name.slug.clone(),
            version: release.version.clone(),
            archive: signed.release.archive,
            publisher: signed.release.release.publisher.clone(),
            log_index: signed.release.release_log_index,
        },
        (From::Local(local), _) => local.source.clone(),
        (From::Release(release), None) => LockedSource::Path { path: release.name.to_string() },
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
        LockedSource::Registry { version, .. } => {
            let requirement = entry.requirement.clone().unwrap_or_else(|| Requirement::caret(version));
            match entry.source.name() {
                Some(name) => WantedSkill::Registry { name, requirement, registry },
                None => WantedSkill::Path { path: String::new() },
            }
        }
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
    for (place, folder) in decided.places.iter().zip(&skill.staged.folders) {
        let backup = place.keep_old.then(|| backup_of(desk, decided.local.as_str(), backups.len()));
        transaction.put(folder, &place.root.place(&decided.local), backup.as_deref())?;
        backups.extend(backup);
    }
    let tree = &skill.staged.verified.tree;
    let file = desk.workdir.tree(tree.digest());
    put_text(transaction, &file, &tree.preimage()).map(drop)
}

/// `.skill/backup/github-20261130T155400-0`
pub(super) fn backup_of(desk: &Desk<'_>, local: &str, count: usize) -> PathBuf {
    let now = desk.context.now().strftime("%Y%m%dT%H%M%S");
    desk.workdir.backup().join(format!("{local}-{now}-{count}"))
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
        let VerifiedSkill { resolved, tree, signed, .. } = &skill.staged.verified;
        let (From::Release(release), Some(signed)) = (&resolved.from, signed) else { continue };
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

fn put_text(transaction: &mut Transaction<'_>, path: &Path, text: &str) -> std::io::Result<bool> {
    put_bytes(transaction, path, text.as_bytes())
}

/// Puts a file unless it is there with these bytes.
fn put_bytes(transaction: &mut Transaction<'_>, path: &Path, bytes: &[u8]) -> std::io::Result<bool> {
    if read_if_there(path)?.as_deref() == Some(bytes) {
        return Ok(false);
    }
    transaction.put_file(path, bytes).map(|()| true)
}
