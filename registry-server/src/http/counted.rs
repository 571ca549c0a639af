//! How often somebody may ask, decided when it is known who they are and before anything else is.

use http::HeaderMap;
use http::StatusCode;
use http::header::AUTHORIZATION;

use crate::app::App;
use crate::auth::{Caller, login, signed_in};
use crate::problem::ApiError;
use crate::rate::{Asker, Kind};
use crate::remote::Remote;

/// Who asks for something of this `kind`, if they may ask once more; where no token is shown and `with_sessions`, by the
/// cookie of their browser. A token that is good counts for its user alone;
/// one that is not counts for where it comes from, and from where there were too many none is looked up.
pub(crate) async fn caller(
    app: &App,
    kind: Option<Kind>,
    remote: Option<Remote>,
    headers: &HeaderMap,
    with_sessions: bool,
) -> Result<Caller, ApiError> {
    let caller = if headers.contains_key(AUTHORIZATION) {
        shown_token(app, remote, headers).await?
    } else if with_sessions {
        signed_in(app, headers).await?
    } else {
        Caller::Anonymous
    };
    if let (Some(kind), Some(asker)) = (kind, Asker::of(&caller, remote)) {
        app.rates().take(kind, asker, app.clock().now())?;
    }
    Ok(caller)
}

async fn shown_token(app: &App, remote: Option<Remote>, headers: &HeaderMap) -> Result<Caller, ApiError> {
    let Some(remote) = remote else { return login(app, headers).await };
    app.rates().may_show_a_token(remote, app.clock().now())?;
    let caller = login(app, headers).await;
    if caller.as_ref().is_err_and(|refused| refused.status() == StatusCode::UNAUTHORIZED) {
        app.rates().token_refused(remote, app.clock().now());
    }
    caller
}
