//! That the bytes are what was signed, and what is in them.

use std::io::Cursor;

use skill_bundle::{Bundle, Limits, Tree, open_archive};
use skill_core::digest::Sha256;
use skill_core::lock::{LockedSkill, LockedSource};
use skill_core::manifest::Manifest;
use skill_core::verdict::{Finding, Verdict, findings_digest};
use skill_trust::agreement::{Locked, disagreements};
use skill_trust::{Expected, TrustEnvelope, VerifiedRelease, verify_release};

use super::fetch::FetchedSkill;
use super::resolve::{Origin, Place, Release, ResolvedSkill, Unchanged};
use super::sources::{Source, Sources};
use super::{Desk, Fetched};
use crate::code::Code;
use crate::failure::Failure;
use crate::parallel;
use crate::sources::{self, Local};

/// Bundles up to this size stay in memory until they are staged; larger ones are opened again.
const HELD: u64 = 2 << 20;

/// Bytes that were checked.
pub struct Verified {
    pub(super) sources: Sources,
    pub(super) skills: Vec<VerifiedSkill>,
    pub(super) unchanged: Vec<Unchanged>,
}

/// One skill whose bytes were checked.
pub(super) struct VerifiedSkill {
    pub resolved: Decided,
    pub tree: Tree,
    pub content: Content,
    pub manifest: Manifest,
    pub judgement: Judgement,
    /// What it can do, as rules name it.
    pub capabilities: std::collections::BTreeSet<String>,
    /// Codes and texts of what SKILL.md was forgiven.
    pub forgiven: Vec<String>,
}

/// What is left of the resolution once the bytes are there.
pub(super) struct Decided {
    pub local: skill_core::name::Slug,
    pub asked: String,
    pub record: bool,
    pub from: From,
    pub requirement: Option<skill_core::requirement::Requirement>,
    pub before: Option<LockedSkill>,
    pub targets: std::collections::BTreeSet<String>,
    pub places: Vec<Place>,
}

/// Where it comes from.
pub(super) enum From {
    /// A release, and what the registry signed of it.
    Release(Release, Signed),
    Local(LocalSource),
}

impl From {
    /// What a registry signed.
    pub(super) const fn signed(&self) -> Option<&Signed> {
        match self {
            Self::Release(_, signed) => Some(signed),
            Self::Local(_) => None,
        }
    }
}

/// A source that no registry vouches for.
pub(super) struct LocalSource {
    /// What the lock keeps.
    pub source: LockedSource,
    /// The source as it was typed; none for what skills.toml or the lock asks for.
    pub typed: Option<String>,
    /// The source as a command takes it.
    pub reference: String,
    /// What stayed out and why.
    pub excluded: Vec<(String, String)>,
}

impl LocalSource {
    /// Where exactly it came from, as keys of its JSON entry.
    pub(super) fn describe(&self, document: &mut serde_json::Value) {
        match &self.source {
            LockedSource::Archive { location, sha256, path } => {
                document["archiveSha256"] = sha256.to_string().into();
                document["location"] = location.as_str().into();
                document["inside"] = path.clone().into();
            }
            LockedSource::Git { url, reference, commit, path } => {
                document["url"] = url.as_str().into();
                document["ref"] = reference.clone().into();
                document["commit"] = commit.as_str().into();
                document["inside"] = path.clone().into();
            }
            LockedSource::Path { .. } | LockedSource::Registry { .. } => {}
        }
    }

    /// The source as the plan names it.
    pub(super) fn from(&self) -> String {
        match &self.source {
            LockedSource::Path { path } => path.clone(),
            LockedSource::Archive { location, .. } => location.to_string(),
            LockedSource::Git { url, .. } => format!("git:{url}"),
            LockedSource::Registry { .. } => self.reference.clone(),
        }
    }
}

/// The files, or where to open them again.
pub(super) enum Content {
    Held(Bundle),
    Archive(Sha256),
}

/// What a scan said.
pub(super) struct Judgement {
    pub verdict: Verdict,
    pub findings_digest: Sha256,
    /// The findings themselves, as the rules of this build see them.
    pub findings: Vec<Finding>,
    pub rules: String,
}

/// What the registry signed, and the envelope that says so.
pub(super) struct Signed {
    pub release: Box<VerifiedRelease>,
    pub envelope: Vec<u8>,
}

