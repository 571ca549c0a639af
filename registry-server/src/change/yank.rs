use serde_json::json;
use skill_core::state::ReleaseState;
use skill_core::version::Version;
use skill_trust::Content;
use skill_trust::predicate::Restriction;

use super::{Subject, check_reason, conflict, locked, release_of, restrict};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::lifecycle::settle;
use crate::problem::ApiError;
use crate::store::events::{EventKind, NewEvent};
use crate::store::restrictions;

/// Advises against a release, so that nothing chooses it any more but a lock that names it, or takes that back.
/// What is so already stays so. Answers with the state that the release is in afterwards.
pub async fn set_yanked(
    app: &App,
    permit: &Permit,
    version: &Version,
    yanked: bool,
    reason: &str,
) -> Result<ReleaseState, ApiError> {
    let action = if yanked { Restriction::Yank } else { Restriction::Unyank };
    let name = permit.skill(&[Act::Yank])?;
    check_reason(reason)?;
    let mut tx = app.db().write().await?;
    restrictions::lock(tx.conn()).await?;
    let skill = locked(&mut tx, name).await?;
    let release = release_of(tx.conn(), &skill, version).await?;
    let is_yanked = restrictions::of_skill(tx.conn(), &skill.id)
        .await?
        .iter()
        .any(|r| r.release_id == release.id && r.action == Restriction::Yank && r.is_open());
    if is_yanked == yanked {
        return Ok(release.state);
    }
    if yanked && !release.state.is_selectable() {
        let title = format!("{name}@{version} is {}, which a yank does not change", release.state);
        return Err(conflict("release-closed", title));
    }
    let subject = Subject {
        name,
        skill_id: &skill.id,
        release_id: &release.id,
        version,
        content: Content { archive: release.archive_sha256, tree: release.tree_digest },
    };
    let sequence =
        restrict(app, &mut tx, &subject, action, reason, permit.identity().user.name.as_str()).await?;
    if !yanked {
        restrictions::lift(tx.conn(), &release.id, Restriction::Yank, sequence).await?;
    }
    let settled = settle(tx.conn(), &skill, skill.latest_override.clone()).await?;
    let state = settled.changed.iter().find(|(id, _)| *id == release.id).map_or(release.state, |c| c.1);
    let row = permit.audit(action.as_str(), format!("{name}@{version}")).because(reason);
    tx.audit(row.with(json!({ "sequence": sequence })));
    let event = NewEvent::of_release(EventKind::StateChanged, name.owner.clone(), &skill.id, &release.id);
    let committed = tx.commit(event).await?;
    app.pulse().observe(committed.event);
    Ok(state)
}
