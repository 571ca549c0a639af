use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;

use super::sign_in::frame;
use crate::accounts::device::{self, Outcome};
use crate::app::App;
use crate::auth::{Act, Permit, Scope};
use crate::problem::ApiError;
use crate::web::form::Form;
use crate::web::page::page;
use crate::web::words::Time;

#[derive(Debug, Serialize)]
struct Typed {
    name: String,
    form: String,
}

#[derive(Debug, Serialize)]
struct Question {
    name: String,
    form: String,
    code: String,
    label: String,
    address: String,
    at: Time,
    scopes: Vec<&'static str>,
    left_out: String,
}

#[derive(Debug, Serialize)]
struct Said {
    approved: bool,
}

/// `/cli/device`: where a person types the code that a program shows. No address fills it in.
pub(in crate::web) async fn device(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
) -> Result<Response, ApiError> {
    let (name, form) = signed_in(&app, &permit)?;
    page(&app, StatusCode::OK, "device.html", &frame("A program asks for a token"), &Typed { name, form })
}

/// What asks under that code, and the two buttons.
pub(in crate::web) async fn look(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let code = form.text("code").trim().to_owned();
    let asked = device::look(&app, &permit, &code).await.map_err(ApiError::from);
    let asked = app.disk().noted(asked)?;
    let (name, form) = signed_in(&app, &permit)?;
    let view = Question {
        name,
        form,
        code,
        label: asked.label,
        address: asked.address,
        at: Time::of(asked.at),
        scopes: asked.scopes.iter().copied().map(in_words).collect(),
        left_out: asked.left_out.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(", "),
    };
    page(&app, StatusCode::OK, "device-asks.html", &frame("A program asks for a token"), &view)
}

/// One of the two buttons.
pub(in crate::web) async fn decide(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let outcome = match form.text("decision") {
        "approve" => Outcome::Approved,
        _ => Outcome::Denied,
    };
    let done = device::decide(&app, &permit, form.text("code"), outcome).await.map_err(ApiError::from);
    app.disk().noted(done)?;
    let approved = outcome == Outcome::Approved;
    let title = if approved { "Approved" } else { "Denied" };
    page(&app, StatusCode::OK, "device-done.html", &frame(title), &Said { approved })
}

fn signed_in(app: &App, permit: &Permit) -> Result<(String, String), ApiError> {
    let identity = permit.person(&[Act::MakeToken])?;
    let session = identity.session().ok_or(ApiError::SessionNeeded)?;
    Ok((identity.user.name.to_string(), app.web_key().form_field(session)))
}

/// What a token or session with a scope may do.
pub(in crate::web) const fn in_words(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "Read what you may see",
        Scope::Publish => "Publish, yank, tag, deprecate and delete for your publishers, and make tokens",
        Scope::Moderate => "Moderate: judge reports, close releases",
        Scope::Admin => "Administrate this registry",
    }
}
