//! The ways in that need no registry: a folder, an archive, a git repository.
//!
//! Each gives a [`Local`]: the files, checked by the one door into a bundle, and what the lock is to
//! say about where they came from. Nothing here is signed by anybody, so that what comes in this way
//! is scanned here and judged by that.

mod archive;
mod changed;
mod elsewhere;
mod folder;
mod git;
mod kept;
mod local;
mod recorded;
mod several;

use skill_core::lock::{LockedSkill, LockedSource};
use skill_core::name::Slug;

pub(crate) use changed::Locked;
pub(crate) use elsewhere::Elsewhere;
pub(crate) use git::Git;
pub(crate) use kept::keep;
pub(crate) use local::Local;

use crate::code::Code;
use crate::failure::Failure;
use crate::install::Desk;
use crate::text::quote;

/// Takes what a person or skills.toml asks for, as it is today. `typed`: its paths come from the command
/// line.
///
/// # Errors
/// `path-not-found`, `archive-…`, `git-…`, `source-…`, `bundle-…`, and what the network gives.
pub(crate) async fn take(
    desk: &Desk<'_>,
    git: &Git<'_>,
    from: &Elsewhere,
    typed: bool,
) -> Result<Local, Failure> {
    match from {
        Elsewhere::Folder(path) => folder::pack(desk, path, typed),
        Elsewhere::Archive(wish) => archive::take(desk, wish, typed).await,
        Elsewhere::Git(wish) => git::take(desk, git, wish, typed).await,
        Elsewhere::Url(wish) => elsewhere::unclear(desk, git, wish, typed).await,
    }
}

/// Takes what the lock names.
///
/// # Errors
/// As [`take`]; `lock-source-changed` for a URL that gives other bytes, and for a file under `--frozen`.
pub(crate) async fn restore(
    desk: &Desk<'_>,
    git: &Git<'_>,
    local: &Slug,
    skill: &LockedSkill,
) -> Result<Local, Failure> {
    match &skill.source {
        LockedSource::Path { path } => match folder::pack(desk, path, false) {
            Err(gone) if gone.code == Code::PathNotFound => kept::of_entry(desk, skill).ok_or(gone),
            packed => packed,
        },
        LockedSource::Archive { location, sha256, path } => {
            archive::restore(desk, local, skill, (location, *sha256, path.as_deref())).await
        }
        LockedSource::Git { .. } => match kept::of_entry(desk, skill) {
            Some(kept) => Ok(kept),
            None => git::restore(desk, git, local, skill).await,
        },
        LockedSource::Registry { .. } => {
            Err(Failure::new(Code::Internal, format!("{local} is a registry's and was looked for elsewhere")))
        }
    }
}

/// Whether one source is another state of the same thing, so that one may take the place of the other: the
/// same folder, the same archive and folder in it, the same repository and folder in it.
pub(crate) fn is_same(one: &LockedSource, other: &LockedSource) -> bool {
    match (one, other) {
        (LockedSource::Path { path }, LockedSource::Path { path: other }) => path == other,
        (
            LockedSource::Archive { location, path, .. },
            LockedSource::Archive { location: other, path: inside, .. },
        ) => location == other && path == inside,
        (LockedSource::Git { url, path, .. }, LockedSource::Git { url: other, path: inside, .. }) => {
            url == other && path == inside
        }
        _ => false,
    }
}

/// A source as sentences name it: bare where it can stand by itself.
pub(crate) fn shown(text: &str) -> String {
    let alone = |c: char| !(c.is_whitespace() || c.is_control() || matches!(c, '`' | '"' | '\''));
    if text.chars().all(alone) { text.to_owned() } else { quote::path(text) }
}

/// What stands in the column `asked` for what is locked.
pub(crate) fn asked(source: &LockedSource) -> String {
    match source {
        LockedSource::Git { reference: Some(reference), .. } => reference.clone(),
        _ => "-".to_owned(),
    }
}

/// `an archive source`, `a git source`.
pub(crate) fn article(source: &LockedSource) -> String {
    let article = if matches!(source, LockedSource::Archive { .. }) { "an" } else { "a" };
    format!("{article} {} source", source.kind())
}
