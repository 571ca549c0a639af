use std::time::Duration;

use http::StatusCode;
use serde_json::json;
use skill_core::api::Problem;
use skill_core::name::Owner;

use super::member::finish;
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::problem::ApiError;
use crate::store::invitations::{self, Invitation, NewInvitation};
use crate::store::publishers::{self, MemberRole, PublisherKind};
use crate::store::{StoreError, members, users};

/// How long an invitation is open.
const LIFE: Duration = Duration::from_hours(7 * 24);

/// As many invitations of a publisher are open at once.
const INVITATIONS: usize = 100;

/// Why nobody was invited, or an invitation was not answered.
#[derive(Debug, thiserror::Error)]
pub enum InvitationError {
    /// Nobody of that name.
    #[error("there is no user {user}")]
    UserUnknown {
        /// The name.
        user: Owner,
    },
    /// The user acts for the publisher already.
    #[error("{user} is a member of {owner} already")]
    Member {
        /// The name.
        user: Owner,
        /// The publisher.
        owner: Owner,
    },
    /// The publisher of one person.
    #[error("{owner} is the publisher of one person")]
    Personal {
        /// The publisher.
        owner: Owner,
    },
    /// Enough wait already.
    #[error(
        "{most} invitations of the publisher wait for an answer, and no more are made until one is answered"
    )]
    Many {
        /// How many.
        most: usize,
    },
    /// Whoever asks has no open invitation with that id.
    #[error("there is no open invitation with this id")]
    Unknown,
    /// The end lies beyond the calendar.
    #[error("an invitation would end beyond the calendar")]
    End,
    /// The caller may not.
    #[error(transparent)]
    Access(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Invites a user for seven days, anew if an invitation is open. Nobody invites to a role above the own one.
pub async fn invite(
    app: &App,
    permit: &Permit,
    user: &Owner,
    role: MemberRole,
) -> Result<Invitation, InvitationError> {
    let owner = permit.publisher(&[Act::Invite])?;
    let by = permit.identity();
    let mut tx = app.db().quiet().await?;
    publishers::lock(tx.conn(), owner).await?;
    permit.confirm(&mut tx).await?;
    // The role as it is under the lock: whoever is lowered at this moment invites nobody.
    let needs = role.max(MemberRole::Admin);
    let own = members::find(tx.conn(), owner, &by.user.name).await?;
    if own.is_none_or(|own| own.role < needs) {
        return Err(ApiError::RoleMissing { needs, owner: owner.clone() }.into());
    }
    let found = publishers::find(tx.conn(), owner).await?;
    if found.is_none_or(|publisher| publisher.kind == PublisherKind::User) {
        return Err(InvitationError::Personal { owner: owner.clone() });
    }
    let unknown = || InvitationError::UserUnknown { user: user.clone() };
    let invited = users::find(tx.conn(), user).await?.ok_or_else(unknown)?;
    let now = tx.now();
    if invitations::to_publisher(tx.conn(), owner, now, None, INVITATIONS).await?.len() >= INVITATIONS {
        return Err(InvitationError::Many { most: INVITATIONS });
    }
    if members::find(tx.conn(), owner, user).await?.is_some() {
        return Err(InvitationError::Member { user: user.clone(), owner: owner.clone() });
    }
    let created_at = tx.now();
    let invitation = Invitation {
        id: app.entropy().id().map_err(StoreError::from)?,
        publisher: owner.clone(),
        user_id: invited.id,
        user: invited.name,
        role,
        invited_by: by.user.name.clone(),
        created_at,
        expires_at: created_at.checked_add(LIFE).map_err(|_| InvitationError::End)?,
    };
    let new = NewInvitation {
        id: &invitation.id,
        publisher: owner,
        user_id: &invitation.user_id,
        role,
        invited_by: &by.user.id,
        created_at,
        expires_at: invitation.expires_at,
    };
    invitations::put(tx.conn(), &new).await?;
    let change = permit.audit("invitation.create", owner.to_string());
    tx.audit(change.with(json!({ "id": invitation.id, "user": user, "role": role.as_str() })));
    tx.commit().await?;
    Ok(invitation)
}

/// Accepts an own invitation. Whoever is a member meanwhile keeps the role.
pub async fn accept(app: &App, permit: &Permit, id: &str) -> Result<Invitation, InvitationError> {
    let user = &permit.person(&[Act::AnswerInvitation])?.user;
    let mut tx = app.db().write().await?;
    permit.confirm(&mut tx).await?;
    let now = tx.now();
    let own = |found: Option<Invitation>| {
        found.filter(|found| found.user_id == user.id).ok_or(InvitationError::Unknown)
    };
    let seen = own(invitations::find(tx.conn(), id, now).await?)?;
    // Who invited may lose the role at this moment, and take the invitation back: it is looked at again.
    publishers::lock(tx.conn(), &seen.publisher).await?;
    let invitation = own(invitations::find(tx.conn(), id, now).await?)?;
    let (owner, role) = (&invitation.publisher, invitation.role);
    // Whoever takes it back or declines it at this moment does not lock the publisher.
    if !invitations::remove(tx.conn(), id).await? {
        return Err(InvitationError::Unknown);
    }
    if members::find(tx.conn(), owner, &user.name).await?.is_none() {
        publishers::set_member(tx.conn(), owner, &user.id, role, now).await?;
    }
    let change = permit.audit("invitation.accept", owner.to_string());
    tx.audit(change.with(json!({ "id": id, "role": role.as_str(), "invitedBy": invitation.invited_by })));
    finish(app, tx, owner).await?;
    Ok(invitation)
}

/// Declines an own invitation.
pub async fn decline(app: &App, permit: &Permit, id: &str) -> Result<Invitation, InvitationError> {
    let user = &permit.person(&[Act::AnswerInvitation])?.user;
    take_away(app, permit, id, "invitation.decline", |found| found.user_id == user.id).await
}

/// Takes an invitation to a publisher back.
pub async fn withdraw_invitation(
    app: &App,
    permit: &Permit,
    id: &str,
) -> Result<Invitation, InvitationError> {
    let owner = permit.publisher(&[Act::Invite])?;
    take_away(app, permit, id, "invitation.withdraw", |found| found.publisher == *owner).await
}

async fn take_away(
    app: &App,
    permit: &Permit,
    id: &str,
    action: &'static str,
    may: impl Fn(&Invitation) -> bool,
) -> Result<Invitation, InvitationError> {
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    let now = tx.now();
    let found = invitations::find(tx.conn(), id, now).await?.filter(may).ok_or(InvitationError::Unknown)?;
    if !invitations::remove(tx.conn(), id).await? {
        return Err(InvitationError::Unknown);
    }
    let change = permit.audit(action, found.publisher.to_string());
    tx.audit(change.with(json!({ "id": id, "user": found.user, "role": found.role.as_str() })));
    tx.commit().await?;
    Ok(found)
}

impl From<InvitationError> for ApiError {
    fn from(error: InvitationError) -> Self {
        let answer = |status: StatusCode, code| Problem::new(status.as_u16(), code, error.to_string());
        Self::Problem(Box::new(match error {
            InvitationError::Access(error) => return error,
            InvitationError::Store(error) => return error.into(),
            InvitationError::End => return Self::internal(error),
            InvitationError::UserUnknown { .. } => answer(StatusCode::NOT_FOUND, "user-not-found"),
            InvitationError::Unknown => answer(StatusCode::NOT_FOUND, "invitation-not-found"),
            InvitationError::Many { most } => {
                answer(StatusCode::CONFLICT, "invitations-many").with("limit", most)
            }
            InvitationError::Member { .. } => answer(StatusCode::CONFLICT, "member-already"),
            InvitationError::Personal { .. } => answer(StatusCode::CONFLICT, "publisher-personal"),
        }))
    }
}
