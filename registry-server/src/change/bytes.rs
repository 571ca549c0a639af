//! What closes or opens bytes holds them first: the order of locks is in [`crate::store::contents`].

use skill_core::name::SkillName;
use skill_core::version::Version;
use skill_trust::Content;

use super::{Subject, claimed, not_found, release_of};
use crate::auth::Permit;
use crate::problem::ApiError;
use crate::store::releases::Release;
use crate::store::skills::{self, Skill};
use crate::store::{WriteTx, contents, restrictions};

/// The release, in whatever state, with its bytes, the counter of restrictions and its skill locked until the
/// transaction ends; whether that may be done is decided again behind the locks.
pub(super) async fn locked(
    tx: &mut WriteTx,
    permit: &Permit,
    name: &SkillName,
    version: &Version,
) -> Result<(Skill, Release), ApiError> {
    let missing = || not_found("skill-not-found", format!("there is no {name}"));
    let at = tx.now();
    let skill = skills::find(tx.conn(), name).await?.ok_or_else(missing)?;
    // The bytes of a release never change: what is read before the locks holds behind them.
    let tree = release_of(tx.conn(), &skill, version).await?.tree_digest;
    contents::lock(tx.conn(), tree.sha256(), at).await?;
    restrictions::lock(tx.conn()).await?;
    let skill = claimed(tx, name).await?;
    permit.confirm(tx).await?;
    let release = release_of(tx.conn(), &skill, version).await?;
    Ok((skill, release))
}

/// The release as statements are about it.
pub(super) fn subject<'a>(name: &'a SkillName, release: &'a Release) -> Subject<'a> {
    Subject {
        name,
        skill_id: &release.skill_id,
        release_id: &release.id,
        version: &release.version,
        content: Content { archive: release.archive_sha256, tree: release.tree_digest },
    }
}
