use http::StatusCode;
use jiff::Timestamp;
use skill_core::api::Problem;
use skill_core::name::Owner;

use crate::auth::PasswordError;
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
    /// Not the password of this name, or not a name.
    #[error("name or password does not match")]
    Wrong,
    /// Too many wrong ones came from there.
    #[error("too many wrong passwords were tried here, the next one is looked at after {until}")]
    Slow {
        /// From when on passwords are looked at again.
        until: Timestamp,
    },
    /// Too many wrong ones were tried for this name, from wherever.
    #[error("too many wrong passwords were tried for this name, none is looked at before {until}")]
    Closed {
        /// From when on passwords are looked at again.
        until: Timestamp,
    },
    /// Passwords sign nobody in.
    #[error("this registry signs nobody in by a password")]
    PasswordOff,
    /// The session ends with a token, and a password would not.
    #[error("this session was signed in with a link of a token, beyond which a first password would reach")]
    Bounded,
    /// Nobody can choose this password.
    #[error(transparent)]
    Choice(#[from] PasswordError),
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
            SignInError::Wrong => answer(StatusCode::UNPROCESSABLE_ENTITY, "sign-in-wrong"),
            SignInError::Slow { .. } => answer(StatusCode::TOO_MANY_REQUESTS, "sign-in-slow"),
            SignInError::Closed { .. } => answer(StatusCode::TOO_MANY_REQUESTS, "sign-in-closed"),
            SignInError::PasswordOff => answer(StatusCode::CONFLICT, "password-off"),
            SignInError::Bounded => answer(StatusCode::CONFLICT, "session-bounded"),
            SignInError::Choice(_) => answer(StatusCode::UNPROCESSABLE_ENTITY, "password-weak"),
        }))
    }
}
