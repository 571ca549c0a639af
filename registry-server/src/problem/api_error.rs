use std::error::Error;

use http::StatusCode;
use skill_core::api::Problem;
use skill_core::name::Owner;

use crate::auth::{Scope, Scopes};
use crate::rate::RateLimited;
use crate::store::publishers::MemberRole;
use crate::store::users::SiteRole;

/// Why a request was not answered as asked.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// 401: nobody said who is calling.
    #[error("a login is needed")]
    LoginNeeded,
    /// 401: what was shown is no token of ours.
    #[error("the token is not one that a registry gives out, or it was cut or changed")]
    TokenUnreadable,
    /// 401: unknown or revoked.
    #[error("the token is not known here, or was revoked")]
    TokenRejected,
    /// 401: its time is over.
    #[error("the token has expired")]
    TokenExpired,
    /// 401: a page that is for signed-in browsers alone.
    #[error("this page is for browsers that are signed in")]
    SessionNeeded,
    /// 403: in this session nobody showed lately who they are.
    #[error("this takes that you show again who you are")]
    ConfirmationNeeded,
    /// 401: the account was closed.
    #[error("the account is disabled")]
    AccountDisabled,
    /// 403: the token was made for something else.
    #[error("the token may be used for {has}, this needs {needs}")]
    ScopeMissing {
        /// What it would take.
        needs: Scope,
        /// What the token has.
        has: Scopes,
    },
    /// 403: the token is bound to another publisher or skill.
    #[error("the token is good for {to} only")]
    TokenRestricted {
        /// What it is bound to.
        to: String,
    },
    /// 403: the user does not act for this publisher.
    #[error("this account does not act for {owner}")]
    NotMember {
        /// The publisher.
        owner: Owner,
    },
    /// 403: the user's role at this publisher is too low.
    #[error("this takes the role {needs} at {owner}")]
    RoleMissing {
        /// The lowest role that may.
        needs: MemberRole,
        /// The publisher.
        owner: Owner,
    },
    /// 403: the user's role on the site is too low, whatever the token was made with.
    #[error("this takes the site role {needs}")]
    SiteRoleMissing {
        /// The lowest role that may.
        needs: SiteRole,
    },
    /// 404: no such route.
    #[error("there is nothing at this address")]
    RouteNotFound,
    /// 405: the route knows other methods.
    #[error("this address does not take {method}")]
    MethodNotAllowed {
        /// What was tried.
        method: String,
    },
    /// 429: too many of a kind within a minute.
    #[error(transparent)]
    RateLimited(#[from] RateLimited),
    /// 503: no room to write.
    #[error("the registry is read-only: its disk is full")]
    ReadOnly,
    /// 503: too many at once.
    #[error("the registry is busy")]
    Busy,
    /// 500: a state that should not be. Whatever it was stays in the log.
    #[error("the registry met a state that should not be")]
    Internal(#[source] Box<dyn Error + Send + Sync>),
    /// Any other answer, by its status and code.
    #[error("{title}")]
    Other {
        /// HTTP status.
        status: StatusCode,
        /// Stable kebab-case code.
        code: &'static str,
        /// What happened, without a period.
        title: String,
    },
    /// Any other answer, with keys of its code.
    #[error("{}", .0.title)]
    Problem(Box<Problem>),
}

impl ApiError {
    /// An internal error; `cause` goes to the log.
    pub fn internal(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Internal(cause.into())
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::LoginNeeded
            | Self::TokenUnreadable
            | Self::TokenRejected
            | Self::TokenExpired
            | Self::SessionNeeded
            | Self::AccountDisabled => StatusCode::UNAUTHORIZED,
            Self::ConfirmationNeeded
            | Self::ScopeMissing { .. }
            | Self::TokenRestricted { .. }
            | Self::NotMember { .. }
            | Self::RoleMissing { .. }
            | Self::SiteRoleMissing { .. } => StatusCode::FORBIDDEN,
            Self::RouteNotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::RateLimited(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::ReadOnly | Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Other { status, .. } => *status,
            Self::Problem(problem) => match StatusCode::from_u16(problem.status) {
                Ok(status) => status,
                Err(_) => StatusCode::INTERNAL_SERVER_ERROR,
            },
        }
    }

    /// The stable code.
    pub fn code(&self) -> &str {
        match self {
            Self::LoginNeeded => "login-needed",
            Self::TokenUnreadable => "token-unreadable",
            Self::TokenRejected => "token-rejected",
            Self::TokenExpired => "token-expired",
            Self::SessionNeeded => "session-needed",
            Self::ConfirmationNeeded => "confirmation-needed",
            Self::AccountDisabled => "account-disabled",
            Self::ScopeMissing { .. } => "scope-missing",
            Self::TokenRestricted { .. } => "token-restricted",
            Self::NotMember { .. } => "not-member",
            Self::RoleMissing { .. } => "role-missing",
            Self::SiteRoleMissing { .. } => "site-role-missing",
            Self::RouteNotFound => "route-not-found",
            Self::MethodNotAllowed { .. } => "method-not-allowed",
            Self::RateLimited(_) => "rate-limited",
            Self::ReadOnly => "registry-read-only",
            Self::Busy => "registry-busy",
            Self::Internal(_) => "internal",
            Self::Other { code, .. } => code,
            Self::Problem(problem) => &problem.code,
        }
    }

    /// Seconds after which trying again may help.
    pub const fn retry_after(&self) -> Option<u32> {
        match self {
            Self::RateLimited(limited) => Some(limited.wait),
            Self::ReadOnly => Some(60),
            Self::Busy => Some(1),
            _ => None,
        }
    }

    /// As our own routes say it.
    pub fn problem(&self) -> Problem {
        let problem = Problem::new(self.status().as_u16(), self.code(), self.to_string());
        match self {
            Self::ScopeMissing { needs, .. } => problem.with("needs", needs.as_str()),
            Self::NotMember { owner } => problem.with("owner", owner.as_str()),
            Self::RoleMissing { needs, owner } => {
                problem.with("needs", needs.as_str()).with("owner", owner.as_str())
            }
            Self::SiteRoleMissing { needs } => problem.with("needs", needs.as_str()),
            Self::RateLimited(limited) => {
                problem.with("limit", limited.limit).with("retryAfterSeconds", limited.wait)
            }
            Self::Problem(problem) => (**problem).clone(),
            _ => problem,
        }
    }

    /// As the ClawHub contract says it: one line of plain text. Its clients look at the beginnings
    /// `Unauthorized` and `Forbidden` (contract 0, "Errors").
    pub fn plain(&self) -> String {
        match self {
            Self::LoginNeeded => "Unauthorized: missing token".to_owned(),
            Self::TokenUnreadable | Self::TokenRejected => {
                "Unauthorized: invalid or revoked token".to_owned()
            }
            Self::TokenExpired => "Unauthorized: expired token".to_owned(),
            Self::SessionNeeded => "Unauthorized: not signed in".to_owned(),
            Self::AccountDisabled => "Unauthorized: account disabled".to_owned(),
            Self::ConfirmationNeeded
            | Self::ScopeMissing { .. }
            | Self::TokenRestricted { .. }
            | Self::NotMember { .. }
            | Self::RoleMissing { .. }
            | Self::SiteRoleMissing { .. } => format!("Forbidden: {self}"),
            Self::RouteNotFound => "Not found".to_owned(),
            Self::RateLimited(_) => "Rate limit exceeded".to_owned(),
            Self::Internal(_) => "Internal server error".to_owned(),
            other => other.to_string(),
        }
    }
}
