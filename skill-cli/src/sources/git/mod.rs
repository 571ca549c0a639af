//! A skill in a git repository.
//!
//! The git program speaks to the remote, with the user's own credentials and without a prompt; everything
//! else is read from the objects that it brings: no work tree is ever written, so that no hook, filter,
//! line-ending rule or link of a file system has a say. One question for the refs, one shallow fetch without
//! file contents, then the contents of the one skill.

mod address;
mod choose;
mod contents;
mod environment;
mod error;
mod fetch;
mod github;
mod links;
mod listing;
mod process;
mod program;
mod refs;
mod restored;
mod wish;

pub(crate) use github::github;
pub(crate) use program::Git;
pub(super) use restored::restore;
pub(crate) use wish::GitWish;

use skill_core::lock::{LockedSkill, LockedSource};

use self::address::Address;
use self::fetch::Repository;
use self::refs::Refs;
use super::{Local, kept};
use crate::failure::Failure;
use crate::install::Desk;
use crate::report::Message;

/// Takes what a repository holds today under the ref that is asked for.
///
/// # Errors
/// `git-…`, `source-several`, `source-empty`, `bundle-…`.
pub(super) async fn take(
    desk: &Desk<'_>,
    git: &Git<'_>,
    wish: &GitWish,
    typed: bool,
) -> Result<Local, Failure> {
    let address = Address::of(desk, &wish.source, typed)?;
    git.online(&address)?;
    let repository = Repository::new(git, &address)?;
    let answer = repository.list_refs().await?;
    let refs = Refs::parse(&answer);
    let chosen = match wish.choose(&refs) {
        Ok(chosen) => chosen,
        Err(unknown) => match abbreviated(desk, &repository, &unknown, Refs::digits(&answer)).await? {
            Some(commit) => refs::Chosen { commit, ..wish.as_commit(&unknown) },
            None => return Err(error::no_such_ref(&address, &unknown, &refs)),
        },
    };
    // What is locked already and was kept needs no second fetch.
    if let Some(kept) = same_as_locked(desk, &address, &chosen) {
        return Ok(kept);
    }
    take_commit(&repository, &address, &chosen).await
}

/// The commit that begins like this. Looking for it takes a while, so that it is said.
async fn abbreviated(
    desk: &Desk<'_>,
    repository: &Repository<'_>,
    beginning: &str,
    digits: usize,
) -> Result<Option<String>, Failure> {
    let is_hex = beginning.bytes().all(|b| b.is_ascii_hexdigit());
    if !is_hex || !(7..digits).contains(&beginning.len()) {
        return Ok(None);
    }
    let text = format!("{beginning} is no branch or tag; it is looked for among all commits");
    desk.context.screen.tell(&Message::note(text));
    repository.abbreviated(beginning, digits).await
}

async fn take_commit(
    repository: &Repository<'_>,
    address: &Address,
    chosen: &refs::Chosen,
) -> Result<Local, Failure> {
    let commit = repository.fetch(chosen, address).await?;
    let listing = repository.listing(&commit).await?;
    let folder = choose::folder(repository, address, &listing, chosen.path.as_deref()).await?;
    let wanted = contents::Wanted::collect(repository, &listing, &folder.real)
        .await
        .map_err(|refused| refused.into_failure(&address.shown))?;
    let contents = wanted.read(repository).await.map_err(|refused| refused.into_failure(&address.shown))?;
    let source = LockedSource::Git {
        url: address.location.clone(),
        reference: chosen.reference.clone(),
        commit,
        path: (!folder.asked.is_empty()).then(|| folder.asked.clone()),
    };
    Ok(Local {
        excluded: contents.excluded,
        links: contents.links,
        base_name: base_name(address, Some(&folder.asked)),
        ..Local::plain(source, address.shown.clone(), contents.bundle)
    })
}

fn same_as_locked(desk: &Desk<'_>, address: &Address, chosen: &refs::Chosen) -> Option<Local> {
    let same = |skill: &&LockedSkill| match &skill.source {
        LockedSource::Git { url, commit, path, .. } => {
            *url == address.location && *commit == chosen.commit && *path == chosen.path
        }
        _ => false,
    };
    let mut found = kept::of_entry(desk, desk.lock.skills.values().find(same)?)?;
    if let LockedSource::Git { reference, .. } = &mut found.source {
        reference.clone_from(&chosen.reference);
    }
    found.shown.clone_from(&address.shown);
    found.base_name = base_name(address, chosen.path.as_deref());
    Some(found)
}

/// From what a slug may follow: the folder's own name, at the root the repository's.
fn base_name(address: &Address, folder: Option<&str>) -> String {
    let name = folder.and_then(|folder| folder.rsplit('/').next()).filter(|name| !name.is_empty());
    name.map_or_else(|| address.base_name(), str::to_owned)
}
