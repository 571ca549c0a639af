use std::path::{Path, PathBuf};

use jiff::Timestamp;
use skill_bundle::disk::DiskError;
use skill_core::lock::{Lock, LockedSkill, LockedSource};
use skill_core::name::Slug;

use super::disk::{self, Copy};
use super::envelopes::Envelopes;
use super::registry_rows::{Entry, prove};
use super::roots::Roots;
use super::row::{Family, Outcome, Row, Status};
use super::verdict;
use crate::failure::Failure;
use crate::files;
use crate::parallel;
use crate::registry::Pins;
use crate::workdir::Workdir;

/// Verifies the skills of one work directory.
pub struct Verifier<'a> {
    workdir: &'a Workdir,
    lock: &'a Lock,
    roots: Roots<'a>,
    envelopes: Envelopes,
    now: Timestamp,
}

impl<'a> Verifier<'a> {
    /// Reads what all skills share.
    pub fn new(workdir: &'a Workdir, lock: &'a Lock, pins: &'a Pins, now: Timestamp) -> Self {
        Self { workdir, lock, roots: Roots::new(workdir, pins), envelopes: Envelopes::of(workdir), now }
    }

    /// Verifies entries of the lock, on all cores, in the order of `names`.
    ///
    /// # Errors
    /// What `go_on` says between two of them.
    pub fn verify(
        &self,
        names: Vec<&Slug>,
        go_on: impl Fn() -> Result<(), Failure> + Sync,
    ) -> Result<Vec<Outcome>, Failure> {
        let known = names.into_iter().filter_map(|name| Some((name, self.lock.skills.get(name)?)));
        let outcomes = parallel::each(known.collect(), |(name, skill)| {
            go_on()?;
            Ok(self.outcome(name, skill))
        });
        outcomes.into_iter().collect()
    }

    fn outcome(&self, name: &Slug, skill: &LockedSkill) -> Outcome {
        let mut rows = Vec::new();
        let mut on_disk = None;
        let mut folders = Vec::new();
        for target in &skill.targets {
            let folder = self.workdir.root().join(target).join(name.as_str());
            let place = (skill.targets.len() > 1).then(|| format!("{target}/{name}"));
            on_disk = on_disk.or(self.disk_rows(&folder, skill, place.as_deref(), &mut rows));
            folders.push(format!("{target}/{name}"));
        }
        if skill.targets.is_empty() {
            rows.push(Row::fail("disk-absent", Family::Disk, "the lock names no folder for it"));
        }
        match Entry::of(skill) {
            Some(entry) => {
                let proof =
                    prove(entry, self.lock, self.workdir, &self.envelopes, &self.roots, on_disk, self.now);
                // Where the lock's own digest is the lie, the disk is held against what was signed.
                let signed = proof.signed.map(|signed| signed.tree).filter(|signed| *signed != skill.tree);
                if let Some(signed) = signed.filter(|signed| on_disk == Some(*signed)) {
                    rows.retain(|row| row.family != Family::Disk || row.id == "disk-mode");
                    rows.push(Row::ok(Family::Disk, format!("as signed, {}", signed.short())));
                }
                rows.extend(proof.rows);
            }
            None => rows.extend(local_rows(self.workdir, skill, on_disk)),
        }
        rows.sort_by_key(|row| (row.family, row.status != Status::Fail));
        let (owner, slug, version) = match &skill.source {
            LockedSource::Registry { owner, slug, version, .. } => {
                (Some(owner.to_string()), Some(slug.to_string()), Some(version.to_string()))
            }
            _ => (None, None, None),
        };
        let path = folders.into_iter().next().unwrap_or_default();
        Outcome { name: name.to_string(), owner, slug, version, path, rows }
    }

