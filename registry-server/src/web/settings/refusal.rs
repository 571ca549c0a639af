use http::StatusCode;

use crate::problem::ApiError;
use crate::web::failure;

/// Why a form was not taken, where that is about what was typed: the page shows it above the form, which keeps that.
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    pub(super) text: String,
}

impl Refusal {
    /// Of every other error, such as a missing right, the page of errors tells.
    pub(super) fn of(error: ApiError) -> Result<Self, ApiError> {
        let status = error.status();
        match status {
            StatusCode::BAD_REQUEST
            | StatusCode::NOT_FOUND
            | StatusCode::CONFLICT
            | StatusCode::UNPROCESSABLE_ENTITY => Ok(Self { status, text: failure::sentence(&error) }),
            _ => Err(error),
        }
    }
}
