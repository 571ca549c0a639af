use std::time::Duration;

use http::StatusCode;
use jiff::Timestamp;
use skill_core::api::Problem;

use crate::problem::ApiError;
use crate::store::StoreError;

/// Why a program gets no codes, or no token now.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The body is not what is expected.
    #[error("{why}")]
    Request {
        /// What is wrong with it.
        why: String,
    },
    /// A word that stands for no scope.
    #[error("scopes are read, write or publish, moderate and admin")]
    Scope,
    /// Another kind of grant.
    #[error("the grant type is none that this registry gives tokens for")]
    Grant,
    /// Nobody could approve it.
    #[error("browsers reach this registry without TLS, so nobody can approve in one")]
    Insecure,
    /// Too many of the same address wait for a person.
    #[error("{waiting} requests from this address wait to be approved")]
    Many {
        /// How many.
        waiting: u64,
    },
    /// Whoever approved it has as many tokens as there may be.
    #[error("whoever approved it has {most} good tokens, which is as many as there may be")]
    TokensMany {
        /// How many there may be.
        most: u64,
    },
    /// Nobody decided yet.
    #[error("nobody approved it yet")]
    Pending,
    /// Asked again too early.
    #[error("asked too often")]
    Early {
        /// How long to wait from now on.
        every: Duration,
    },
    /// Too old, taken before, or never given out.
    #[error("the code is too old, was used, or was never given out")]
    Over,
    /// A person said no, or may not give this any more.
    #[error("it was denied")]
    Denied,
    /// Whatever can go wrong in every route.
    #[error(transparent)]
    Access(#[from] ApiError),
}

impl From<StoreError> for DeviceError {
    fn from(error: StoreError) -> Self {
        Self::Access(error.into())
    }
}

/// Why a request is not decided.
#[derive(Debug, thiserror::Error)]
pub enum ApproveError {
    /// Nothing waits under this code.
    #[error("nothing waits under this code")]
    CodeUnknown,
    /// Too many wrong codes.
    #[error("too many wrong codes were typed, the next one is looked at after {until}")]
    Guesses {
        /// From when on codes are looked at again.
        until: Timestamp,
    },
    /// The caller may not.
    #[error(transparent)]
    Access(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ApproveError> for ApiError {
    fn from(error: ApproveError) -> Self {
        let answer = |status: StatusCode, code| Problem::new(status.as_u16(), code, error.to_string());
        Self::Problem(Box::new(match error {
            ApproveError::Access(error) => return error,
            ApproveError::Store(error) => return error.into(),
            ApproveError::CodeUnknown => answer(StatusCode::NOT_FOUND, "device-code-unknown"),
            ApproveError::Guesses { .. } => answer(StatusCode::TOO_MANY_REQUESTS, "device-code-guessed"),
        }))
    }
}
