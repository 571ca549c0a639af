//! A release of a registry: its envelope, its root, and whether lock, disk and signatures agree.

use std::sync::Arc;

use skill_core::digest::{RegistryId, TreeDigest};
use skill_core::lock::{Lock, LockedSkill, LockedSource};
use skill_core::name::{Owner, SkillName, Slug};
use skill_core::version::Version;
use skill_trust::agreement::{Disagreement, LockField, Locked, disagreements};
use skill_trust::{Statement, TrustEnvelope, TrustError, TrustedRoot, VerifiedRelease};

use super::envelopes::{Envelopes, envelope_key, open};
use super::roots::{Known, Roots};
use super::row::{Family, Row};
use super::verdict;
use crate::files::{self, limit};
use crate::workdir::Workdir;

/// A registry entry of the lock, taken apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub registry: RegistryId,
    pub owner: &'a Owner,
    pub slug: &'a Slug,
    pub version: &'a Version,
    pub skill: &'a LockedSkill,
}

impl<'a> Entry<'a> {
    /// The entry, if it is a registry's.
    pub(super) fn of(skill: &'a LockedSkill) -> Option<Self> {
        match &skill.source {
            LockedSource::Registry { registry, owner, slug, version, .. } => {
                Some(Self { registry: *registry, owner, slug, version, skill })
            }
            _ => None,
        }
    }

    fn differences(&self, signed: &VerifiedRelease) -> Vec<Disagreement> {
        let LockedSource::Registry { archive, publisher, log_index, .. } = &self.skill.source else {
            return Vec::new();
        };
        let locked = Locked {
            registry: self.registry,
            owner: self.owner,
            slug: self.slug,
            version: self.version,
            archive: *archive,
            tree: self.skill.tree,
            publisher,
            log_index: *log_index,
            findings: self.skill.findings,
        };
        disagreements(&locked, signed)
    }
}

/// What was found out about an entry.
pub(super) struct Proof {
    /// The rows of lock, envelope, root, signature, log, restriction and verdict.
    pub rows: Vec<Row>,
    /// What the registry signed, if it could be checked.
    pub signed: Option<VerifiedRelease>,
}

/// Checks an entry. `on_disk` is the tree of its copy: where the lock's own digest was changed, the
/// envelope is found by that.
pub(super) fn prove(
    entry: Entry<'_>,
    lock: &Lock,
    workdir: &Workdir,
    envelopes: &Envelopes,
    roots: &Roots<'_>,
    on_disk: Option<TreeDigest>,
    now: jiff::Timestamp,
) -> Proof {
    let (root, mut rows) = root_rows(entry.registry, roots, now);
    let found = find(entry, workdir, envelopes, roots, root.as_deref(), on_disk);
    let signed = match found {
        Found::Signed(signed) => Some(*signed),
        Found::Nothing(fail) => {
            rows.extend(fail);
            None
        }
    };
    match &signed {
        Some(signed) => {
            if signed.release.registry != entry.registry {
                rows.retain(|row| row.id != "root-absent");
            }
            rows.extend(lock_rows(entry, lock, signed));
            rows.push(Row::ok(Family::Signature, signatures(entry, signed)));
            let place = format!("number {}, not yet proved", signed.release_log_index);
            rows.push(Row { reason: Some("log-unproved"), ..Row::ok(Family::Log, place) });
            rows.extend(verdict::restriction_rows(signed));
            rows.extend(verdict::rows(entry.skill, signed));
        }
        None => rows.push(Row::skip(Family::Lock, None, "not compared: nothing signed is at hand")),
    }
    Proof { rows, signed }
}

/// What was signed, and under which other name the skill is known: the lock's or the release's may be an older
/// one.
fn signatures(entry: Entry<'_>, signed: &VerifiedRelease) -> String {
    let signed_by = "release and scan statement, keys in range";
    let older = |name: SkillName| signed.names.led_on_at(&name).map(|leaf| (name, leaf));
    match older(name(entry)).or_else(|| older(signed.name())) {
        Some((old, leaf)) => {
            format!("{signed_by}; {old} is {} now, log number {leaf}", signed.names.current())
        }
        None => signed_by.to_owned(),
    }
}

