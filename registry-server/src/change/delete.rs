use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use skill_core::name::SkillName;
use skill_trust::Content;
use skill_trust::predicate::Restriction;

use super::{Said, Subject, check_reason, claimed, restrict};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::lifecycle::settle;
use crate::problem::ApiError;
use crate::store::audit::NewAudit;
use crate::store::events::{EventKind, NewEvent};
use crate::store::lines::{self, Line};
use crate::store::skills::{self, Skill};
use crate::store::slug_holds::{self, HoldReason, SlugHold};
use crate::store::{WriteTx, restrictions, slugs};

/// What a deletion came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deletion {
    /// How many releases it closed.
    pub releases: u64,
    /// Until when nobody else may take the bare slug; `None` if it was another skill's.
    pub reserved_until: Option<Timestamp>,
}

/// What undoing one came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undeletion {
    /// How many releases it opened again.
    pub releases: u64,
    /// Whether the bare slug means the skill.
    pub bare_slug: bool,
}

/// Deletes a whole skill: each of its releases is closed by a statement of its own. The bare slug is given up, and
/// kept from everybody else for a while if it was the skill's. What is deleted already stays so, until the same time.
pub async fn delete(app: &App, permit: &Permit, reason: &str) -> Result<Deletion, ApiError> {
    let name = permit.skill(&[Act::DeleteSkill])?;
    check_reason(reason)?;
    let mut tx = app.db().write().await?;
    permit.confirm(&mut tx).await?;
    restrictions::lock(tx.conn()).await?;
    let skill = claimed(&mut tx, name).await?;
    let all = lines::of_skill(tx.conn(), &skill.id).await?;
    if skill.deleted_at.is_some() {
        return Ok(Deletion { releases: all.len() as u64, reserved_until: skill.name_kept_until });
    }
    for line in &all {
        say(app, &mut tx, permit, name, line, Restriction::Delete, reason).await?;
    }
    let reserved_until = give_up_slug(app, &mut tx, &skill).await?;
    let at = tx.now();
    skills::set_deleted(tx.conn(), &skill.id, Some(at), reserved_until).await?;
    let row =
        permit.audit("delete", name.to_string()).because(reason).with(json!({ "until": reserved_until }));
    finish(app, tx, &skill, row).await?;
    Ok(Deletion { releases: all.len() as u64, reserved_until })
}

/// Brings a deleted skill back: each of its releases stands as it did before. The bare slug is its own again, unless
/// somebody took it meanwhile. What is not deleted stays as it is.
pub async fn undelete(app: &App, permit: &Permit, reason: &str) -> Result<Undeletion, ApiError> {
    let name = permit.skill(&[Act::DeleteSkill])?;
    check_reason(reason)?;
    let mut tx = app.db().write().await?;
    permit.confirm(&mut tx).await?;
    restrictions::lock(tx.conn()).await?;
    let skill = claimed(&mut tx, name).await?;
    if skill.deleted_at.is_none() {
        let bare_slug = slugs::holder(tx.conn(), &skill.slug).await?.as_ref() == Some(&skill.id);
        return Ok(Undeletion { releases: 0, bare_slug });
    }
    let all = lines::of_skill(tx.conn(), &skill.id).await?;
    let before = restrictions::open_of(tx.conn(), &skill.id).await?;
    for line in &all {
        let undone = say(app, &mut tx, permit, name, line, Restriction::Undelete, reason).await?;
        restrictions::lift(tx.conn(), &line.id, Restriction::Delete, undone).await?;
        // The statement undoes a withdrawal too, for whoever reads the log. One that was made before the deletion
        // is said again.
        restrictions::lift(tx.conn(), &line.id, Restriction::Withdraw, undone).await?;
        let withdrawn = before.iter().find(|r| r.release_id == line.id && r.is(Restriction::Withdraw));
        if let Some(withdrawn) = withdrawn {
            say(app, &mut tx, permit, name, line, Restriction::Withdraw, &withdrawn.reason).await?;
        }
    }
    skills::set_deleted(tx.conn(), &skill.id, None, None).await?;
    let bare_slug = take_slug_back(&mut tx, &skill).await?;
    let row =
        permit.audit("undelete", name.to_string()).because(reason).with(json!({ "bareSlug": bare_slug }));
    finish(app, tx, &skill, row).await?;
    Ok(Undeletion { releases: all.len() as u64, bare_slug })
}

/// One statement about one release, by its owner.
async fn say(
    app: &App,
    tx: &mut WriteTx,
    permit: &Permit,
    name: &SkillName,
    line: &Line,
    action: Restriction,
    reason: &str,
) -> Result<u64, ApiError> {
    let subject = Subject {
        name,
        skill_id: &line.skill_id,
        release_id: &line.id,
        version: &line.version,
        content: Content { archive: line.archive_sha256, tree: line.tree_digest },
    };
    restrict(app, tx, &subject, action, Said::openly(reason, permit.identity().user.name.as_str())).await
}

/// Gives the bare slug up if the skill holds it. Answers until when it is kept.
async fn give_up_slug(app: &App, tx: &mut WriteTx, skill: &Skill) -> Result<Option<Timestamp>, ApiError> {
    if slugs::holder(tx.conn(), &skill.slug).await?.as_ref() != Some(&skill.id) {
        return Ok(None);
    }
    slugs::release(tx.conn(), &skill.id).await?;
    let since = tx.now();
    let keep = SignedDuration::try_from(app.config().names.keep_deleted).map_err(ApiError::internal)?;
    let until = Some(since.checked_add(keep).map_err(ApiError::internal)?);
    let hold = SlugHold { skill_id: skill.id.clone(), reason: HoldReason::Deleted, since, until };
    slug_holds::keep(tx.conn(), &skill.slug, &hold).await?;
    Ok(until)
}

/// Binds the bare slug again if the skill gave it up and nobody has it or may have it before. Answers whether it
/// means the skill.
async fn take_slug_back(tx: &mut WriteTx, skill: &Skill) -> Result<bool, ApiError> {
    if skill.name_kept_until.is_none() {
        return Ok(false);
    }
    let at = tx.now();
    // The row of the slug is locked by this, so that nobody takes it between the look at holds and the commit.
    let holder = slugs::bind(tx.conn(), &skill.slug, &skill.id, at).await?;
    let hold = slug_holds::find(tx.conn(), &skill.slug, at).await?;
    if holder == skill.id && hold.is_some_and(|hold| hold.skill_id != skill.id) {
        slugs::release(tx.conn(), &skill.id).await?;
        return Ok(false);
    }
    slug_holds::end(tx.conn(), &skill.id, HoldReason::Deleted).await?;
    Ok(holder == skill.id)
}

async fn finish(app: &App, mut tx: WriteTx, skill: &Skill, row: NewAudit) -> Result<(), ApiError> {
    settle(tx.conn(), skill, skill.latest_override.clone()).await?;
    tx.audit(row);
    let event = NewEvent::of_skill(EventKind::SkillChanged, skill.owner.clone(), &skill.id);
    let committed = tx.commit(event).await?;
    app.pulse().observe(committed.event);
    Ok(())
}
