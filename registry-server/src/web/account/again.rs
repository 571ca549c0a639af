use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use serde::Serialize;

use super::sign_in::{BACK, frame, told};
use crate::accounts;
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::http::extract::Query;
use crate::problem::ApiError;
use crate::remote::Remote;
use crate::store::passwords;
use crate::web::back::Back;
use crate::web::form::Form;
use crate::web::page::page;

#[derive(Debug, Serialize)]
struct View {
    base: String,
    name: String,
    form: String,
    back: String,
    /// Whether there is a password to show.
    password: bool,
    told: String,
}

/// `/sign-in/again`: whoever is signed in shows again who they are.
pub(in crate::web) async fn again(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Response, ApiError> {
    let back = Back::read(query.text(BACK).unwrap_or_default());
    shown(&app, &permit, StatusCode::OK, &back, String::new()).await
}

/// The form of that page.
pub(in crate::web) async fn confirm(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    remote: Option<Extension<Remote>>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let back = Back::read(form.text(BACK));
    let address = remote.and_then(|Extension(remote)| remote.address);
    match accounts::confirm(&app, &permit, form.text("password"), address).await {
        Ok(()) => Ok(Redirect::to(back.or_front()).into_response()),
        Err(error) => match told(&error, app.clock().now()) {
            Some(told) => shown(&app, &permit, ApiError::from(error).status(), &back, told).await,
            None => app.disk().noted(Err(ApiError::from(error))),
        },
    }
}

async fn shown(
    app: &App,
    permit: &Permit,
    status: StatusCode,
    back: &Back,
    told: String,
) -> Result<Response, ApiError> {
    let identity = permit.person(&[Act::Confirm])?;
    let session = identity.session().ok_or(ApiError::SessionNeeded)?;
    let kept = passwords::of_user(&mut *app.db().read().await?, &identity.user.id).await?;
    let view = View {
        base: app.base_url(),
        name: identity.user.name.to_string(),
        form: app.web_key().form_field(session),
        back: back.as_str().to_owned(),
        password: app.config().sign_in.password && kept.is_some(),
        told,
    };
    page(app, status, "sign-in-again.html", &frame("Show again who you are"), &view)
}