impl Fetched {
    /// Checks every signature and digest, opens every archive, reads every manifest; on all cores.
    ///
    /// # Errors
    /// Exit 4 for whatever is not what was signed, `bundle-…` for what cannot be a skill.
    pub fn verify(self, desk: &Desk<'_>) -> Result<Verified, Failure> {
        let Self { sources, skills, unchanged } = self;
        for source in sources.iter().filter(|_| !desk.options.frozen) {
            source.root.require_unexpired(desk.context.now()).map_err(|error| {
                Failure::new(Code::RootExpired, format!("the root of {} has ended", source.label()))
                    .because(error.to_string())
                    .nothing_changed()
                    .hint("ask the operator, who issues a new one")
            })?;
        }
        let answers = parallel::each(skills, |skill| {
            desk.context.go_on()?;
            verify(desk, &sources, skill)
        });
        desk.context.go_on()?;
        let mut verified = Vec::new();
        let mut failures = Vec::new();
        for answer in answers {
            match answer {
                Ok(skill) => verified.push(skill),
                Err(failure) => failures.push(failure),
            }
        }
        match Failure::gravest(failures) {
            Some(failure) => Err(failure),
            None => Ok(Verified { sources, skills: verified, unchanged }),
        }
    }
}

fn verify(desk: &Desk<'_>, sources: &Sources, fetched: FetchedSkill) -> Result<VerifiedSkill, Failure> {
    let FetchedSkill { resolved, envelope } = fetched;
    let ResolvedSkill { local, asked, typed, record, origin, requirement, before, targets, places } =
        resolved;
    let (from, bundle) = match origin {
        Origin::Release(release) => {
            let at = sources.get(release.source);
            let signed = open(at, &release, envelope.unwrap_or_default())?;
            if release.locked {
                agree(before.as_ref(), &signed, &release, desk.options.frozen)?;
            }
            let bundle = unpack(desk, &release, &signed)?;
            (From::Release(release, signed), bundle)
        }
        Origin::Local(local) => {
            let reference = local.reference();
            let Local { source, bundle, excluded, .. } = *local;
            (From::Local(LocalSource { source, typed, reference, excluded }), bundle)
        }
    };
    let tree = Tree::of(&bundle);
    let (manifest, diagnostics) = Manifest::read(bundle.skill_md(), local.as_str()).map_err(|error| {
        Failure::new(
            Code::named(error.code()).unwrap_or(Code::FrontmatterUnreadable),
            format!("{local}: {error}"),
        )
        .nothing_changed()
        .hint(error.way_out())
    })?;
    let judgement = judge(desk, &bundle, from.signed())?;
    let files = bundle.files().map(|(path, file)| (path.as_str(), file.executable(), file.content()));
    let capabilities = skill_core::policy::capabilities(&manifest, files);
    if from.signed().is_none() && !desk.options.dry_run {
        sources::keep(desk, &bundle, tree.digest())
            .map_err(|error| Failure::disk(&error, "the cache").nothing_changed())?;
    }
    let content = match from.signed() {
        Some(signed) if bundle.total_bytes() > HELD => Content::Archive(signed.release.archive),
        _ => Content::Held(bundle),
    };
    let forgiven = diagnostics
        .iter()
        .filter(|found| found.code == Code::FrontmatterMissing.as_str())
        .map(|found| found.message.clone())
        .collect();
    let resolved = Decided { local, asked, record, from, requirement, before, targets, places };
    Ok(VerifiedSkill { resolved, tree, content, manifest, judgement, capabilities, forgiven })
}

/// Checks the envelope against the root and against what was asked for.
fn open(at: &Source, release: &Release, envelope: Vec<u8>) -> Result<Signed, Failure> {
    let expected = Expected {
        registry: at.id,
        owner: release.name.owner.clone(),
        slug: release.name.slug.clone(),
        version: release.version.clone(),
    };
    let checked = TrustEnvelope::parse(&envelope)
        .map_err(skill_trust::TrustError::from)
        .and_then(|envelope| verify_release(&envelope, &at.root, &expected));
    let verified = checked.map_err(|error| {
        let code = Code::named(error.code()).unwrap_or(Code::SignatureMismatch);
        let title = format!("{} {}", release.name, release.version);
        Failure::new(code, format!("the proof of {title} does not hold"))
            .because(error.to_string())
            .nothing_changed()
            .key("check", error.check())
            .hint("ask the operator")
    })?;
    Ok(Signed { release: Box::new(verified), envelope })
}

