use std::time::Duration;

use serde_json::json;
use skill_core::name::Owner;

use super::SignInError;
use crate::app::App;
use crate::auth::{Act, Credential, Opens, Permit, Scopes, Secret};
use crate::entropy::Entropy;
use crate::problem::ApiError;
use crate::store::audit::{Actor, NewAudit};
use crate::store::links::{self, LinkRow};
use crate::store::users::{self, User};
use crate::store::{Db, QuietTx, StoreError, tokens};

/// How long a link is good that its user asks for: it is opened where it was printed.
const OWN: Duration = Duration::from_mins(15);
/// How long one of the operator is good, who sends it to somebody.
const SENT: Duration = Duration::from_hours(24);

/// A link about to be made.
struct NewLink<'a> {
    user: &'a User,
    scopes: Scopes,
    made_by: Option<Credential>,
    life: Duration,
}

/// Makes a link that signs its user in once, with the scopes of what asks for it.
pub async fn make_link(app: &App, permit: &Permit) -> Result<(Secret, LinkRow), SignInError> {
    let identity = permit.person(&[Act::MakeSignInLink])?;
    if app.cookie().is_none() {
        return Err(SignInError::Insecure);
    }
    let mut tx = app.db().quiet().await?;
    // Whoever revokes what was shown waits until this ends.
    if !tokens::hold(tx.conn(), &identity.by).await? {
        return Err(ApiError::TokenRejected.into());
    }
    permit.confirm(&mut tx).await?;
    let (user, scopes, made_by) = (&identity.user, identity.scopes.clone(), Some(identity.by.clone()));
    let change = permit.audit("sign-in-link.create", user.name.to_string());
    let new = NewLink { user, scopes, made_by, life: OWN };
    let made = insert(&mut tx, app.entropy(), new, change).await?;
    tx.commit().await?;
    Ok(made)
}

/// Makes a link for somebody, as the operator: the session may do what its user may.
pub async fn make_link_as_operator(
    db: &Db,
    entropy: &Entropy,
    name: &Owner,
    actor: &str,
) -> Result<(Secret, LinkRow), SignInError> {
    let mut tx = db.quiet().await?;
    let user = users::find(tx.conn(), name).await?;
    let user = user.ok_or_else(|| SignInError::UserUnknown { user: name.clone() })?;
    if user.disabled_at.is_some() {
        return Err(SignInError::UserDisabled { user: name.clone() });
    }
    let change = NewAudit::new(Actor::unshown(actor), "sign-in-link.create", name.to_string());
    let new = NewLink { user: &user, scopes: Scopes::of_role(user.role), made_by: None, life: SENT };
    let made = insert(&mut tx, entropy, new, change).await?;
    tx.commit().await?;
    Ok(made)
}

/// Where a browser is signed in with this secret.
pub fn sign_in_url(base_url: &str, secret: &Secret) -> String {
    format!("{base_url}/sign-in/link/{}", secret.reveal())
}

async fn insert(
    tx: &mut QuietTx,
    entropy: &Entropy,
    new: NewLink<'_>,
    change: NewAudit,
) -> Result<(Secret, LinkRow), SignInError> {
    let now = tx.now();
    let secret = Secret::make(Opens::SignIn, entropy).map_err(StoreError::from)?;
    let link = LinkRow {
        sha256: secret.digest(),
        user_id: new.user.id.clone(),
        scopes: new.scopes,
        made_by: new.made_by,
        created_at: now,
        expires_at: now.checked_add(new.life).map_err(ApiError::internal)?,
    };
    links::insert(tx.conn(), &link).await?;
    tx.audit(change.with(json!({ "scopes": link.scopes.to_string(), "expiresAt": link.expires_at })));
    Ok((secret, link))
}
