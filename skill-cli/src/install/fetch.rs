//! Bytes: the envelope and the archive of each release, from the cache or from its registry.

use futures_util::stream::{self, StreamExt as _};
use skill_bundle::Limits;

use super::resolve::{AT_ONCE, Origin, Release, ResolvedSkill, Unchanged};
use super::sources::{Source, Sources};
use super::{Desk, Resolved};
use crate::code::Code;
use crate::failure::Failure;

/// What was resolved, with its bytes at hand.
pub struct Fetched {
    pub(super) sources: Sources,
    pub(super) skills: Vec<FetchedSkill>,
    pub(super) unchanged: Vec<Unchanged>,
}

/// One skill, with its bytes at hand: a release's archive lies in the cache under its digest.
pub(super) struct FetchedSkill {
    pub resolved: ResolvedSkill,
    /// The trust envelope of a release.
    pub envelope: Option<Vec<u8>>,
}

impl Resolved {
    /// Fetches what is not here yet, several at once. Nothing is written outside of the cache.
    ///
    /// # Errors
    /// `offline-miss`, `archive-digest`, `size-mismatch`, and what a registry says.
    pub async fn fetch(self, desk: &Desk<'_>) -> Result<Fetched, Failure> {
        let Self { sources, skills, unchanged } = self;
        let envelopes: Vec<Result<Option<Vec<u8>>, Failure>> =
            stream::iter(skills.iter().map(|skill| fetch(desk, &sources, skill)))
                .buffered(AT_ONCE)
                .collect()
                .await;
        let mut fetched = Vec::with_capacity(skills.len());
        let mut failures = Vec::new();
        for (resolved, envelope) in skills.into_iter().zip(envelopes) {
            match envelope {
                Ok(envelope) => fetched.push(FetchedSkill { resolved, envelope }),
                Err(failure) => failures.push(failure),
            }
        }
        match Failure::gravest(failures) {
            Some(failure) => Err(failure),
            None => Ok(Fetched { sources, skills: fetched, unchanged }),
        }
    }
}

async fn fetch(
    desk: &Desk<'_>,
    sources: &Sources,
    skill: &ResolvedSkill,
) -> Result<Option<Vec<u8>>, Failure> {
    let Origin::Release(release) = &skill.origin else { return Ok(None) };
    let at = sources.get(release.source);
    let (envelope, ()) =
        futures_util::future::try_join(envelope(desk, at, release), archive(desk, at, release)).await?;
    Ok(Some(envelope))
}

fn disk(error: &std::io::Error) -> Failure {
    Failure::disk(error, "the cache").nothing_changed()
}

async fn envelope(desk: &Desk<'_>, at: &Source, release: &Release) -> Result<Vec<u8>, Failure> {
    let Release { name, version, .. } = release;
    let Some(session) = &at.session else {
        let cached = desk.cache.envelope(at.id, name, version).map_err(|error| disk(&error))?;
        return match cached {
            Some(bytes) => Ok(bytes),
            None => super::trust_files::envelope_at_hand(desk, at.id, release)
                .ok_or_else(|| miss(release, "the envelope of ")),
        };
    };
    let bytes = session.envelope(name, version).await.map_err(|error| at.failure(&error))?;
    let bytes = match bytes {
        Some(bytes) => bytes,
        // A withdrawn release is restored from what is here.
        None if release.locked => {
            match desk.cache.envelope(at.id, name, version).map_err(|error| disk(&error))? {
                Some(bytes) => bytes,
                None => super::trust_files::envelope_at_hand(desk, at.id, release)
                    .ok_or_else(|| gone(at, release))?,
            }
        }
        None => return Err(gone(at, release)),
    };
    desk.cache.keep_envelope(at.id, name, version, &bytes).map_err(|error| disk(&error))?;
    Ok(bytes)
}

fn gone(at: &Source, release: &Release) -> Failure {
    let Release { name, version, .. } = release;
    Failure::new(Code::VersionNotFound, format!("{} has no release {version} of {name}", at.label()))
        .nothing_changed()
}

fn miss(release: &Release, what: &str) -> Failure {
    let Release { name, version, .. } = release;
    Failure::new(Code::OfflineMiss, format!("{what}{name} {version} is not in the cache"))
        .because("--offline opens no connection")
        .nothing_changed()
        .hint("run it once without `--offline`")
}

/// Brings the archive into the cache under the digest that index or lock name.
async fn archive(desk: &Desk<'_>, at: &Source, release: &Release) -> Result<(), Failure> {
    let Release { name, version, archive, archive_size, .. } = release;
    if desk.cache.archive(*archive).map_err(|error| disk(&error))?.is_some() {
        return Ok(());
    }
    let Some(session) = &at.session else { return Err(miss(release, "")) };
    let cap = Limits::default().archive_bytes;
    let incoming = desk.cache.incoming().map_err(|error| disk(&error))?;
    // A byte more than announced is told as such, and no more than the limit is ever read.
    let most = archive_size.map_or(cap, |size| size.saturating_add(1).min(cap));
    let received =
        session.download(name, version, most, &incoming).await.map_err(|error| at.failure(&error))?;
    if let Some(size) = archive_size.filter(|size| *size != received.len) {
        return Err(Failure::new(
            Code::SizeMismatch,
            format!("the archive of {name} {version} is not what was signed"),
        )
        .because(format!("{size} bytes were announced, {} came", received.len))
        .nothing_changed()
        .hint("try again, and tell the operator if it stays"));
    }
    if received.sha256 != *archive {
        return Err(Failure::new(
            Code::ArchiveDigest,
            format!("the archive of {name} {version} is not what was signed"),
        )
        .because(format!("expected sha256 {archive}"))
        .because(format!("received sha256 {}", received.sha256))
        .nothing_changed()
        .key("expected", archive.to_string())
        .key("received", received.sha256.to_string())
        .hint("try again, and tell the operator if it stays"));
    }
    desk.cache.keep_archive(incoming, received.sha256).map_err(|error| disk(&error))
}