fn root_rows(
    id: RegistryId,
    roots: &Roots<'_>,
    now: jiff::Timestamp,
) -> (Option<Arc<TrustedRoot>>, Vec<Row>) {
    match roots.of(id) {
        Known::Holds { root, pinned } => {
            let (threshold, keys) = root.quorum();
            let keys = if keys == 1 { "1 key".to_owned() } else { format!("{keys} keys") };
            let named_by = if pinned { "pinned" } else { "named by skills.lock" };
            let detail =
                format!("version {}, {}, {threshold} of {keys}, {named_by}", root.version(), root.custody());
            let until = crate::text::number::date(root.root().expires_at);
            let row = if root.is_expired(now) {
                Row::warn(Family::Root, "root-expired", format!("{detail}, ended on {until}"))
            } else if root.is_expiring(now) {
                Row::warn(Family::Root, "root-expiring", format!("{detail}, ends on {until}"))
            } else {
                Row::ok(Family::Root, detail)
            };
            (Some(root), vec![row])
        }
        Known::Absent => {
            let detail = format!("no root chain of registry {} here or in the user's pins", id.short());
            (None, vec![Row::fail("root-absent", Family::Root, detail)])
        }
        Known::Broken { error, instead } => {
            (instead, vec![Row::fail(error.check(), Family::Root, error.to_string())])
        }
        Known::Unreadable(why) => (None, vec![Row::fail("root-chain", Family::Root, why)]),
    }
}

enum Found {
    Signed(Box<VerifiedRelease>),
    Nothing(Vec<Row>),
}

/// Of the envelopes about the locked tree, and if none is right about the tree on disk, the one that
/// agrees best with the lock.
fn find(
    entry: Entry<'_>,
    workdir: &Workdir,
    envelopes: &Envelopes,
    roots: &Roots<'_>,
    root: Option<&TrustedRoot>,
    on_disk: Option<TreeDigest>,
) -> Found {
    let mut best: Option<(usize, VerifiedRelease)> = None;
    let mut failures = Vec::new();
    let trees = std::iter::once(entry.skill.tree).chain(on_disk.filter(|tree| *tree != entry.skill.tree));
    for tree in trees {
        for path in envelopes.about(tree) {
            let bytes = match files::read(path, limit::ENVELOPE) {
                Ok(Some(bytes)) => bytes,
                Ok(None) => continue,
                Err(error) => {
                    let detail = format!("{}: {}", workdir.relative(path), files::reason(&error));
                    failures.push(Row::fail("envelope-unreadable", Family::Envelope, detail));
                    continue;
                }
            };
            match open_under_any(&bytes, root, roots, entry.registry) {
                Ok(signed) if signed.tree != tree => {
                    let detail = format!(
                        "{} is about {}/{} {}, other bytes than it is named by",
                        workdir.relative(path),
                        signed.release.owner,
                        signed.release.slug,
                        signed.release.version
                    );
                    failures.push(Row::fail("envelope-subject", Family::Envelope, detail));
                }
                Ok(signed) => {
                    let differences = entry.differences(&signed).len();
                    if best.as_ref().is_none_or(|(least, _)| differences < *least) {
                        best = Some((differences, signed));
                    }
                }
                Err(Refusal::NoRoot) => return Found::Nothing(no_root()),
                Err(Refusal::Trust(row)) => failures.push(row),
            }
        }
        if best.is_some() {
            break;
        }
    }
    match best {
        Some((_, signed)) => Found::Signed(Box::new(signed)),
        None if failures.is_empty() && envelopes.unreadable.is_some() => {
            let detail = envelopes.unreadable.clone().unwrap_or_default();
            Found::Nothing(vec![Row::fail("envelope-unreadable", Family::Envelope, detail)])
        }
        None if failures.is_empty() => {
            let key = envelope_key(entry.registry, &name(entry), entry.version);
            let path = workdir.relative(&workdir.envelope(entry.skill.tree));
            let detail = format!("neither {path} nor one ending in -{}", key.short());
            Found::Nothing(vec![Row::fail("envelope-absent", Family::Envelope, detail)])
        }
        None => {
            failures.truncate(1);
            Found::Nothing(failures)
        }
    }
}

