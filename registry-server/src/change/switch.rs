use serde_json::json;
use skill_core::state::ReleaseState;
use skill_core::version::Version;
use skill_trust::Content;
use skill_trust::predicate::Restriction;

use super::{Said, Subject, check_reason, conflict, locked, release_of, restrict};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::lifecycle::settle;
use crate::problem::ApiError;
use crate::store::events::{EventKind, NewEvent};
use crate::store::restrictions;

/// What an owner does to one release and can take back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Switch {
    /// What has to be allowed for it.
    pub act: Act,
    /// The restriction.
    pub on: Restriction,
    /// What lifts it.
    pub off: Restriction,
    /// Whether a release in this state can be restricted so.
    pub takes: fn(ReleaseState) -> bool,
    /// What the restriction is called in a sentence: `a yank`.
    pub noun: &'static str,
}

impl Switch {
    /// Puts the restriction on a release, or takes it off. What is so already stays so. Answers with the state
    /// that the release is in afterwards.
    pub(super) async fn turn(
        self,
        app: &App,
        permit: &Permit,
        version: &Version,
        on: bool,
        reason: &str,
    ) -> Result<ReleaseState, ApiError> {
        let action = if on { self.on } else { self.off };
        let name = permit.skill(&[self.act])?;
        check_reason(reason)?;
        let mut tx = app.db().write().await?;
        permit.confirm(&mut tx).await?;
        restrictions::lock(tx.conn()).await?;
        let skill = locked(&mut tx, name).await?;
        let release = release_of(tx.conn(), &skill, version).await?;
        let is_on = restrictions::open_of(tx.conn(), &skill.id)
            .await?
            .iter()
            .any(|r| r.release_id == release.id && r.is(self.on));
        if is_on == on {
            return Ok(release.state);
        }
        if on && !(self.takes)(release.state) {
            let title = format!("{name}@{version} is {}, which {} does not change", release.state, self.noun);
            return Err(conflict("release-closed", title));
        }
        let subject = Subject {
            name,
            skill_id: &skill.id,
            release_id: &release.id,
            version,
            content: Content { archive: release.archive_sha256, tree: release.tree_digest },
        };
        let said = Said::openly(reason, permit.identity().user.name.as_str());
        let sequence = restrict(app, &mut tx, &subject, action, said).await?;
        if !on {
            restrictions::lift(tx.conn(), &release.id, self.on, sequence).await?;
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
}