/// What a lock names must be what is signed, field by field.
fn agree(
    locked: Option<&LockedSkill>,
    signed: &Signed,
    release: &Release,
    frozen: bool,
) -> Result<(), Failure> {
    let Some(LockedSkill {
        source: LockedSource::Registry { registry, owner, slug, version, archive, publisher, log_index },
        tree,
        findings,
        verdict,
        accepted,
        ..
    }) = locked
    else {
        return Ok(());
    };
    let locked = Locked {
        registry: *registry,
        owner,
        slug,
        version,
        archive: *archive,
        tree: *tree,
        publisher,
        log_index: *log_index,
        findings: *findings,
    };
    // Another verdict, and other findings than were accepted, are for the judgement to say. Without `--frozen`
    // the lock gets what is signed now.
    let judged = !frozen || *accepted || *verdict != signed.release.verdict();
    let differences: Vec<_> = disagreements(&locked, &signed.release)
        .into_iter()
        .filter(|difference| !judged || difference.field != skill_trust::agreement::LockField::Findings)
        .collect();
    let Some(first) = differences.first() else { return Ok(()) };
    let code = match first.field {
        skill_trust::agreement::LockField::Archive => Code::ArchiveDigest,
        skill_trust::agreement::LockField::Tree => Code::TreeDigest,
        _ => Code::EnvelopeOther,
    };
    let title = format!("{} {}", release.name, release.version);
    let mut failure =
        Failure::new(code, format!("skills.lock does not agree with what was signed for {title}"));
    for difference in differences.iter().take(2) {
        failure =
            failure.because(format!("the lock says {}, signed is {}", difference.locked, difference.signed));
    }
    Err(failure
        .nothing_changed()
        .key("check", first.field.check())
        .hint("restore skills.lock from version control"))
}

/// Opens the archive, which must be the signed one, and compares what is in it with the signed tree.
fn unpack(desk: &Desk<'_>, release: &Release, signed: &Signed) -> Result<Bundle, Failure> {
    let title = format!("{} {}", release.name, release.version);
    let wanted = &signed.release;
    let other = |code: Code, expected: String, received: String| {
        Failure::new(code, format!("{title} is not what was signed"))
            .because(format!("expected {expected}"))
            .because(format!("received {received}"))
            .nothing_changed()
            .key("expected", expected)
            .key("received", received)
            .hint("try again, and tell the operator if it stays")
    };
    if wanted.archive != release.archive {
        return Err(other(Code::ArchiveDigest, wanted.archive.to_string(), release.archive.to_string()));
    }
    let bundle = archived(desk, wanted.archive, &title, Some(wanted.archive_size))?;
    let tree = Tree::of(&bundle).digest();
    if tree != wanted.tree {
        return Err(other(Code::TreeDigest, wanted.tree.to_string(), tree.to_string()));
    }
    Ok(bundle)
}

/// Opens an archive of the cache, whose digest is taken again first.
pub(super) fn archived(
    desk: &Desk<'_>,
    digest: Sha256,
    title: &str,
    size: Option<u64>,
) -> Result<Bundle, Failure> {
    let bytes = desk.cache.archive(digest).map_err(|error| desk.cache_failure(&error))?;
    let bytes = bytes.ok_or_else(|| {
        Failure::new(Code::ArchiveDigest, format!("the archive of {title} changed in the cache"))
            .nothing_changed()
            .hint("try again")
    })?;
    if let Some(size) = size.filter(|size| *size != bytes.len() as u64) {
        return Err(Failure::new(
            Code::SizeMismatch,
            format!("the archive of {title} is not what was signed"),
        )
        .because(format!("{size} bytes were signed, it has {}", bytes.len()))
        .nothing_changed());
    }
    open_archive(&mut Cursor::new(bytes), &Limits::default())
        .map(|(bundle, _)| bundle)
        .map_err(|error| Failure::of_bundle(&error, title).nothing_changed())
}

/// The registry's verdict for a release, the own scan's for anything else.
fn judge(desk: &Desk<'_>, bundle: &Bundle, signed: Option<&Signed>) -> Result<Judgement, Failure> {
    let own = || desk.context.scan(bundle);
    if let Some(Signed { release, .. }) = signed {
        let said = &release.scan;
        // The registry signs a digest of its findings; the words come from the rules at hand.
        let findings = if said.verdict == Verdict::Clean { Vec::new() } else { own()?.findings };
        let (verdict, findings_digest, rules) = (release.verdict(), said.findings, said.ruleset.name.clone());
        return Ok(Judgement { verdict, findings_digest, findings, rules });
    }
    let report = own()?;
    Ok(Judgement {
        verdict: report.verdict,
        findings_digest: findings_digest(&report.findings),
        findings: report.findings,
        rules: report.ruleset_name,
    })
}
