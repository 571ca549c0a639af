use axum::extract::FromRequestParts;
use http::request::Parts;

use super::{Caller, login};
use crate::app::App;
use crate::problem::ApiError;

/// The caller of a request, known before a byte of the body is read. On a registry that only shows
/// itself to token holders, a caller without one gets no further than this.
#[derive(Debug, Clone)]
pub struct Auth(pub Caller);

impl FromRequestParts<App> for Auth {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let caller = login(app, &parts.headers).await?;
        caller.may_read(app.config().access.read)?;
        Ok(Self(caller))
    }
}