fn name(entry: Entry<'_>) -> SkillName {
    SkillName::new(entry.owner.clone(), entry.slug.clone())
}

fn no_root() -> Vec<Row> {
    vec![Row::skip(Family::Signature, None, "not checked: there is no root to check it with")]
}

enum Refusal {
    NoRoot,
    Trust(Row),
}

/// Opens an envelope under the locked registry's root, or, if that is not who signed, under that of
/// another registry of this work directory: then the lock names the wrong one.
fn open_under_any(
    bytes: &[u8],
    root: Option<&TrustedRoot>,
    roots: &Roots<'_>,
    locked: RegistryId,
) -> Result<VerifiedRelease, Refusal> {
    let first = root.map(|root| open(bytes, root));
    let error = match first {
        Some(Ok(signed)) => return Ok(signed),
        Some(Err(error @ (TrustError::UnknownKey { .. } | TrustError::Registry { .. }))) => Some(error),
        Some(Err(error)) => return Err(Refusal::Trust(row(&error))),
        None => None,
    };
    if let Some(signed) = roots.others(locked).iter().find_map(|other| open(bytes, other).ok()) {
        return Ok(signed);
    }
    match error {
        None => Err(Refusal::NoRoot),
        Some(error) => Err(Refusal::Trust(foreign_row(bytes, locked).unwrap_or_else(|| row(&error)))),
    }
}

fn row(error: &TrustError) -> Row {
    let family = Family::of(error.check()).unwrap_or(Family::Envelope);
    Row::fail(error.check(), family, error.to_string())
}

/// An envelope that says itself that it is of another registry. Nothing of it is believed but that
/// it is not the right one.
fn foreign_row(bytes: &[u8], locked: RegistryId) -> Option<Row> {
    let envelope = TrustEnvelope::parse(bytes).ok()?;
    let says = envelope.statements().iter().find_map(|logged| {
        let statement = Statement::parse(logged.dsse.payload()).ok()?;
        Some(statement.target().registry).filter(|registry| *registry != locked)
    })?;
    let detail = format!("it is about registry {}, the lock names {}", says.short(), locked.short());
    Some(Row::fail("envelope-subject", Family::Envelope, detail))
}

fn lock_rows(entry: Entry<'_>, lock: &Lock, signed: &VerifiedRelease) -> Vec<Row> {
    let mut rows: Vec<Row> = entry
        .differences(signed)
        .into_iter()
        .map(|Disagreement { field, locked, signed }| {
            let detail =
                format!("the lock says {}, signed is {}", short(field, &locked), short(field, &signed));
            Row::fail(field.check(), Family::Lock, detail)
        })
        .collect();
    let known = lock.registry_name(entry.registry).is_some();
    if !known && rows.iter().all(|row| row.id != "lock-registry") {
        let detail = format!("no [registry] of skills.lock has the id {}", entry.registry.short());
        rows.insert(0, Row::fail("lock-registry", Family::Lock, detail));
    }
    if rows.is_empty() { vec![Row::ok(Family::Lock, "agrees with the signed release")] } else { rows }
}

fn short(field: LockField, value: &str) -> &str {
    let length = match field {
        LockField::Tree => "sha256:".len() + 12,
        LockField::Registry | LockField::Archive | LockField::Findings => 12,
        _ => value.len(),
    };
    value.get(..length).unwrap_or(value)
}
