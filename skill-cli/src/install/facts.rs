//! What the install policy is told of a skill.

use skill_core::lock::LockedSource;
use skill_core::policy::{Authority, Facts, Kind, Mode, Origin, SkillFacts, Source as Described, SourceKind};

use super::sources::Sources;
use super::stage::StagedSkill;
use super::verified::{From, LocalSource, Signed, VerifiedSkill};
use crate::policy::{Registry, Subject};

/// A skill as rules and programs see it.
pub(super) fn subject(sources: &Sources, skill: &VerifiedSkill) -> Subject {
    match &skill.resolved.from {
        From::Release(release, signed) => {
            let at = sources.get(release.source);
            let reference = format!("{}@{}", release.name, release.version);
            let origin = Origin::Clawhub {
                registry: at.url.clone(),
                slug: release.name.slug.clone(),
                owner_handle: release.name.owner.clone(),
                version: release.version.to_string(),
            };
            let source = Described {
                kind: Kind::Clawhub,
                authority: Authority::ThirdParty,
                mutable: false,
                network: true,
            };
            Subject {
                title: format!("{} {}", release.name, release.version),
                local: skill.resolved.local.to_string(),
                registry: Some(Registry { id: at.id, url: at.url.clone() }),
                facts: of_release(skill, signed, &release.name.owner),
                skill: told(skill, "clawhub", Some(signed.release.archive), Some(signed)),
                specifier: format!("clawhub:@{reference}"),
                reference: vec![reference],
                source,
                origin,
            }
        }
        From::Local(LocalSource { source, shown, .. }) => local(skill, source, shown.trim_matches('`')),
    }
}

/// Whether something is there that will be replaced.
pub(super) fn mode(staged: &StagedSkill) -> Mode {
    let decided = &staged.verified.resolved;
    let there = |place: &super::resolve::Place| place.root.place(&decided.local).symlink_metadata().is_ok();
    if decided.places.iter().any(there) { Mode::Update } else { Mode::Install }
}

fn of_release(skill: &VerifiedSkill, signed: &Signed, owner: &skill_core::name::Owner) -> Facts {
    let release = &signed.release.release;
    Facts {
        source: SourceKind::Registry,
        network: true,
        owner: Some(owner.clone()),
        publisher: Some(release.publisher.clone()),
        signed: true,
        // The envelope carries no proof of inclusion that could be checked here.
        logged: false,
        published_at: Some(release.published_at),
        ..of_files(skill)
    }
}

/// What the files themselves say.
fn of_files(skill: &VerifiedSkill) -> Facts {
    Facts {
        source: SourceKind::Path,
        network: false,
        owner: None,
        publisher: None,
        signed: false,
        logged: false,
        verdict: skill.judgement.verdict,
        published_at: None,
        licence: skill.manifest.license.clone(),
        capabilities: skill.capabilities.clone(),
    }
}

fn told(
    skill: &VerifiedSkill,
    install_id: &'static str,
    archive: Option<skill_core::digest::Sha256>,
    signed: Option<&Signed>,
) -> SkillFacts {
    SkillFacts {
        install_id,
        tree_digest: skill.tree.digest(),
        archive_sha256: archive,
        verdict: skill.judgement.verdict,
        publisher: signed.map(|signed| signed.release.release.publisher.clone()),
        signed: signed.is_some(),
        log_index: signed.map(|signed| signed.release.release_log_index),
    }
}

/// A source that no registry vouches for. `written` is how it was asked for.
fn local(skill: &VerifiedSkill, source: &LockedSource, written: &str) -> Subject {
    let (kind, described, origin, install_id, specifier, archive) = match source {
        LockedSource::Git { url, reference, commit, path } => {
            let pinned = reference.as_ref() == Some(commit);
            let spec = git_spec(url.as_str(), path.as_deref(), reference.as_deref());
            let origin = Origin::Git {
                spec: spec.clone(),
                commit: Some(commit.clone()),
                reference: reference.clone(),
            };
            let described = described(Kind::Git, Authority::ThirdParty, !pinned, true);
            (SourceKind::Git, described, origin, "git", spec, None)
        }
        LockedSource::Archive { location, sha256, .. } => {
            let network = location.as_str().contains("://");
            let described = described(Kind::Upload, Authority::User, false, network);
            let origin = Origin::Upload { upload_id: location.to_string(), sha256: *sha256 };
            let specifier = format!("upload:{}", location.as_str());
            (SourceKind::Archive, described, origin, "upload", specifier, Some(*sha256))
        }
        LockedSource::Path { .. } | LockedSource::Registry { .. } => {
            // What nobody typed is written in skills.toml and the lock.
            let written = match source {
                LockedSource::Path { path } if !skill.resolved.record => path.as_str(),
                _ => written,
            };
            let origin = Origin::Path { spec: written.to_owned() };
            let described = described(Kind::LocalPath, Authority::User, true, false);
            (SourceKind::Path, described, origin, "path", written.to_owned(), None)
        }
    };
    Subject {
        title: skill.resolved.local.to_string(),
        local: skill.resolved.local.to_string(),
        reference: words(source, written),
        registry: None,
        facts: Facts { source: kind, network: described.network, ..of_files(skill) },
        skill: told(skill, install_id, archive, None),
        specifier,
        source: described,
        origin,
    }
}

const fn described(kind: Kind, authority: Authority, mutable: bool, network: bool) -> Described {
    Described { kind, authority, mutable, network }
}

/// What `skill policy explain` takes for the same thing.
fn words(source: &LockedSource, written: &str) -> Vec<String> {
    let (reference, path) = match source {
        LockedSource::Git { reference, path, .. } => (reference.as_ref(), path.as_ref()),
        LockedSource::Archive { path, .. } => (None, path.as_ref()),
        LockedSource::Path { .. } | LockedSource::Registry { .. } => (None, None),
    };
    let flags = [("--ref", reference), ("--path", path)];
    let flags = flags.into_iter().filter_map(|(flag, value)| Some([flag.to_owned(), value?.clone()]));
    std::iter::once(written.to_owned()).chain(flags.flatten()).collect()
}

/// `git:URL[@ref][//path]`, as `skill install` takes it; a location holds no credentials.
fn git_spec(url: &str, path: Option<&str>, reference: Option<&str>) -> String {
    let url = url.strip_prefix("git:").unwrap_or(url);
    let path = path.map(|path| format!("//{path}")).unwrap_or_default();
    let reference = reference.map(|reference| format!("@{reference}")).unwrap_or_default();
    format!("git:{url}{reference}{path}")
}
