use http::StatusCode;
use skill_core::api::Problem;
use skill_core::name::Owner;

use super::OPERATOR;
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::moderation::ReasonError;
use crate::problem::ApiError;
use crate::store::audit::{Actor, NewAudit};
use crate::store::events::{EventKind, NewEvent};
use crate::store::users::{self, SiteRole, User};
use crate::store::{Db, StoreError, WriteTx};

/// Who changes an account of the site.
#[derive(Debug, Clone, Copy)]
pub enum Hand<'a> {
    /// An administrator, over HTTP.
    Admin {
        /// The registry.
        app: &'a App,
        /// What allows it.
        permit: &'a Permit,
    },
    /// The operator, on the command line, whether a server runs or not.
    Operator {
        /// The registry's memory.
        db: &'a Db,
    },
}

/// Why an account stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// There is no such user.
    #[error("there is no user {user}")]
    Unknown {
        /// The name.
        user: Owner,
    },
    /// Nobody closes the own account.
    #[error("{user} is the account that asks: somebody else has to do that")]
    Own {
        /// The name.
        user: Owner,
    },
    /// Nobody would be left to administrate the site.
    #[error("{user} is the last administrator with an open account")]
    LastAdmin {
        /// The name.
        user: Owner,
    },
    /// The reason is none, or too long.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// It may not be done.
    #[error(transparent)]
    Access(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        let answer = |status: StatusCode, code| Problem::new(status.as_u16(), code, error.to_string());
        Self::Problem(Box::new(match error {
            AccountError::Access(error) => return error,
            AccountError::Store(error) => return error.into(),
            AccountError::Reason(error) => return error.into(),
            AccountError::Unknown { .. } => answer(StatusCode::NOT_FOUND, "user-not-found"),
            AccountError::Own { .. } => answer(StatusCode::CONFLICT, "own-account"),
            AccountError::LastAdmin { .. } => answer(StatusCode::CONFLICT, "last-admin"),
        }))
    }
}

impl Hand<'_> {
    /// Begins a change of this account. Changes of accounts are made one after the other, so that administrators are
    /// counted.
    pub(super) async fn begin(&self, act: Act, name: &Owner) -> Result<(WriteTx, User), AccountError> {
        let mut tx = match self {
            Self::Operator { db } => db.write().await?,
            Self::Admin { app, permit } => {
                permit.user(&[act])?;
                app.db().write().await?
            }
        };
        users::lock_first(tx.conn()).await?;
        if let Self::Admin { permit, .. } = self {
            permit.confirm(&mut tx).await?;
        }
        let found = users::find(tx.conn(), name).await?;
        let user = found.ok_or_else(|| AccountError::Unknown { user: name.clone() })?;
        Ok((tx, user))
    }

    /// Whether it is the user's own hand.
    pub(super) fn is(&self, user: &User) -> bool {
        matches!(self, Self::Admin { permit, .. } if permit.identity().user.id == user.id)
    }

    /// A row of the audit log.
    pub(super) fn audit(&self, action: &'static str, user: &User) -> NewAudit {
        match self {
            Self::Admin { permit, .. } => permit.audit(action, user.name.to_string()),
            Self::Operator { .. } => NewAudit::new(Actor::unshown(OPERATOR), action, user.name.to_string()),
        }
    }

    /// Commits it.
    pub(super) async fn finish(&self, tx: WriteTx, user: &User) -> Result<(), StoreError> {
        let event = NewEvent::of_publisher(EventKind::PublisherChanged, user.name.clone());
        let committed = tx.commit(event).await?;
        // A server that runs beside the operator's command asks the database.
        if let Self::Admin { app, .. } = self {
            app.pulse().observe(committed.event);
        }
        Ok(())
    }
}

/// That somebody else administrates the site if this user does.
pub(super) async fn leaves_an_admin(tx: &mut WriteTx, user: &User) -> Result<(), AccountError> {
    let administrates = user.role == SiteRole::Admin && user.disabled_at.is_none();
    if administrates && users::other_admins(tx.conn(), &user.id).await? == 0 {
        return Err(AccountError::LastAdmin { user: user.name.clone() });
    }
    Ok(())
}