    fn disk_rows(
        &self,
        folder: &Path,
        skill: &LockedSkill,
        place: Option<&str>,
        rows: &mut Vec<Row>,
    ) -> Option<skill_core::digest::TreeDigest> {
        let published = disk::published_tree(self.workdir, skill.tree).ok().flatten();
        match Copy::read(folder, skill.tree, published.as_ref()) {
            Ok(Some(copy)) => {
                rows.extend(disk::rows(&copy, skill.tree, place));
                Some(copy.tree)
            }
            Ok(None) => {
                let detail = format!("there is nothing at {}", self.workdir.relative(folder));
                rows.push(Row::fail("disk-absent", Family::Disk, detail));
                None
            }
            Err(error @ (DiskError::Absent { .. } | DiskError::NotAFolder { .. })) => {
                rows.push(Row::fail("disk-absent", Family::Disk, error.to_string()));
                None
            }
            // It is there, and whether it is what was installed cannot be told.
            Err(error) => {
                rows.push(Row::fail("disk-unreadable", Family::Disk, self.unreadable(&error)));
                None
            }
        }
    }
}

impl Verifier<'_> {
    fn unreadable(&self, error: &DiskError) -> String {
        match error {
            DiskError::Denied { path } => format!("no permission to read {}", self.workdir.relative(path)),
            DiskError::Io { path, error } => {
                format!("{} cannot be read: {}", self.workdir.relative(path), files::reason(error))
            }
            other => other.to_string(),
        }
    }
}

/// Git, archive and directory sources: disk against lock, and the scan that was made here.
fn local_rows(
    workdir: &Workdir,
    skill: &LockedSkill,
    on_disk: Option<skill_core::digest::TreeDigest>,
) -> Vec<Row> {
    let (source, kind) = match &skill.source {
        LockedSource::Path { path } => (path.clone(), "a folder"),
        LockedSource::Archive { location, .. } => (location.to_string(), "an archive"),
        LockedSource::Git { url, commit, .. } => {
            (format!("git:{url} at {}", commit.get(..12).unwrap_or(commit)), "a git source")
        }
        LockedSource::Registry { .. } => return Vec::new(),
    };
    // The disk is what was installed if its own preimage was kept, and the lock's was not.
    let kept = |tree| disk::published_tree(workdir, tree).is_ok_and(|tree| tree.is_some());
    let lock = match on_disk {
        Some(tree) if tree != skill.tree && kept(tree) && !kept(skill.tree) => {
            let detail = format!("the lock says {}, installed was {}", skill.tree.short(), tree.short());
            Row::fail("lock-tree", Family::Lock, detail)
        }
        _ => Row::ok(Family::Lock, source),
    };
    vec![
        lock,
        Row::skip(Family::Signature, None, format!("{kind} has no registry signature")),
        verdict::local_row(skill),
    ]
}

/// Folders beside the installed skills that no lock knows.
pub fn unmanaged(workdir: &Workdir, lock: &Lock) -> Vec<Outcome> {
    let mut targets: Vec<String> =
        lock.skills.values().flat_map(|skill| skill.targets.iter().cloned()).collect();
    targets.push("skills".to_owned());
    targets.sort();
    targets.dedup();
    let mut outcomes = Vec::new();
    for target in targets {
        for folder in folders_in(&workdir.root().join(&target)) {
            let Some(name) = folder.file_name().and_then(|name| name.to_str()) else { continue };
            let known = name.parse::<Slug>().ok().and_then(|name| lock.skills.get(&name));
            if !known.is_some_and(|skill| skill.targets.contains(&target)) {
                outcomes.push(Outcome {
                    name: name.to_owned(),
                    owner: None,
                    slug: None,
                    version: None,
                    path: format!("{target}/{name}"),
                    rows: vec![Row::ok(Family::Unmanaged, "no lock knows this folder")],
                });
            }
        }
    }
    outcomes
}

/// The folders in a target root, without dot names, which loaders skip too.
fn folders_in(root: &Path) -> Vec<PathBuf> {
    let entries = fs_err::read_dir(root).into_iter().flatten().flatten();
    let is_skill = |path: &PathBuf| {
        path.is_dir() && path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.'))
    };
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path().clone()).filter(is_skill).collect();
    folders.sort();
    folders
}
