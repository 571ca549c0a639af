use serde_json::json;
use skill_core::state::ReleaseState;
use skill_core::version::Version;
use skill_trust::Content;
use skill_trust::predicate::{Restriction, TakedownScope};

use super::{Said, Subject, bytes, restrict};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::lifecycle::settle;
use crate::moderation::check_reason;
use crate::problem::ApiError;
use crate::store::events::{EventKind, NewEvent};
use crate::store::releases::Release;
use crate::store::skills::Skill;
use crate::store::slug_holds::{HoldReason, SlugHold};
use crate::store::{StoreError, WriteTx, lines, releases, restrictions, skills, slug_holds};

/// How a moderator closes a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// A quarantine of which everybody is told no more than that: the words are the publisher's alone.
    Hide,
    /// The bytes are closed, under every name.
    Quarantine,
    /// It is removed: the bytes under every name, or this name and number.
    Takedown(TakedownScope),
}

impl Closing {
    const fn action(self) -> Restriction {
        match self {
            Self::Hide | Self::Quarantine => Restriction::Quarantine,
            Self::Takedown(scope) => Restriction::Takedown(scope),
        }
    }

    const fn audited(self) -> &'static str {
        match self {
            Self::Hide => "hide",
            Self::Quarantine => "quarantine",
            Self::Takedown(_) => "takedown",
        }
    }

    const fn said<'a>(self, reason: &'a str, by: &'a str) -> Said<'a> {
        match self {
            Self::Hide => Said { reason: "hidden", note: reason, by },
            Self::Quarantine | Self::Takedown(_) => Said::openly(reason, by),
        }
    }
}

/// Closes a release for everybody; what closes bytes closes them under every name, each by a statement of its own.
/// What is closed in this way already stays as it is. Only a restoration opens it again.
pub async fn close(
    app: &App,
    permit: &Permit,
    version: &Version,
    closing: Closing,
    reason: &str,
) -> Result<ReleaseState, ApiError> {
    let name = permit.skill(&[Act::Close])?;
    check_reason(reason)?;
    let mut tx = app.db().write().await?;
    let (skill, release) = bytes::locked(&mut tx, permit, name, version).await?;
    let action = closing.action();
    if is_closed(&mut tx, &release.skill_id, &release.id, action).await? {
        return Ok(release.state);
    }
    let said = closing.said(reason, permit.identity().user.name.as_str());
    let subject = bytes::subject(name, &release);
    let sequence = restrict(app, &mut tx, &subject, action, said).await?;
    let mut also = Vec::new();
    if action.binds_bytes() {
        let open = with_these_bytes(&mut tx, &release, action).await?;
        for (other, version) in close_others(app, &mut tx, &open, action, said).await? {
            also.push(format!("{}@{version}", other.name()));
            // The own skill is settled below, with all of its releases.
            if other.id != skill.id {
                settle_other(&mut tx, &other, action).await?;
            }
        }
    }
    let state = settled(&mut tx, &skill, &release, action).await?;
    let row = permit.audit(closing.audited(), format!("{name}@{version}")).because(reason);
    tx.audit(row.with(json!({ "sequence": sequence, "also": also })));
    let event = NewEvent::of_release(EventKind::StateChanged, name.owner.clone(), &skill.id, &release.id);
    let committed = tx.commit(event).await?;
    app.pulse().observe(committed.event);
    Ok(state)
}

/// Closes bytes by a verdict: the release of the subject, and every release that has the same content under another
/// name or number. The other skills are settled here; the caller settles the subject's. A release that was restored
/// stays so: nobody closes it by publishing its bytes once more.
///
/// The transaction has locked the content, the counter of restrictions and the subject's skill, in this order,
/// so that no release of this content comes in between.
pub async fn quarantine(
    app: &App,
    tx: &mut WriteTx,
    subject: &Subject<'_>,
    said: Said<'_>,
) -> Result<(), ApiError> {
    let action = Restriction::Quarantine;
    restrict(app, tx, subject, action, said).await?;
    let tree = subject.content.tree;
    let ever: Vec<String> =
        restrictions::on_bytes(tx.conn(), tree).await?.into_iter().map(|one| one.release_id).collect();
    let mut open = releases::with_tree(tx.conn(), tree).await?;
    open.retain(|release| !ever.contains(&release.id));
    for (other, _) in close_others(app, tx, &open, action, said).await? {
        if other.id != subject.skill_id {
            settle_other(tx, &other, action).await?;
        }
    }
    Ok(())
}

