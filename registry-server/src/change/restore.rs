use http::StatusCode;
use serde_json::json;
use skill_core::api::Problem;
use skill_core::name::SkillName;
use skill_core::state::ReleaseState;
use skill_core::version::Version;

use super::propose::propose;
use super::{Said, bytes, close, restrict};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::lifecycle::settle;
use crate::moderation::{AppealError, check_reason, is_own_case};
use crate::problem::ApiError;
use crate::store::appeals::{self, Answer, Answered};
use crate::store::events::{EventKind, NewEvent};
use crate::store::proposals::Proposal;
use crate::store::releases::Release;
use crate::store::skills::Skill;
use crate::store::slug_holds::HoldReason;
use crate::store::{Conn, StoreError, WriteTx, Writing, releases, restrictions, skills, slug_holds};

/// A release that was given back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Where it stands now.
    pub state: ReleaseState,
    /// Other names under which the same bytes are still closed; each is restored by itself.
    pub closed: Vec<(SkillName, Version)>,
}

/// What became of a wish to give a release back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restoration {
    /// It was given back.
    Done(Restored),
    /// It waits for a second person, and stands as it did.
    Waits {
        /// Where the release stands.
        state: ReleaseState,
        /// What is to be approved.
        proposal: Box<Proposal>,
    },
}

/// Why a release is given back, and how much of what closes it is lifted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Because<'a> {
    /// Signed, for everybody.
    pub reason: &'a str,
    /// The appeal that this grants; it must be open.
    pub appeal: Option<&'a str>,
    /// What a second person approves: later restrictions stay.
    pub proposal: Option<&'a Proposal>,
}

/// Gives back a release that was quarantined or taken down: each of these restrictions is lifted by a statement of its
/// own, signed with the key of the role `restore`. What its owner did stays. A release that is not closed in this way
/// stays as it is. Where `moderation.two_persons` says so it is only proposed.
pub async fn restore(
    app: &App,
    permit: &Permit,
    version: &Version,
    reason: &str,
) -> Result<Restoration, ApiError> {
    restore_for(app, permit, version, reason, None).await
}

/// The same, to grant this appeal, which must be open.
pub(crate) async fn restore_for(
    app: &App,
    permit: &Permit,
    version: &Version,
    reason: &str,
    appeal: Option<&str>,
) -> Result<Restoration, ApiError> {
    let name = permit.skill(&[Act::Restore])?;
    check_reason(reason)?;
    if app.config().moderation.two_persons {
        return propose(app, permit, name, version, reason).await;
    }
    let mut tx = app.db().write().await?;
    let locked = bytes::locked(&mut tx, permit, name, version).await?;
    let because = Because { reason, appeal, proposal: None };
    Ok(Restoration::Done(give_back(app, tx, permit, locked, because).await?))
}

/// Lifts what closes the release, with its bytes, the counter of restrictions and its skill locked. What waited for that
/// ends with it: the appeal is granted.
pub(super) async fn give_back(
    app: &App,
    mut tx: WriteTx,
    permit: &Permit,
    (skill, release): (Skill, Release),
    because: Because<'_>,
) -> Result<Restored, ApiError> {
    let name = skill.name();
    is_not_ones_own(&mut tx, permit, &name).await?;
    let closing = closing(tx.conn(), &release).await?;
    let up_to = because.proposal.map_or(u64::MAX, |proposal| proposal.restriction);
    let lifted: Vec<u64> = closing.into_iter().filter(|sequence| *sequence <= up_to).collect();
    if lifted.is_empty() {
        return Ok(Restored { state: release.state, closed: elsewhere(tx.conn(), &release).await? });
    }
    let subject = bytes::subject(&name, &release);
    let said = Said::openly(because.reason, permit.identity().user.name.as_str());
    restrict::lift(app, &mut tx, &subject, &lifted, said).await?;
    let settled = settle(tx.conn(), &skill, skill.latest_override.clone()).await?;
    let state = settled.changed.iter().find(|(id, _)| *id == release.id).map_or(release.state, |one| one.1);
    if close::is_open(&mut tx, &skill).await? {
        slug_holds::end(tx.conn(), &skill.id, HoldReason::TakenDown).await?;
    }
    grant_appeal(&mut tx, permit, &release, because).await?;
    let closed = elsewhere(tx.conn(), &release).await?;
    let row = permit.audit("restore", format!("{name}@{}", release.version)).because(because.reason);
    tx.audit(row.with(match because.proposal {
        None => json!({ "lifts": lifted }),
        Some(proposal) => {
            json!({ "lifts": lifted, "proposal": proposal.id, "proposedBy": proposal.by })
        }
    }));
    let event = NewEvent::of_release(EventKind::StateChanged, name.owner, &skill.id, &release.id);
    let committed = tx.commit(event).await?;
    app.pulse().observe(committed.event);
    Ok(Restored { state, closed })
}

