//! Bytes: the envelope and the archive of each release, from the cache or from its registry.

use futures_util::stream::{self, StreamExt as _};
use skill_bundle::Limits;

use super::resolve::{AT_ONCE, Origin, Release, ResolvedSkill, Unchanged};
use super::sources::{Source, Sources};
use super::tally::Tally;
use super::{Desk, Resolved, restrictions};
use crate::client::ClientError;
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
        if !skills.is_empty() {
            desk.tell_of_cache();
        }
        let tally = Tally::new(&desk.context.screen, "Fetching", skills.len(), to_come(desk, &skills));
        let work = skills
            .iter()
            .map(|skill| tally.piece(skill.local.as_str(), fetch(desk, &sources, skill, tally.file())));
        let work = stream::iter(work).buffered(AT_ONCE).collect();
        let envelopes: Vec<Result<Option<Vec<u8>>, Failure>> = tally.beside(work).await;
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
    arrived: impl Fn(u64) + Sync,
) -> Result<Option<Vec<u8>>, Failure> {
    let Origin::Release(release) = &skill.origin else { return Ok(None) };
    let at = sources.get(release.source);
    let (envelope, ()) =
        futures_util::future::try_join(envelope(desk, at, release), archive(desk, at, release, &arrived))
            .await?;
    Ok(Some(envelope))
}

/// How many bytes are to be downloaded, as far as the index says.
fn to_come(desk: &Desk<'_>, skills: &[ResolvedSkill]) -> u64 {
    let size = |skill: &ResolvedSkill| match &skill.origin {
        Origin::Release(release) if !desk.cache.has_archive(release.archive) => release.archive_size,
        _ => None,
    };
    skills.iter().filter_map(size).sum()
}

async fn envelope(desk: &Desk<'_>, at: &Source, release: &Release) -> Result<Vec<u8>, Failure> {
    let Release { name, version, .. } = release;
    let Some(session) = &at.session else {
        return kept_envelope(desk, at, release)?.ok_or_else(|| miss(release, "the envelope of "));
    };
    let bytes = match session.envelope(name, version).await.map_err(|error| at.failure(&error))? {
        Some(bytes) => bytes,
        // A withdrawn release is restored from what is here.
        None if release.locked => {
            kept_envelope(desk, at, release)?.ok_or_else(|| restrictions::gone(&at.label(), name, version))?
        }
        None => return Err(restrictions::gone(&at.label(), name, version)),
    };
    desk.cache.keep_envelope(at.id, name, version, &bytes).map_err(|error| desk.cache_failure(&error))?;
    Ok(bytes)
}

/// The envelope as the cache or the work directory keeps it.
fn kept_envelope(desk: &Desk<'_>, at: &Source, release: &Release) -> Result<Option<Vec<u8>>, Failure> {
    let cached = desk
        .cache
        .envelope(at.id, &release.name, &release.version)
        .map_err(|error| desk.cache_failure(&error))?;
    Ok(cached.or_else(|| super::trust_files::envelope_at_hand(desk, at.id, release)))
}

/// Whether a release can be restored without its registry.
pub(super) fn is_at_hand(desk: &Desk<'_>, at: &Source, release: &Release) -> bool {
    desk.cache.archive(release.archive).is_ok_and(|bytes| bytes.is_some())
        && kept_envelope(desk, at, release).is_ok_and(|envelope| envelope.is_some())
}

fn miss(release: &Release, what: &str) -> Failure {
    let Release { name, version, .. } = release;
    Failure::new(Code::OfflineMiss, format!("{what}{name} {version} is not in the cache"))
        .because("--offline opens no connection")
        .nothing_changed()
        .hint("run it once without `--offline`")
}

/// `size-mismatch`.
fn other_size(release: &Release, announced: u64, came: &str) -> Failure {
    let Release { name, version, .. } = release;
    Failure::new(Code::SizeMismatch, format!("the archive of {name} {version} is not what was signed"))
        .because(format!("{announced} bytes were announced, {came} came"))
        .nothing_changed()
        .hint("try again, and tell the operator if it stays")
}

/// Brings the archive into the cache under the digest that index or lock name.
async fn archive(
    desk: &Desk<'_>,
    at: &Source,
    release: &Release,
    arrived: &(dyn Fn(u64) + Sync),
) -> Result<(), Failure> {
    let Release { name, version, archive, archive_size, .. } = release;
    if desk.cache.archive(*archive).map_err(|error| desk.cache_failure(&error))?.is_some() {
        return Ok(());
    }
    let Some(session) = &at.session else { return Err(miss(release, "")) };
    let cap = Limits::default().archive_bytes;
    let incoming = desk.cache.incoming().map_err(|error| desk.cache_failure(&error))?;
    let most = archive_size.map_or(cap, |size| size.min(cap));
    let received = match session.download(name, version, most, &incoming, arrived).await {
        Ok(received) => received,
        Err(ClientError::TooLong { .. }) if archive_size.is_some_and(|size| size <= cap) => {
            return Err(other_size(release, most, "more"));
        }
        Err(error) => return Err(at.failure(&error)),
    };
    if let Some(size) = archive_size.filter(|size| *size != received.len) {
        return Err(other_size(release, size, &received.len.to_string()));
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
    desk.cache.keep_archive(incoming, received.sha256).map_err(|error| desk.cache_failure(&error))
}
