use skill_core::reference::{GitSource, Location, ReferenceError};

use super::address::Address;
use super::fetch::Repository;
use super::program::Git;
use super::refs::Chosen;
use super::take_commit;
use crate::failure::Failure;
use crate::install::Desk;
use crate::naming;
use crate::sources::Local;

/// Fetches the commit that is locked; the remote is not asked where its refs are today.
///
/// # Errors
/// As [`super::take`].
pub(crate) async fn restore(
    desk: &Desk<'_>,
    git: &Git<'_>,
    url: &Location,
    reference: Option<&str>,
    commit: &str,
    path: Option<&str>,
) -> Result<Local, Failure> {
    let source: GitSource =
        url.as_str().parse().map_err(|error: ReferenceError| naming::unreadable(&error).nothing_changed())?;
    let address = Address::of(desk, &source, false)?;
    git.online(&address)?;
    let repository = Repository::new(git, &address)?;
    let chosen = Chosen {
        commit: commit.to_owned(),
        full: None,
        reference: reference.map(str::to_owned),
        path: path.map(str::to_owned),
    };
    take_commit(&repository, &address, &chosen).await
}
