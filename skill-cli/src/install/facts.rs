//! What the install policy is told of a skill.

use skill_core::lock::LockedSource;
use skill_core::policy::{Authority, Facts, Kind, Mode, Origin, SkillFacts, Source as Described, SourceKind};
use skill_core::reference::{GitRef, GitSource, Location};

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
        From::Local(from) => local(skill, from),
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

/// A source that no registry vouches for.
fn local(skill: &VerifiedSkill, from: &LocalSource) -> Subject {
    let (kind, described, origin, install_id, specifier, archive) = match &from.source {
        LockedSource::Git { url, reference, commit, path } => {
            let pinned = reference.as_ref() == Some(commit);
            let spec = git_words(url, reference.as_ref(), path.as_ref());
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
            let spec = from.typed.clone().unwrap_or_else(|| from.from());
            let origin = Origin::Path { spec: spec.clone() };
            let described = described(Kind::LocalPath, Authority::User, true, false);
            (SourceKind::Path, described, origin, "path", spec, None)
        }
    };
    Subject {
        title: skill.resolved.local.to_string(),
        local: skill.resolved.local.to_string(),
        reference: words(from),
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
fn words(from: &LocalSource) -> Vec<String> {
    let (reference, path) = match &from.source {
        LockedSource::Git { reference, path, .. } => (reference.as_ref(), path.as_ref()),
        LockedSource::Archive { path, .. } => (None, path.as_ref()),
        LockedSource::Path { .. } | LockedSource::Registry { .. } => (None, None),
    };
    // Of a repository ref and folder may be typed, too; here they are flags.
    let source = match &from.source {
        LockedSource::Git { .. } => &from.reference,
        _ => from.typed.as_ref().unwrap_or(&from.reference),
    };
    let flags = [("--ref", reference), ("--path", path)];
    let flags = flags.into_iter().filter_map(|(flag, value)| Some([flag.to_owned(), value?.clone()]));
    std::iter::once(source.clone()).chain(flags.flatten()).collect()
}

/// `git:URL[@ref][//path]`, as `skill install` takes it; a location holds no credentials.
fn git_words(url: &Location, reference: Option<&String>, path: Option<&String>) -> String {
    let source = url.as_str().parse().unwrap_or_else(|_| GitSource::Local(url.to_string()));
    GitRef { source, reference: reference.cloned(), path: path.cloned() }.to_string()
}

#[cfg(test)]
mod tests {
    use skill_core::reference::Reference;

    use super::*;

    #[test]
    fn the_words_for_a_repository_read_back_to_the_same_one() {
        for url in [
            "git://host.example/x.git",
            "https://host.example/a/x.git",
            "ssh://git@host.example/x.git",
            "file:///srv/x.git",
            "git@host.example:a/x.git",
            "../x.git",
            "./git:x.git",
        ] {
            for (reference, path) in [(None, None), (Some("v1"), None), (Some("main"), Some("tools/x"))] {
                let (reference, path) = (reference.map(str::to_owned), path.map(str::to_owned));
                let words = git_words(&Location::stripped(url), reference.as_ref(), path.as_ref());
                let is_folder = |text: &str| text == url;
                let (Reference::Git(read), _) = Reference::parse(&words, &is_folder).unwrap() else {
                    panic!("{words} is no repository");
                };
                assert_eq!(read, GitRef { source: url.parse().unwrap(), reference, path }, "{words}");
            }
        }
    }
}