/// Closes each of these releases. Answers with their skills, which are still to be settled, and numbers.
async fn close_others(
    app: &App,
    tx: &mut WriteTx,
    open: &[Release],
    action: Restriction,
    said: Said<'_>,
) -> Result<Vec<(Skill, Version)>, ApiError> {
    let mut closed = Vec::with_capacity(open.len());
    for release in open {
        let now = tx.now();
        // Locking it again changes nothing for the subject's own skill.
        let Some(skill) = skills::lock(tx.conn(), &release.skill_id, now).await? else { continue };
        let name = skill.name();
        let same = Subject {
            name: &name,
            skill_id: &skill.id,
            release_id: &release.id,
            version: &release.version,
            content: Content { archive: release.archive_sha256, tree: release.tree_digest },
        };
        restrict(app, tx, &same, action, said).await?;
        closed.push((skill, release.version.clone()));
    }
    Ok(closed)
}

/// The other releases with the bytes of this one that are not closed in this way.
async fn with_these_bytes(
    tx: &mut WriteTx,
    release: &Release,
    action: Restriction,
) -> Result<Vec<Release>, StoreError> {
    let closed: Vec<String> = restrictions::on_bytes(tx.conn(), release.tree_digest)
        .await?
        .into_iter()
        .filter(|one| one.open() == Some(action))
        .map(|one| one.release_id)
        .collect();
    let mut open = releases::with_tree(tx.conn(), release.tree_digest).await?;
    open.retain(|other| other.id != release.id && !closed.contains(&other.id));
    Ok(open)
}

async fn is_closed(
    tx: &mut WriteTx,
    skill_id: &str,
    release_id: &str,
    action: Restriction,
) -> Result<bool, StoreError> {
    let open = restrictions::open_of(tx.conn(), skill_id).await?;
    Ok(open.iter().any(|one| one.release_id == release_id && one.is(action)))
}

async fn settled(
    tx: &mut WriteTx,
    skill: &Skill,
    release: &Release,
    action: Restriction,
) -> Result<ReleaseState, StoreError> {
    let changed = settle(tx.conn(), skill, skill.latest_override.clone()).await?.changed;
    keep_slug(tx, skill, action).await?;
    let mut state = release.state;
    for (id, now) in changed {
        if id == release.id {
            // Its event is the one with which the transaction ends.
            state = now;
        } else {
            tx.also(NewEvent::of_release(EventKind::StateChanged, skill.owner.clone(), &skill.id, &id));
        }
    }
    Ok(state)
}

async fn settle_other(tx: &mut WriteTx, skill: &Skill, action: Restriction) -> Result<(), StoreError> {
    for (release_id, _) in settle(tx.conn(), skill, skill.latest_override.clone()).await?.changed {
        let owner = skill.owner.clone();
        tx.also(NewEvent::of_release(EventKind::StateChanged, owner, &skill.id, &release_id));
    }
    keep_slug(tx, skill, action).await
}

/// The slug of a skill that was taken down whole is kept for ever (DESIGN, "Names"), until one of its releases is
/// restored.
pub(crate) async fn keep_slug(
    tx: &mut WriteTx,
    skill: &Skill,
    action: Restriction,
) -> Result<(), StoreError> {
    if !matches!(action, Restriction::Takedown(_)) || is_open(tx, skill).await? {
        return Ok(());
    }
    let hold =
        SlugHold { skill_id: skill.id.clone(), reason: HoldReason::TakenDown, since: tx.now(), until: None };
    slug_holds::keep(tx.conn(), &skill.slug, &hold).await
}

/// Whether a release of the skill can be had.
pub(super) async fn is_open(tx: &mut WriteTx, skill: &Skill) -> Result<bool, StoreError> {
    let lines = lines::of_skill(tx.conn(), &skill.id).await?;
    Ok(lines.iter().any(|line| line.state.is_downloadable()))
}
