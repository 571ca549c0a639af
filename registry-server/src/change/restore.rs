use http::StatusCode;
use serde_json::json;
use skill_core::api::Problem;
use skill_core::name::SkillName;
use skill_core::state::ReleaseState;
use skill_core::version::Version;

use super::{Said, bytes, close, restrict};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::lifecycle::settle;
use crate::moderation::check_reason;
use crate::problem::ApiError;
use crate::store::events::{EventKind, NewEvent};
use crate::store::releases::Release;
use crate::store::slug_holds::HoldReason;
use crate::store::{StoreError, WriteTx, members, releases, restrictions, skills, slug_holds};

/// A release that was given back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Where it stands now.
    pub state: ReleaseState,
    /// Other names under which the same bytes are still closed; each is restored by itself.
    pub closed: Vec<(SkillName, Version)>,
}

/// Gives back a release that was quarantined or taken down: each of these restrictions is lifted by a statement of its
/// own, signed with the key of the role `restore`. What its owner did stays. A release that is not closed in this way
/// stays as it is.
pub async fn restore(
    app: &App,
    permit: &Permit,
    version: &Version,
    reason: &str,
) -> Result<Restored, ApiError> {
    let name = permit.skill(&[Act::Restore])?;
    check_reason(reason)?;
    let mut tx = app.db().write().await?;
    let (skill, release) = bytes::locked(&mut tx, permit, name, version).await?;
    is_not_ones_own(&mut tx, permit, name).await?;
    let mut open = restrictions::open_of(tx.conn(), &skill.id).await?;
    open.retain(|one| one.release_id == release.id && one.needs_restoration());
    if open.is_empty() {
        return Ok(Restored { state: release.state, closed: elsewhere(&mut tx, &release).await? });
    }
    let subject = bytes::subject(name, &release);
    let said = Said::openly(reason, permit.identity().user.name.as_str());
    let lifted: Vec<u64> = open.iter().map(|one| one.sequence).collect();
    restrict::lift(app, &mut tx, &subject, &lifted, said).await?;
    let settled = settle(tx.conn(), &skill, skill.latest_override.clone()).await?;
    let state = settled.changed.iter().find(|(id, _)| *id == release.id).map_or(release.state, |one| one.1);
    if close::is_open(&mut tx, &skill).await? {
        slug_holds::end(tx.conn(), &skill.id, HoldReason::TakenDown).await?;
    }
    let closed = elsewhere(&mut tx, &release).await?;
    let row = permit.audit("restore", format!("{name}@{version}")).because(reason);
    tx.audit(row.with(json!({ "lifts": lifted })));
    let event = NewEvent::of_release(EventKind::StateChanged, name.owner.clone(), &skill.id, &release.id);
    let committed = tx.commit(event).await?;
    app.pulse().observe(committed.event);
    Ok(Restored { state, closed })
}

/// Nobody judges the own case.
async fn is_not_ones_own(tx: &mut WriteTx, permit: &Permit, name: &SkillName) -> Result<(), ApiError> {
    if members::find(tx.conn(), &name.owner, &permit.identity().user.name).await?.is_none() {
        return Ok(());
    }
    let title = format!("this account acts for {}: somebody else has to decide it", name.owner);
    let problem = Problem::new(StatusCode::FORBIDDEN.as_u16(), "own-case", title);
    Err(ApiError::Problem(Box::new(problem.with("owner", name.owner.as_str()))))
}

/// Where else these bytes are closed.
async fn elsewhere(tx: &mut WriteTx, release: &Release) -> Result<Vec<(SkillName, Version)>, StoreError> {
    let closed = restrictions::on_bytes(tx.conn(), release.tree_digest).await?;
    let mut found = Vec::new();
    for other in releases::with_tree(tx.conn(), release.tree_digest).await? {
        let is_closed = closed.iter().any(|one| one.release_id == other.id && one.is_open());
        if other.id == release.id || !is_closed {
            continue;
        }
        if let Some(skill) = skills::by_id(tx.conn(), &other.skill_id).await? {
            found.push((skill.name(), other.version.clone()));
        }
    }
    Ok(found)
}
