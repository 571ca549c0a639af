use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use http::header::{CACHE_CONTROL, ETAG, SET_COOKIE, USER_AGENT};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;

use super::sign_in::frame;
use crate::accounts::{self, Browser, SignInError};
use crate::app::App;
use crate::auth::{Opens, Secret};
use crate::problem::ApiError;
use crate::remote::Remote;
use crate::store::{links, users};
use crate::web::form::Form;
use crate::web::page::page;

#[derive(Debug, Serialize)]
struct View {
    name: String,
    scopes: String,
    secret: String,
}

/// `/sign-in/link/{secret}`: whom the link signs in, and a button. Whoever looks at an address before a person does, a
/// mail scanner or a preview, uses nothing up.
pub(in crate::web) async fn link(
    State(app): State<App>,
    Path(secret): Path<String>,
) -> Result<Response, ApiError> {
    if app.cookie().is_none() {
        return Err(SignInError::Insecure.into());
    }
    let secret = Secret::read(Opens::SignIn, &secret).ok_or(SignInError::LinkUnknown)?;
    let mut conn = app.db().read().await?;
    let link = links::find(&mut conn, secret.digest(), app.clock().now()).await?;
    let link = link.ok_or(SignInError::LinkUnknown)?;
    let user = users::by_id(&mut conn, &link.user_id).await?.ok_or(SignInError::LinkUnknown)?;
    drop(conn);
    let view = View {
        name: user.name.to_string(),
        scopes: link.scopes.to_string().replace(',', ", "),
        secret: secret.reveal().to_owned(),
    };
    let mut response = page(&app, StatusCode::OK, "sign-in-link.html", &frame("Sign in"), &view)?;
    response.headers_mut().remove(ETAG);
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// The button of that page.
pub(in crate::web) async fn use_link(
    State(app): State<App>,
    remote: Option<Extension<Remote>>,
    headers: HeaderMap,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let secret = Secret::read(Opens::SignIn, form.text("link")).ok_or(SignInError::LinkUnknown)?;
    let address = remote.and_then(|Extension(remote)| remote.address);
    let agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok());
    let browser = Browser {
        agent: agent.unwrap_or_default().to_owned(),
        address: address.map(|address| address.to_string()).unwrap_or_default(),
        before: app.cookie().and_then(|cookie| cookie.shown(&headers)),
    };
    let done = accounts::by_link(&app, &secret, browser).await.map_err(ApiError::from);
    let (cookie, session) = app.disk().noted(done)?;
    let mut response = Redirect::to("/").into_response();
    let set = cookie.set(&session, app.config().sign_in.session);
    response.headers_mut().extend(set.map(|set| (SET_COOKIE, set)));
    Ok(response)
}
