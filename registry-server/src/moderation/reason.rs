use http::StatusCode;
use skill_core::api::Problem;
use skill_core::hidden::Hidden;

use crate::problem::ApiError;

/// The most bytes of what somebody says, as JSON writes it.
const MOST: usize = 500;

/// Why what somebody says is not taken.
#[derive(Debug, thiserror::Error)]
pub enum ReasonError {
    /// Nothing was said.
    #[error("this takes a reason")]
    Missing,
    /// Too much was said.
    #[error("the reason has {bytes} bytes, at most {MOST} are kept")]
    Long {
        /// How much, as JSON writes it.
        bytes: usize,
    },
    /// It cannot be written as JSON.
    #[error(transparent)]
    Unwritable(#[from] serde_json::Error),
}

/// Whether that may be kept as a reason.
pub(crate) fn check_reason(reason: &str) -> Result<(), ReasonError> {
    if Hidden::all_of(reason) {
        return Err(ReasonError::Missing);
    }
    check_note(reason)
}

/// Whether that may be kept as a note, which may be none.
pub(super) fn check_note(note: &str) -> Result<(), ReasonError> {
    match serde_json::to_string(note)?.len() - 2 {
        bytes if bytes > MOST => Err(ReasonError::Long { bytes }),
        _ => Ok(()),
    }
}

impl From<ReasonError> for ApiError {
    fn from(error: ReasonError) -> Self {
        let code = match error {
            ReasonError::Missing => "reason-missing",
            ReasonError::Long { .. } => "reason-long",
            ReasonError::Unwritable(error) => return Self::internal(error),
        };
        let status = StatusCode::UNPROCESSABLE_ENTITY.as_u16();
        Self::Problem(Box::new(Problem::new(status, code, error.to_string())))
    }
}
