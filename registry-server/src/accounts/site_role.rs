use serde_json::json;
use skill_core::name::Owner;

use super::hand::{AccountError, Hand, leaves_an_admin};
use crate::auth::Act;
use crate::store::users::{self, SiteRole, User};

/// Gives a user another role on the whole site. The one that the user has already is given again.
pub async fn set_site_role(hand: &Hand<'_>, name: &Owner, role: SiteRole) -> Result<User, AccountError> {
    let (mut tx, user) = hand.begin(Act::SetSiteRole, name).await?;
    if user.role == role {
        return Ok(user);
    }
    if role < SiteRole::Admin {
        leaves_an_admin(&mut tx, &user).await?;
    }
    users::set_role(tx.conn(), &user.id, role).await?;
    let row = hand.audit("user.role", &user);
    tx.audit(row.with(json!({ "from": user.role.as_str(), "to": role.as_str() })));
    hand.finish(tx, &user).await?;
    Ok(User { role, ..user })
}
