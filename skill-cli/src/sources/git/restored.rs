use skill_core::lock::{LockedSkill, LockedSource};
use skill_core::name::Slug;
use skill_core::reference::{GitSource, ReferenceError};

use super::address::Address;
use super::fetch::Repository;
use super::program::Git;
use super::refs::Chosen;
use super::take_commit;
use crate::code::Code;
use crate::failure::Failure;
use crate::install::Desk;
use crate::naming;
use crate::report::Hint;
use crate::sources::{Local, Locked};

/// Fetches the commit that is locked; the remote is not asked where its refs are today.
///
/// # Errors
/// As [`super::take`].
pub(crate) async fn restore(
    desk: &Desk<'_>,
    git: &Git<'_>,
    local: &Slug,
    skill: &LockedSkill,
) -> Result<Local, Failure> {
    let LockedSource::Git { url, reference, commit, path } = &skill.source else {
        return Err(Failure::new(Code::Internal, format!("{local} is not locked from a repository")));
    };
    let source: GitSource =
        url.as_str().parse().map_err(|error: ReferenceError| naming::unreadable(&error).nothing_changed())?;
    let address = Address::of(desk, &source, false)?;
    git.online(&address)?;
    let repository = Repository::new(git, &address)?;
    let chosen =
        Chosen { commit: commit.clone(), full: None, reference: reference.clone(), path: path.clone() };
    take_commit(&repository, &address, &chosen).await.map_err(|mut failure| {
        if failure.code == Code::GitRefNotFound {
            let reference = format!("git:{url}");
            let asked = Locked { local, source: &skill.source, reference: &reference, own: None };
            let text = format!("run `{}` to take what is there today", asked.command());
            failure.hints = vec![Hint::new(text)];
        }
        failure
    })
}
