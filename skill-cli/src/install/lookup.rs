//! What a registry says: whom a bare name belongs to, and which releases there are.

use skill_core::api::IndexLine;
use skill_core::lock::LockedSource;
use skill_core::name::{SkillName, Slug};

use super::Desk;
use super::sources::Source;
use crate::cache::CachedIndex;
use crate::client::{ClientError, Index};
use crate::code::Code;
use crate::failure::Failure;
use crate::naming;
use crate::text::quote;

/// Whose skill a bare name means.
pub(super) async fn bound(desk: &Desk<'_>, at: &Source, slug: &Slug) -> Result<SkillName, Failure> {
    let Some(session) = &at.session else {
        let mut locked = desk.lock.skills.values().filter_map(|skill| match &skill.source {
            LockedSource::Registry { registry, owner, slug: known, .. }
                if *registry == at.id && known == slug =>
            {
                Some(SkillName::new(owner.clone(), slug.clone()))
            }
            _ => None,
        });
        return locked.next().ok_or_else(|| offline_miss(slug.as_str()));
    };
    naming::bound(session, &at.label(), slug).await.map_err(|failure| missed(desk, failure, slug.as_str()))
}

/// The registry has no such skill.
pub(super) async fn not_found(desk: &Desk<'_>, at: &Source, name: &SkillName) -> Failure {
    let Some(session) = &at.session else { return offline_miss(&name.to_string()) };
    let what = name.to_string();
    missed(desk, naming::not_found(session, &at.label(), &what, &name.slug).await, &what)
}

/// A lookup that found nothing; if a folder of that name is here, a hint says how it is written.
fn missed(desk: &Desk<'_>, failure: Failure, what: &str) -> Failure {
    let failure = failure.nothing_changed();
    if failure.code != Code::SkillNotFound || !desk.context.world.cwd.join(what).is_dir() {
        return failure;
    }
    let command = quote::command(["skill", "install", &format!("./{what}")]);
    failure.hint(format!("for a folder of that name run `{command}`"))
}

fn offline_miss(what: &str) -> Failure {
    Failure::new(Code::OfflineMiss, format!("{what} is not in the cache"))
        .because("--offline opens no connection")
        .nothing_changed()
        .hint("run it once without `--offline`")
}

/// The releases of a skill, asked anew with the tag of the copy at hand; none if there is no such skill.
pub(super) async fn index(
    desk: &Desk<'_>,
    at: &Source,
    name: &SkillName,
) -> Result<Option<Vec<IndexLine>>, Failure> {
    let broken = |error: std::io::Error| desk.cache_failure(&error);
    let cached = desk.cache.index(at.id, name).map_err(broken)?;
    let Some(session) = &at.session else {
        let cached = cached.ok_or_else(|| offline_miss(&name.to_string()))?;
        return lines(at, name, &cached.body).map(Some);
    };
    let etag = cached.as_ref().and_then(|cached| cached.etag.as_deref());
    let body = match session.index(name, etag).await.map_err(|error| at.failure(&error))? {
        Index::Absent => return Ok(None),
        Index::Fresh => cached.map(|cached| cached.body).unwrap_or_default(),
        Index::Body { body, etag } => {
            let kept = CachedIndex { etag, body };
            desk.cache.keep_index(at.id, name, &kept).map_err(broken)?;
            kept.body
        }
    };
    lines(at, name, &body).map(Some)
}

/// Reads the lines up to the empty one. Each must be about the skill that was asked for.
fn lines(at: &Source, name: &SkillName, body: &[u8]) -> Result<Vec<IndexLine>, Failure> {
    let strange = |why: String| {
        let error = ClientError::Strange { url: format!("{}/index/{name}", at.url), why };
        at.failure(&error)
    };
    let mut found = Vec::new();
    for line in body.split(|&byte| byte == b'\n').take_while(|line| !line.is_empty()) {
        let line: IndexLine = serde_json::from_slice(line).map_err(|error| strange(error.to_string()))?;
        if (&line.owner, &line.slug) != (&name.owner, &name.slug) {
            return Err(strange(format!("a line is about {}/{}", line.owner, line.slug)));
        }
        found.push(line);
    }
    Ok(found)
}
