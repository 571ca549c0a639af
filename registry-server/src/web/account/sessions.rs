use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use http::header::SET_COOKIE;
use serde::Serialize;

use super::sign_in::frame;
use crate::accounts;
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::problem::ApiError;
use crate::store::sessions::{self, SessionRow};
use crate::web::form::Form;
use crate::web::page::{Frame, page};
use crate::web::words::Time;

/// As many as a user can have.
const SHOWN: u64 = 50;
const PAGE: &str = "/settings/sessions";

#[derive(Debug, Serialize)]
struct View {
    name: String,
    form: String,
    sessions: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    sha256: String,
    agent: String,
    address: String,
    scopes: String,
    began: Time,
    seen: Time,
    ends: Time,
    is_this: bool,
}

impl Line {
    fn of(row: SessionRow, this: &str) -> Self {
        let sha256 = row.sha256.to_hex();
        Self {
            is_this: sha256 == this,
            sha256,
            agent: row.agent,
            address: row.address,
            scopes: row.scopes.to_string().replace(',', ", "),
            began: Time::of(row.created_at),
            seen: Time::of(row.seen_at),
            ends: Time::of(row.expires_at),
        }
    }
}

/// `/settings/sessions`: the browsers that are signed in.
pub(in crate::web) async fn sessions(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
) -> Result<Response, ApiError> {
    let identity = permit.person(&[Act::SignOut])?;
    let this = identity.session().ok_or(ApiError::SessionNeeded)?;
    let rows = sessions::of_user(&mut *app.db().read().await?, &identity.user.id, SHOWN).await?;
    let now = app.clock().now();
    let view = View {
        name: identity.user.name.to_string(),
        form: app.web_key().form_field(this),
        sessions: rows.into_iter().filter(|row| !row.is_over(now)).map(|row| Line::of(row, this)).collect(),
    };
    let frame = Frame { place: "sessions", ..frame("Sessions") };
    page(&app, StatusCode::OK, "sessions.html", &frame, &view)
}

/// Ends the session that a form of that page names.
pub(in crate::web) async fn end_one(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let done = accounts::end_session(&app, &permit, form.text("session")).await.map_err(ApiError::from);
    app.disk().noted(done)?;
    Ok(Redirect::to(PAGE).into_response())
}

/// Ends all of them, this one too.
pub(in crate::web) async fn end_all(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    _: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let done = accounts::end_sessions(&app, &permit).await.map_err(ApiError::from);
    app.disk().noted(done)?;
    Ok(signed_out(&app))
}

/// `/sign-out`: ends this one.
pub(in crate::web) async fn sign_out(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    _: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let this = permit.identity().session().ok_or(ApiError::SessionNeeded)?;
    let done = accounts::end_session(&app, &permit, this).await.map_err(ApiError::from);
    app.disk().noted(done)?;
    Ok(signed_out(&app))
}

fn signed_out(app: &App) -> Response {
    let mut response = Redirect::to("/sign-in").into_response();
    let forget = app.cookie().and_then(crate::auth::Cookie::forget);
    response.headers_mut().extend(forget.map(|forget| (SET_COOKIE, forget)));
    response
}
