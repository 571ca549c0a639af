use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use serde::Serialize;

use super::sign_in::{browser, frame, signed_in, unkept};
use crate::accounts::{self, SignInError};
use crate::app::App;
use crate::auth::{Opens, Secret};
use crate::problem::ApiError;
use crate::remote::Remote;
use crate::store::{links, users};
use crate::web::back::Back;
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
    Ok(unkept(page(&app, StatusCode::OK, "sign-in-link.html", &frame("Sign in"), &view)?))
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
    let browser = browser(&app, remote, &headers);
    let done = accounts::by_link(&app, &secret, browser).await.map_err(ApiError::from);
    let (cookie, session) = app.disk().noted(done)?;
    Ok(signed_in(&app, cookie, &session, &Back::default()))
}
