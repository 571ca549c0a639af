use http::StatusCode;
use serde_json::json;
use skill_core::api::Problem;
use skill_trust::Content;
use skill_trust::predicate::{Restriction, TakedownScope};

use super::own_case::is_own_case;
use super::reason::{check_note, check_reason};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::change::{self, Said, Subject};
use crate::lifecycle::settle;
use crate::problem::ApiError;
use crate::store::events::{EventKind, NewEvent};
use crate::store::holds::{self, Decided, Hold};
use crate::store::skills::{self, Skill};
use crate::store::{WriteTx, releases, restrictions};

/// Lets a skill be seen that was held. A hold is of the skill: all of its releases that wait for the same are passed.
/// Nothing is signed by it: release and scan were logged at the publish, and stand.
pub async fn pass_hold(app: &App, permit: &Permit, id: &str, note: &str) -> Result<Hold, ApiError> {
    check_note(note)?;
    let mut tx = app.db().write().await?;
    let (skill, hold) = locked(&mut tx, permit, id).await?;
    let decided = decided(&tx, permit, true, note);
    holds::decide(tx.conn(), &skill.id, hold.kind, &decided).await?;
    ended(app, tx, permit, &skill, hold, decided).await
}

/// Takes down every release of a skill that waits for this, each by a signed statement of its own: numbers stay used, and
/// a skill of which nothing is left keeps its name for ever.
pub async fn refuse_hold(app: &App, permit: &Permit, id: &str, reason: &str) -> Result<Hold, ApiError> {
    check_reason(reason)?;
    let mut tx = app.db().write().await?;
    restrictions::lock(tx.conn()).await?;
    let (skill, hold) = locked(&mut tx, permit, id).await?;
    let decided = decided(&tx, permit, false, reason);
    let name = skill.name();
    let action = Restriction::Takedown(TakedownScope::Release);
    for release_id in holds::decide(tx.conn(), &skill.id, hold.kind, &decided).await? {
        let Some(release) = releases::by_id(tx.conn(), &release_id).await? else { continue };
        let subject = Subject {
            name: &name,
            skill_id: &skill.id,
            release_id: &release.id,
            version: &release.version,
            content: Content { archive: release.archive_sha256, tree: release.tree_digest },
        };
        change::restrict(app, &mut tx, &subject, action, Said::openly(reason, &decided.by)).await?;
    }
    settle(tx.conn(), &skill, skill.latest_override.clone()).await?;
    change::keep_slug(&mut tx, &skill, action).await?;
    ended(app, tx, permit, &skill, hold, decided).await
}

fn decided(tx: &WriteTx, permit: &Permit, passed: bool, note: &str) -> Decided {
    Decided { passed, by: permit.identity().user.name.to_string(), at: tx.now(), note: note.to_owned() }
}

/// The hold, open, with its skill locked until the transaction ends; whether that may be decided is asked behind the lock.
async fn locked(tx: &mut WriteTx, permit: &Permit, id: &str) -> Result<(Skill, Hold), ApiError> {
    let moderator = permit.user(&[Act::Decide])?;
    let problem = |status: StatusCode, code, title: String| Problem::new(status.as_u16(), code, title);
    let missing = || {
        let missing = problem(StatusCode::NOT_FOUND, "hold-not-found", format!("there is no hold {id}"));
        ApiError::Problem(Box::new(missing))
    };
    let at = tx.now();
    let hold = holds::by_id(tx.conn(), id).await?.ok_or_else(missing)?;
    let skill = skills::lock(tx.conn(), &hold.skill_id, at).await?.ok_or_else(missing)?;
    permit.confirm(tx).await?;
    if is_own_case(tx, moderator, &skill.owner).await? {
        let title = format!(
            "this account acts for {}, or did until lately: somebody else has to decide it",
            skill.owner
        );
        let own = problem(StatusCode::FORBIDDEN, "own-case", title);
        return Err(ApiError::Problem(Box::new(own.with("owner", skill.owner.as_str()))));
    }
    // It may have been decided while this one waited for the lock.
    let hold = holds::by_id(tx.conn(), id).await?.ok_or_else(missing)?;
    if let Some(first) = &hold.decided {
        let decision = if first.passed { "passed" } else { "refused" };
        let title = format!("{} decided it before: {decision}", first.by);
        let over = problem(StatusCode::CONFLICT, "hold-decided", title);
        return Err(ApiError::Problem(Box::new(over.with("decision", decision))));
    }
    Ok((skill, hold))
}

async fn ended(
    app: &App,
    mut tx: WriteTx,
    permit: &Permit,
    skill: &Skill,
    hold: Hold,
    decided: Decided,
) -> Result<Hold, ApiError> {
    settle(tx.conn(), skill, skill.latest_override.clone()).await?;
    let action = if decided.passed { "hold.pass" } else { "hold.refuse" };
    let row = permit.audit(action, format!("{}@{}", skill.name(), hold.version)).because(&decided.note);
    tx.audit(row.with(json!({ "id": hold.id, "kind": hold.kind.as_str(), "why": hold.why })));
    let owner = skill.owner.clone();
    let of_skill = holds::of_skill(tx.conn(), &skill.id).await?;
    let together =
        of_skill.iter().filter(|one| one.kind == hold.kind && one.decided.as_ref() == Some(&decided));
    for other in together.filter(|one| one.release_id != hold.release_id) {
        tx.also(NewEvent::of_release(EventKind::StateChanged, owner.clone(), &skill.id, &other.release_id));
    }
    let event = NewEvent::of_release(EventKind::StateChanged, owner, &skill.id, &hold.release_id);
    let committed = tx.commit(event).await?;
    app.pulse().observe(committed.event);
    Ok(Hold { decided: Some(decided), ..hold })
}
