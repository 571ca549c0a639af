use axum::extract::FromRequestParts;
use http::request::Parts;

use super::Caller;
use crate::app::App;
use crate::http::counted;
use crate::problem::ApiError;
use crate::rate::Kind;

/// The caller of a request to what no route has, where no gate stands in front; counted as a read. On a registry that only
/// shows itself to token holders, a caller without one gets no further than this.
#[derive(Debug, Clone)]
pub struct Auth(pub Caller);

impl FromRequestParts<App> for Auth {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let remote = app.proxies().remote(&parts.extensions, &parts.headers);
        let caller = counted::caller(app, Some(Kind::Read), remote, &parts.headers).await?;
        caller.may_read(app.config().access.read)?;
        Ok(Self(caller))
    }
}
