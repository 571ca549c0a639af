//! What a registry says: whom a bare name belongs to, and which releases there are.

use skill_core::api::IndexLine;
use skill_core::lock::LockedSource;
use skill_core::name::{SkillName, Slug};

use super::Desk;
use super::sources::Source;
use crate::cache::CachedIndex;
use crate::client::{Bound, Candidate, ClientError, Index};
use crate::code::Code;
use crate::failure::Failure;
use crate::report::{Cell, Column, Role, Table};
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
    match session.bound(slug).await.map_err(|error| at.failure(&error))? {
        Bound::To(name) => Ok(name),
        Bound::Absent => {
            let similar = session.search(slug.as_str(), 3).await.unwrap_or_default();
            let similar: Vec<String> =
                similar.iter().map(|hit| format!("{}/{}", hit.owner_handle, hit.slug)).collect();
            Err(with_folder_hint(desk, absent(at, slug, &similar), slug.as_str()))
        }
        Bound::Ambiguous(candidates) => Err(ambiguous(at, slug, &candidates)),
    }
}

/// `skill-not-found`, with names that are near as text to read, never in a command.
fn absent(at: &Source, slug: &Slug, similar: &[String]) -> Failure {
    let failure = Failure::new(Code::SkillNotFound, format!("{} has no skill named {slug}", at.label()));
    let failure = if similar.is_empty() {
        failure
    } else {
        let names = quote::list(similar, 3);
        failure.because(format!("similar names there: {names}")).key("similar", similar.to_vec())
    };
    failure.nothing_changed().hint(format!("run `skill search {slug}`"))
}

fn ambiguous(at: &Source, slug: &Slug, candidates: &[Candidate]) -> Failure {
    let names: Vec<String> =
        candidates.iter().map(|one| format!("{}/{}", one.owner_handle, one.slug)).collect();
    let mut table = Table::new([Column::new("skill").whole()]).indent(5);
    for name in &names {
        table.push([Cell::of(Role::Name, name.clone())]);
    }
    let message = format!("the bare name {slug} belongs to nobody in {}", at.label());
    let failure = Failure::new(Code::SlugAmbiguous, message).nothing_changed().list(table);
    let failure = failure.key("candidates", names.clone());
    match names.first() {
        Some(name) => failure.hint(format!("run `skill install {name}` or name another owner")),
        None => failure,
    }
}

fn with_folder_hint(desk: &Desk<'_>, failure: Failure, what: &str) -> Failure {
    if !desk.context.world.cwd.join(what).is_dir() {
        return failure;
    }
    let command = quote::command(["skill", "install", &format!("./{what}")]);
    failure.hint(format!("for a folder of that name run `{command}`"))
}

pub(super) fn not_found(at: &Source, name: &SkillName) -> Failure {
    Failure::new(Code::SkillNotFound, format!("{} has no skill named {name}", at.label()))
        .nothing_changed()
        .hint(format!("run `skill search {}`", name.slug))
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
    let broken = |error: std::io::Error| Failure::disk(&error, "the cache").nothing_changed();
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
