use serde_json::json;
use skill_core::name::{Owner, SkillName};
use skill_core::version::Version;

use super::hand::{AccountError, Hand, leaves_an_admin};
use crate::app::App;
use crate::auth::{Act, On, Permit};
use crate::change::{self, Closing};
use crate::moderation::check_reason;
use crate::problem::ApiError;
use crate::store::users::User;
use crate::store::{invitations, lines, members, skills, users};

/// An account that was closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banned {
    /// Whose.
    pub user: User,
    /// Publishers of several users that nobody with an open account owns now.
    pub ownerless: Vec<Owner>,
}

/// Closes an account: its tokens and sessions are refused from the next request on, and invitations to it and by it are
/// taken back. What it published stays. Closing a closed one changes nothing.
pub async fn ban(hand: &Hand<'_>, name: &Owner, reason: &str) -> Result<Banned, AccountError> {
    check_reason(reason)?;
    let (mut tx, user) = hand.begin(Act::Ban, name).await?;
    if hand.is(&user) {
        return Err(AccountError::Own { user: user.name });
    }
    leaves_an_admin(&mut tx, &user).await?;
    if user.disabled_at.is_some() {
        let ownerless = members::owned_alone(tx.conn(), &user.id).await?;
        return Ok(Banned { user, ownerless });
    }
    let now = tx.now();
    users::set_disabled(tx.conn(), &user.id, Some(now)).await?;
    for (id, publisher) in invitations::remove_of(tx.conn(), &user.id).await? {
        tx.audit(hand.audit("invitation.withdraw", &user).with(json!({ "id": id, "publisher": publisher })));
    }
    let ownerless = members::owned_alone(tx.conn(), &user.id).await?;
    let row = hand.audit("user.ban", &user).because(reason);
    tx.audit(row.with(json!({ "ownerless": ownerless })));
    hand.finish(tx, &user).await?;
    Ok(Banned { user: User { disabled_at: Some(now), ..user }, ownerless })
}

/// Opens an account again, with the tokens and sessions that would be good without the ban.
pub async fn unban(hand: &Hand<'_>, name: &Owner, reason: &str) -> Result<User, AccountError> {
    check_reason(reason)?;
    let (mut tx, user) = hand.begin(Act::Ban, name).await?;
    if user.disabled_at.is_none() {
        return Ok(user);
    }
    users::set_disabled(tx.conn(), &user.id, None).await?;
    tx.audit(hand.audit("user.unban", &user).because(reason));
    hand.finish(tx, &user).await?;
    Ok(User { disabled_at: None, ..user })
}

/// Hides every release of the user's own publisher that can be had, each by a statement of its own. Done again it goes on
/// where it stopped. Answers with what it hid.
pub async fn hide_skills(
    app: &App,
    permit: &Permit,
    owner: &Owner,
    reason: &str,
) -> Result<Vec<(SkillName, Version)>, ApiError> {
    let mut hidden = Vec::new();
    let found = skills::of_owner(&mut *app.db().read().await?, owner).await?;
    for skill in found {
        let permit = permit.also(Act::Close)?.narrow(On::Skill(skill.name()))?;
        let lines = lines::of_skill(&mut *app.db().read().await?, &skill.id).await?;
        for line in lines.into_iter().filter(|line| line.state.is_downloadable()) {
            change::close(app, &permit, &line.version, Closing::Hide, reason).await?;
            hidden.push((skill.name(), line.version));
        }
    }
    Ok(hidden)
}
