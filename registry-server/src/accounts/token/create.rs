use std::time::Duration;

use http::StatusCode;
use serde_json::json;
use skill_core::api::Problem;
use skill_core::name::{Owner, SkillName};
use skill_core::token::Life;

use super::{Beyond, Reach};
use crate::auth::{Credential, Scope, Scopes, TokenText, new_token};
use crate::entropy::Entropy;
use crate::problem::ApiError;
use crate::store::audit::{Actor, NewAudit};
use crate::store::publishers;
use crate::store::tokens::{self, TokenRow};
use crate::store::users::{self, SiteRole, User};
use crate::store::{Db, QuietTx, StoreError};

/// A token about to be made by the operator.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Whose it will be.
    pub user: Owner,
    /// What it is for.
    pub label: String,
    /// What it may be used for.
    pub scopes: Scopes,
    /// The only publisher that it is good for.
    pub publisher: Option<Owner>,
    /// The only skill that it is good for.
    pub skill: Option<SkillName>,
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
    /// The user has enough.
    #[error("this account has {most} tokens that are good, and makes no more until one ends or is revoked")]
    Many {
        /// How many there may be.
        most: u64,
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
    /// It would reach further than the token that makes it.
    #[error("the token that makes it lacks {beyond}")]
    AboveMaker {
        /// In what.
        beyond: Beyond,
    },
    /// There is no such publisher.
    #[error("there is no publisher {owner}")]
    PublisherUnknown {
        /// The handle.
        owner: Owner,
    },
    /// The user does not act for the publisher.
    #[error("{user} is no member of {owner}")]
    NotMember {
        /// The name.
        user: Owner,
        /// The publisher.
        owner: Owner,
    },
    /// A publisher and a skill of another one.
    #[error("the skill {skill} is not one of {publisher}")]
    BindingsDiffer {
        /// The publisher.
        publisher: Owner,
        /// The skill.
        skill: SkillName,
    },
    /// The label says too much.
    #[error("the label has {bytes} bytes, at most {most} are kept")]
    LabelLong {
        /// Its length.
        bytes: usize,
        /// The most.
        most: usize,
    },
    /// The registry's settings want tokens to end sooner.
    #[error("tokens of this registry live {longest} at most")]
    LivesLong {
        /// `tokens.longest`.
        longest: Life,
    },
    /// The end lies beyond the calendar.
    #[error("a token cannot live that long")]
    Lives,
    /// The caller may not.
    #[error(transparent)]
    Access(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a token for somebody, as the operator. Its text is in the answer and nowhere else.
pub async fn create_token(
    db: &Db,
    entropy: &Entropy,
    new: NewToken,
) -> Result<(TokenText, TokenRow), CreateTokenError> {
    let mut tx = db.quiet().await?;
    let user = users::find(tx.conn(), &new.user)
        .await?
        .ok_or_else(|| CreateTokenError::UserUnknown { user: new.user.clone() })?;
    let expires_at = new
        .lives
        .map(|lives| tx.now().checked_add(lives))
        .transpose()
        .map_err(|_| CreateTokenError::Lives)?;
    let reach = Reach { scopes: new.scopes, publisher: new.publisher, skill: new.skill, expires_at };
    let change = NewAudit::new(Actor::unshown(new.actor), "token.create", user.name.to_string());
    let made = insert(&mut tx, entropy, &user, new.label, reach, None, change).await?;
    tx.commit().await?;
    Ok(made)
}

/// Writes a token and what is said of it in the audit log.
pub(in crate::accounts) async fn insert(
    tx: &mut QuietTx,
    entropy: &Entropy,
    user: &User,
    label: String,
    reach: Reach,
    made_from: Option<Credential>,
    change: NewAudit,
) -> Result<(TokenText, TokenRow), CreateTokenError> {
    let now = tx.now();
    check_role(user, &reach.scopes)?;
    let publisher = publisher(tx, user, &reach).await?;
    let text = new_token(entropy).map_err(StoreError::from)?;
    let row = TokenRow {
        id: entropy.id().map_err(StoreError::from)?,
        user_id: user.id.clone(),
        prefix: text.prefix().to_owned(),
        sha256: text.digest(),
        label,
        scopes: reach.scopes,
        publisher,
        skill: reach.skill,
        created_at: now,
        expires_at: reach.expires_at,
        last_used_at: None,
        revoked_at: None,
        made_from,
    };
    tokens::insert(tx.conn(), &row).await?;
    tx.audit(change.with(json!({
        "token": row.id,
        "scopes": row.scopes.to_string(),
        "publisher": row.publisher,
        "skill": row.skill,
        "expiresAt": row.expires_at,
    })));
    Ok((text, row))
}

fn check_role(user: &User, scopes: &Scopes) -> Result<(), CreateTokenError> {
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

/// The publisher that a token is bound to: that of its skill, too. The user has to act for it.
async fn publisher(tx: &mut QuietTx, user: &User, reach: &Reach) -> Result<Option<Owner>, CreateTokenError> {
    if let (Some(publisher), Some(skill)) = (&reach.publisher, &reach.skill)
        && *publisher != skill.owner
    {
        return Err(CreateTokenError::BindingsDiffer { publisher: publisher.clone(), skill: skill.clone() });
    }
    let owner = reach.publisher.clone().or_else(|| reach.skill.as_ref().map(|skill| skill.owner.clone()));
    let Some(owner) = owner else { return Ok(None) };
    let own = publishers::of_user(tx.conn(), &user.id).await?;
    if own.iter().any(|membership| membership.publisher == owner) {
        return Ok(Some(owner));
    }
    Err(match publishers::find(tx.conn(), &owner).await? {
        Some(_) => CreateTokenError::NotMember { user: user.name.clone(), owner },
        None => CreateTokenError::PublisherUnknown { owner },
    })
}

impl From<CreateTokenError> for ApiError {
    fn from(error: CreateTokenError) -> Self {
        let answer = |status: StatusCode, code| Problem::new(status.as_u16(), code, error.to_string());
        Self::Problem(Box::new(match error {
            CreateTokenError::Access(error) => return error,
            CreateTokenError::Store(error) => return error.into(),
            CreateTokenError::UserDisabled { .. } => return Self::AccountDisabled,
            CreateTokenError::ScopeAboveRole { needs, .. } => return Self::SiteRoleMissing { needs },
            CreateTokenError::NotMember { owner, .. } => return Self::NotMember { owner },
            CreateTokenError::UserUnknown { .. } => answer(StatusCode::NOT_FOUND, "user-not-found"),
            CreateTokenError::AboveMaker { .. } => answer(StatusCode::FORBIDDEN, "token-above-maker"),
            CreateTokenError::PublisherUnknown { ref owner } => {
                answer(StatusCode::NOT_FOUND, "owner-not-found").with("owner", owner.as_str())
            }
            CreateTokenError::BindingsDiffer { .. } => {
                answer(StatusCode::UNPROCESSABLE_ENTITY, "bindings-differ")
            }
            CreateTokenError::Many { most } => {
                answer(StatusCode::CONFLICT, "tokens-many").with("limit", most)
            }
            CreateTokenError::LabelLong { most, .. } => {
                answer(StatusCode::UNPROCESSABLE_ENTITY, "label-long").with("limit", most)
            }
            CreateTokenError::LivesLong { longest } => {
                answer(StatusCode::UNPROCESSABLE_ENTITY, "token-life-long")
                    .with("longest", longest.to_string())
            }
            CreateTokenError::Lives => answer(StatusCode::UNPROCESSABLE_ENTITY, "token-life-long"),
        }))
    }
}