/// What has to be lifted for the release to be had again, by number.
pub(super) async fn closing(conn: &mut Conn, release: &Release) -> Result<Vec<u64>, StoreError> {
    let mut open = restrictions::open_of(conn, &release.skill_id).await?;
    open.retain(|one| one.release_id == release.id && one.needs_restoration());
    Ok(open.into_iter().map(|one| one.sequence).collect())
}

/// A release that nothing closes any more has no appeal that waits.
async fn grant_appeal(
    tx: &mut WriteTx,
    permit: &Permit,
    release: &Release,
    because: Because<'_>,
) -> Result<(), ApiError> {
    if !closing(tx.conn(), release).await?.is_empty() {
        return Ok(());
    }
    let standing = appeals::standing(tx.conn(), &release.id).await?;
    let by = permit.identity().user.name.to_string();
    let answered = Answered { answer: Answer::Granted, by, at: tx.now(), note: because.reason.to_owned() };
    let mut granted = None;
    if let Some(appeal) = standing
        && appeals::answer(tx.conn(), &appeal.id, &answered).await?
    {
        let subject = format!("{}@{}", appeal.name, appeal.version);
        let row = permit.audit("appeal.grant", subject).because(because.reason);
        tx.audit(row.with(json!({ "id": appeal.id })));
        granted = Some(appeal.id);
    }
    // Somebody declined what was to be granted: then nothing is given back for its sake.
    if let Some(wanted) = because.appeal
        && granted.as_deref() != Some(wanted)
    {
        return Err(AppealError::Answered { answer: None }.into());
    }
    Ok(())
}

/// Nobody judges the own case.
pub(super) async fn is_not_ones_own(
    tx: &mut impl Writing,
    permit: &Permit,
    name: &SkillName,
) -> Result<(), ApiError> {
    if !is_own_case(tx, &permit.identity().user, &name.owner).await? {
        return Ok(());
    }
    let title =
        format!("this account acts for {}, or did until lately: somebody else has to decide it", name.owner);
    let problem = Problem::new(StatusCode::FORBIDDEN.as_u16(), "own-case", title);
    Err(ApiError::Problem(Box::new(problem.with("owner", name.owner.as_str()))))
}

/// Where else these bytes are closed.
pub(super) async fn elsewhere(
    conn: &mut Conn,
    release: &Release,
) -> Result<Vec<(SkillName, Version)>, StoreError> {
    let closed = restrictions::on_bytes(conn, release.tree_digest).await?;
    let mut found = Vec::new();
    for other in releases::with_tree(conn, release.tree_digest).await? {
        let is_closed = closed.iter().any(|one| one.release_id == other.id && one.is_open());
        if other.id == release.id || !is_closed {
            continue;
        }
        if let Some(skill) = skills::by_id(conn, &other.skill_id).await? {
            found.push((skill.name(), other.version.clone()));
        }
    }
    Ok(found)
}
