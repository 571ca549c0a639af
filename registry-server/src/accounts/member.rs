use http::StatusCode;
use serde_json::json;
use skill_core::api::Problem;
use skill_core::name::Owner;

use crate::app::App;
use crate::auth::{Act, Permit};
use crate::problem::ApiError;
use crate::store::events::{EventKind, NewEvent};
use crate::store::invitations;
use crate::store::members::{self, Member};
use crate::store::publishers::{self, MemberRole};
use crate::store::{StoreError, WriteTx};

/// Why the members of a publisher stay as they are.
#[derive(Debug, thiserror::Error)]
pub enum MemberError {
    /// Nobody of that name acts for the publisher.
    #[error("{user} is no member of {owner}")]
    Unknown {
        /// The name.
        user: Owner,
        /// The publisher.
        owner: Owner,
    },
    /// Nobody would be left to give roles.
    #[error("{user} is the last owner of {owner}")]
    LastOwner {
        /// The name.
        user: Owner,
        /// The publisher.
        owner: Owner,
    },
    /// The caller may not.
    #[error(transparent)]
    Access(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Gives a member another role. The one that a member has already is given again.
pub async fn set_role(
    app: &App,
    permit: &Permit,
    user: &Owner,
    role: MemberRole,
) -> Result<Member, MemberError> {
    let owner = permit.publisher(&[Act::SetRole])?;
    let mut tx = app.db().write().await?;
    let member = locked(&mut tx, permit, owner, user).await?;
    if member.role == role {
        return Ok(member);
    }
    leaves_an_owner(&mut tx, owner, &member).await?;
    publishers::set_member(tx.conn(), owner, &member.user_id, role, member.since).await?;
    if role < member.role {
        take_invitations_back(&mut tx, permit, owner, &member).await?;
    }
    let change = permit.audit("member.role", owner.to_string());
    tx.audit(change.with(json!({ "user": user, "from": member.role.as_str(), "to": role.as_str() })));
    finish(app, tx, owner).await?;
    Ok(Member { role, ..member })
}

/// Ends a membership: one's own, or that of somebody else if the role allows that.
pub async fn remove_member(app: &App, permit: &Permit, user: &Owner) -> Result<(), MemberError> {
    let owner = permit.publisher(&[Act::Leave])?;
    let is_own = permit.identity().user.name == *user;
    let permit = &if is_own { permit.clone() } else { permit.also(Act::SetRole)? };
    let mut tx = app.db().write().await?;
    let member = locked(&mut tx, permit, owner, user).await?;
    leaves_an_owner(&mut tx, owner, &member).await?;
    let now = tx.now();
    members::remove(tx.conn(), owner, &member.user_id, now).await?;
    take_invitations_back(&mut tx, permit, owner, &member).await?;
    let change = permit.audit("member.remove", owner.to_string());
    tx.audit(change.with(json!({ "user": user, "from": member.role.as_str() })));
    Ok(finish(app, tx, owner).await?)
}

/// A member, with the publisher's row locked: its owners are counted one change after the other, and whoever was
/// removed by the one before changes nothing any more.
async fn locked(
    tx: &mut WriteTx,
    permit: &Permit,
    owner: &Owner,
    user: &Owner,
) -> Result<Member, MemberError> {
    publishers::lock(tx.conn(), owner).await?;
    permit.confirm(tx).await?;
    let member = members::find(tx.conn(), owner, user).await?;
    member.ok_or_else(|| MemberError::Unknown { user: user.clone(), owner: owner.clone() })
}

/// That somebody else owns the publisher if this member is an owner.
async fn leaves_an_owner(tx: &mut WriteTx, owner: &Owner, member: &Member) -> Result<(), MemberError> {
    let is_owner = member.role == MemberRole::Owner;
    if is_owner && members::other_owners(tx.conn(), owner, &member.user_id).await? == 0 {
        return Err(MemberError::LastOwner { user: member.name.clone(), owner: owner.clone() });
    }
    Ok(())
}

/// Takes back what a member invited, each with a row of its own in the audit log.
async fn take_invitations_back(
    tx: &mut WriteTx,
    permit: &Permit,
    owner: &Owner,
    member: &Member,
) -> Result<(), StoreError> {
    for id in invitations::remove_by(tx.conn(), owner, &member.user_id).await? {
        let change = permit.audit("invitation.withdraw", owner.to_string());
        tx.audit(change.with(json!({ "id": id, "invitedBy": member.name })));
    }
    Ok(())
}

/// Commits a change of who acts for a publisher.
pub(super) async fn finish(app: &App, tx: WriteTx, owner: &Owner) -> Result<(), StoreError> {
    let committed = tx.commit(NewEvent::of_publisher(EventKind::PublisherChanged, owner.clone())).await?;
    app.pulse().observe(committed.event);
    Ok(())
}

impl From<MemberError> for ApiError {
    fn from(error: MemberError) -> Self {
        let answer = |status: StatusCode, code| Problem::new(status.as_u16(), code, error.to_string());
        Self::Problem(Box::new(match error {
            MemberError::Access(error) => return error,
            MemberError::Store(error) => return error.into(),
            MemberError::Unknown { .. } => answer(StatusCode::NOT_FOUND, "member-not-found"),
            MemberError::LastOwner { ref owner, .. } => {
                answer(StatusCode::CONFLICT, "last-owner").with("owner", owner.as_str())
            }
        }))
    }
}
