use serde_json::json;
use skill_core::name::SkillName;
use skill_core::state::ReleaseState;
use skill_core::version::Version;
use skill_trust::Content;
use skill_trust::predicate::Restriction;

use super::{REASON_CHARACTERS, Subject, conflict, locked, release_of, restrict};
use crate::app::App;
use crate::auth::Identity;
use crate::lifecycle::settle;
use crate::problem::ApiError;
use crate::store::audit::{self, NewAudit};
use crate::store::events::{EventKind, NewEvent};
use crate::store::restrictions::{self, Action};

/// Advises against a release: nothing chooses it any more but a lock that names it. One that is yanked
/// already stays as it is. Answers with the state it is in afterwards.
pub async fn yank(
    app: &App,
    who: &Identity,
    name: &SkillName,
    version: &Version,
    reason: &str,
) -> Result<ReleaseState, ApiError> {
    change(app, who, name, version, reason, Restriction::Yank).await
}

/// Takes a yank back. One that is not yanked stays as it is.
pub async fn unyank(
    app: &App,
    who: &Identity,
    name: &SkillName,
    version: &Version,
    reason: &str,
) -> Result<ReleaseState, ApiError> {
    change(app, who, name, version, reason, Restriction::Unyank).await
}

async fn change(
    app: &App,
    who: &Identity,
    name: &SkillName,
    version: &Version,
    reason: &str,
    action: Restriction,
) -> Result<ReleaseState, ApiError> {
    if reason.chars().count() > REASON_CHARACTERS {
        return Err(ApiError::Other {
            status: http::StatusCode::UNPROCESSABLE_ENTITY,
            code: "reason-long",
            title: format!("the reason has more than {REASON_CHARACTERS} characters"),
        });
    }
    let mut tx = app.db().write().await?;
    let skill = locked(&mut tx, name).await?;
    let release = release_of(tx.conn(), &skill, version).await?;
    let yanked = restrictions::of_skill(tx.conn(), &skill.id)
        .await?
        .iter()
        .any(|r| r.release_id == release.id && r.action == Action::Yank && r.is_open());
    if yanked == (action == Restriction::Yank) {
        return Ok(release.state);
    }
    if action == Restriction::Yank && !release.state.is_selectable() {
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
    let sequence = restrict(app, &mut tx, &subject, action, reason, who.user.name.as_str()).await?;
    if action == Restriction::Unyank {
        restrictions::lift(tx.conn(), &release.id, Action::Yank, sequence).await?;
    }
    let settled = settle(tx.conn(), &skill, skill.latest_override.clone()).await?;
    let state = settled.changed.iter().find(|(id, _)| *id == release.id).map_or(release.state, |c| c.1);
    let at = tx.now();
    let row = NewAudit {
        actor: who.user.name.to_string(),
        action: action.as_str(),
        subject: format!("{name}@{version}"),
        detail: json!({ "reason": reason, "sequence": sequence }),
    };
    audit::insert(tx.conn(), app.entropy(), at, &row).await?;
    let event = NewEvent::of_release(EventKind::StateChanged, name.owner.clone(), &skill.id, &release.id);
    let committed = tx.commit(event).await?;
    app.pulse().observe(committed.event);
    Ok(state)
}
