use http::StatusCode;
use skill_core::api::Problem;
use skill_core::name::Owner;

use crate::problem::ApiError;
use crate::store::StoreError;

/// Why somebody was not signed in, or has no link to be.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// Used before, too old, or never made.
    #[error("this link was used before, is too old, or was never made")]
    LinkUnknown,
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
    /// A cookie would be sent over a network in the clear.
    #[error("browsers reach this registry without TLS, so none is signed in")]
    Insecure,
    /// The caller may not.
    #[error(transparent)]
    Access(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SignInError> for ApiError {
    fn from(error: SignInError) -> Self {
        let answer = |status: StatusCode, code| Problem::new(status.as_u16(), code, error.to_string());
        Self::Problem(Box::new(match error {
            SignInError::Access(error) => return error,
            SignInError::Store(error) => return error.into(),
            SignInError::UserDisabled { .. } => return Self::AccountDisabled,
            SignInError::LinkUnknown => answer(StatusCode::GONE, "sign-in-link-unknown"),
            SignInError::UserUnknown { .. } => answer(StatusCode::NOT_FOUND, "user-not-found"),
            SignInError::Insecure => answer(StatusCode::CONFLICT, "session-insecure"),
        }))
    }
}
