use std::time::Duration;

use serde_json::json;
use skill_core::name::Owner;

use crate::auth::{Scope, Scopes, TokenText, new_token};
use crate::entropy::Entropy;
use crate::store::audit::{Actor, NewAudit};
use crate::store::tokens::{self, TokenRow};
use crate::store::users::{self, SiteRole, User};
use crate::store::{Db, StoreError};

/// A token about to be made.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Whose it will be.
    pub user: Owner,
    /// What it is for.
    pub label: String,
    /// What it may be used for.
    pub scopes: Scopes,
    /// How long it is good for; `None`: until it is revoked.
    pub lives: Option<Duration>,
    /// Who makes it.
    pub actor: String,
}

/// Why a token was not made.
#[derive(Debug, thiserror::Error)]
pub enum CreateTokenError {
    /// Nobody of that name.
    #[error("there is no user {user}")]
    UserUnknown {
        /// The name.
        user: Owner,
    },
    /// The account is closed.
    #[error("the account of {user} is disabled")]
    UserDisabled {
        /// The name.
        user: Owner,
    },
    /// The user may not do that.
    #[error("the scope {scope} needs the site role {needs}, {user} has the role {has}")]
    ScopeAboveRole {
        /// The name.
        user: Owner,
        /// The scope.
        scope: Scope,
        /// Who may have it.
        needs: SiteRole,
        /// What the user is.
        has: SiteRole,
    },
    /// The end lies beyond the calendar.
    #[error("a token cannot live that long")]
    Lives,
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a token. Its text is in the answer and nowhere else.
pub async fn create_token(
    db: &Db,
    entropy: &Entropy,
    new: NewToken,
) -> Result<(TokenText, TokenRow), CreateTokenError> {
    let mut tx = db.quiet().await?;
    let now = tx.now();
    let user = users::find(tx.conn(), &new.user)
        .await?
        .ok_or_else(|| CreateTokenError::UserUnknown { user: new.user.clone() })?;
    check(&user, &new.scopes)?;
    let text = new_token(entropy).map_err(StoreError::from)?;
    let row = TokenRow {
        id: entropy.id().map_err(StoreError::from)?,
        user_id: user.id,
        prefix: text.prefix().to_owned(),
        sha256: text.digest(),
        label: new.label,
        scopes: new.scopes,
        publisher: None,
        skill: None,
        created_at: now,
        expires_at: new
            .lives
            .map(|lives| now.checked_add(lives))
            .transpose()
            .map_err(|_| CreateTokenError::Lives)?,
        last_used_at: None,
        revoked_at: None,
    };
    tokens::insert(tx.conn(), &row).await?;
    let change = NewAudit::new(Actor::unshown(new.actor), "token.create", user.name.to_string());
    let scopes = row.scopes.to_string();
    tx.audit(change.with(json!({ "token": row.id, "scopes": scopes, "expiresAt": row.expires_at })));
    tx.commit().await?;
    Ok((text, row))
}

fn check(user: &User, scopes: &Scopes) -> Result<(), CreateTokenError> {
    if user.disabled_at.is_some() {
        return Err(CreateTokenError::UserDisabled { user: user.name.clone() });
    }
    for (scope, needs) in [(Scope::Moderate, SiteRole::Moderator), (Scope::Admin, SiteRole::Admin)] {
        if scopes.has(scope) && user.role < needs {
            let (user, has) = (user.name.clone(), user.role);
            return Err(CreateTokenError::ScopeAboveRole { user, scope, needs, has });
        }
    }
    Ok(())
}

/// Why a token was not revoked.
#[derive(Debug, thiserror::Error)]
pub enum RevokeTokenError {
    /// No id and no prefix like that.
    #[error("there is no token `{text}`")]
    Unknown {
        /// What was asked for.
        text: String,
    },
    /// Several tokens have this prefix.
    #[error("several tokens begin with {text}")]
    Ambiguous {
        /// What was asked for.
        text: String,
        /// The tokens' ids.
        ids: Vec<String>,
    },
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Refuses a token from now on; `false` beside it if that was so before.
pub async fn revoke_token(
    db: &Db,
    id_or_prefix: &str,
    actor: &str,
) -> Result<(TokenRow, bool), RevokeTokenError> {
    let mut tx = db.quiet().await?;
    let now = tx.now();
    let mut found = tokens::by_id_or_prefix(tx.conn(), id_or_prefix).await?;
    let text = || id_or_prefix.to_owned();
    let token = found.pop().ok_or_else(|| RevokeTokenError::Unknown { text: text() })?;
    if !found.is_empty() {
        let ids = found.into_iter().chain([token]).map(|token| token.id).collect();
        return Err(RevokeTokenError::Ambiguous { text: text(), ids });
    }
    if !tokens::revoke(tx.conn(), &token.id, now).await? {
        return Ok((token, false));
    }
    let change = NewAudit::new(Actor::unshown(actor), "token.revoke", token.prefix.clone());
    tx.audit(change.with(json!({ "token": token.id })));
    tx.commit().await?;
    Ok((token, true))
}
