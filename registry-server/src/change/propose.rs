use http::StatusCode;
use serde_json::json;
use skill_core::api::Problem;
use skill_core::name::{Owner, SkillName};
use skill_core::version::Version;

use super::restore::{Because, closing, elsewhere, give_back, is_not_ones_own};
use super::{Restoration, Restored, bytes, not_found, release_of};
use crate::app::App;
use crate::auth::{Act, On, Permit};
use crate::moderation::{check_reason, is_own_case};
use crate::problem::ApiError;
use crate::store::proposals::{self, Ending, NewProposal, Proposal};
use crate::store::users::SiteRole;
use crate::store::{StoreError, Writing, skills, users};

/// Why a proposal was not decided.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    /// There is none with that id.
    #[error("there is no proposal {id}")]
    NotFound {
        /// What was named.
        id: String,
    },
    /// Somebody was first.
    #[error("the proposal was decided before: {}", .ending.as_str())]
    Decided {
        /// How.
        ending: Ending,
    },
    /// The release was given back in another way.
    #[error("the release was given back meanwhile")]
    Over,
    /// Whoever proposed it approves it.
    #[error("this account made the proposal: a second person has to approve it")]
    Own,
    /// Whoever proposed it could not do so now.
    #[error("{by}, who made the proposal, may not decide this any more: decline it, and make it anew")]
    Stale {
        /// Who.
        by: Owner,
    },
    /// What stands in the way of any restoration.
    #[error(transparent)]
    Restore(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ProposalError> for ApiError {
    fn from(error: ProposalError) -> Self {
        let answer = |status: StatusCode, code| Problem::new(status.as_u16(), code, error.to_string());
        Self::Problem(Box::new(match error {
            ProposalError::Restore(error) => return error,
            ProposalError::Store(error) => return error.into(),
            ProposalError::NotFound { .. } => answer(StatusCode::NOT_FOUND, "proposal-not-found"),
            ProposalError::Decided { ending } => {
                answer(StatusCode::CONFLICT, "proposal-decided").with("decision", ending.as_str())
            }
            ProposalError::Over => answer(StatusCode::CONFLICT, "proposal-over"),
            ProposalError::Own => answer(StatusCode::FORBIDDEN, "own-proposal"),
            ProposalError::Stale { .. } => answer(StatusCode::CONFLICT, "proposal-stale"),
        }))
    }
}

/// Writes down that a release is to be given back, for a second person. What was proposed before stands as it was.
pub(super) async fn propose(
    app: &App,
    permit: &Permit,
    name: &SkillName,
    version: &Version,
    reason: &str,
) -> Result<Restoration, ApiError> {
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    let skill = skills::find(tx.conn(), name).await?;
    let skill = skill.ok_or_else(|| not_found("skill-not-found", format!("there is no {name}")))?;
    let release = release_of(tx.conn(), &skill, version).await?;
    is_not_ones_own(&mut tx, permit, name).await?;
    let state = release.state;
    // What closes it later than this is not what the second person approves.
    let Some(restriction) = closing(tx.conn(), &release).await?.into_iter().max() else {
        let closed = elsewhere(tx.conn(), &release).await?;
        return Ok(Restoration::Done(Restored { state, closed }));
    };
    let new = NewProposal {
        id: app.entropy().id().map_err(ApiError::internal)?,
        restriction,
        reason: reason.to_owned(),
        by: permit.identity().user.id.clone(),
    };
    let now = tx.now();
    if proposals::insert(tx.conn(), &new, now).await? {
        let row = permit.audit("restore.propose", format!("{name}@{version}")).because(reason);
        tx.audit(row.with(json!({ "id": new.id })));
    }
    let standing = proposals::standing(tx.conn(), restriction).await?;
    let proposal = standing.ok_or_else(|| ApiError::from(ProposalError::Over))?;
    tx.commit().await?;
    Ok(Restoration::Waits { state, proposal: Box::new(proposal) })
}

/// Gives a release back, as somebody else proposed; what closed it after that stays.
pub async fn approve(app: &App, permit: &Permit, id: &str) -> Result<(Proposal, Restored), ProposalError> {
    let missing = || ProposalError::NotFound { id: id.to_owned() };
    // What a proposal is about never changes.
    let proposal = proposals::by_id(&mut *app.db().read().await?, id).await?.ok_or_else(missing)?;
    let permit = permit.narrow(On::Skill(proposal.name.clone()))?;
    permit.skill(&[Act::Restore])?;
    let mut tx = app.db().write().await?;
    let locked = bytes::locked(&mut tx, &permit, &proposal.name, &proposal.version).await?;
    let proposal = standing(&mut tx, id).await?;
    let user = &permit.identity().user;
    if proposal.by == user.name {
        return Err(ProposalError::Own);
    }
    may_still_decide(&mut tx, &proposal).await?;
    let now = tx.now();
    if !proposals::decide(tx.conn(), id, Ending::Approved, &user.id, now).await? {
        // Nothing but a decline comes in between.
        return Err(ProposalError::Decided { ending: Ending::Declined });
    }
    let because = Because { reason: &proposal.reason, appeal: None, proposal: Some(&proposal) };
    let restored = give_back(app, tx, &permit, locked, because).await?;
    Ok((Proposal { ended: Some(Ending::Approved), lifted: true, ..proposal }, restored))
}

/// Says no to a proposal, or takes the own one back: the release stays as it is.
pub async fn decline(app: &App, permit: &Permit, id: &str, reason: &str) -> Result<Proposal, ProposalError> {
    let user = permit.user(&[Act::Restore])?;
    check_reason(reason).map_err(ApiError::from)?;
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    let proposal = standing(&mut tx, id).await?;
    is_not_ones_own(&mut tx, permit, &proposal.name).await?;
    let now = tx.now();
    if !proposals::decide(tx.conn(), id, Ending::Declined, &user.id, now).await? {
        // It waited for the one who was first.
        standing(&mut tx, id).await?;
        return Err(ProposalError::Over);
    }
    let row = permit.audit("restore.decline", format!("{}@{}", proposal.name, proposal.version));
    tx.audit(row.because(reason).with(json!({ "id": id, "proposedBy": proposal.by })));
    tx.commit().await?;
    Ok(Proposal { ended: Some(Ending::Declined), ..proposal })
}

/// The proposal with that id, while it waits.
async fn standing(tx: &mut impl Writing, id: &str) -> Result<Proposal, ProposalError> {
    let missing = || ProposalError::NotFound { id: id.to_owned() };
    let proposal = proposals::by_id(tx.conn(), id).await?.ok_or_else(missing)?;
    match proposal.ended {
        Some(ending) => Err(ProposalError::Decided { ending }),
        None if proposal.lifted => Err(ProposalError::Over),
        None => Ok(proposal),
    }
}

/// That two persons decide: whoever proposed it could still do so.
async fn may_still_decide(tx: &mut impl Writing, proposal: &Proposal) -> Result<(), ProposalError> {
    let first = users::find(tx.conn(), &proposal.by).await?;
    let moderates = first.filter(|user| user.role >= SiteRole::Moderator && user.disabled_at.is_none());
    match moderates {
        Some(user) if !is_own_case(tx, &user, &proposal.name.owner).await? => Ok(()),
        _ => Err(ProposalError::Stale { by: proposal.by.clone() }),
    }
}
