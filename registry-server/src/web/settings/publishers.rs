use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use serde::Serialize;
use skill_core::name::Owner;

use super::{Refusal, frame_of};
use crate::accounts;
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::problem::ApiError;
use crate::web::address::Address;
use crate::web::form::{Form, unreadable};
use crate::web::page::page;

#[derive(Debug, Serialize)]
struct View {
    name: String,
    form: String,
    publishers: Vec<Mine>,
    handle: String,
    display_name: String,
    may_make: bool,
    refused: String,
}

#[derive(Debug, Serialize)]
struct Mine {
    handle: String,
    role: &'static str,
    address: Address,
}

/// `/settings/publishers`: those that one acts for, and a form that makes one.
pub(in crate::web) async fn publishers(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
) -> Result<Response, ApiError> {
    list(&app, &permit, None)
}

/// Makes a publisher for several people.
pub(in crate::web) async fn make_publisher(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    match made(&app, &permit, &form).await {
        Ok(handle) => Ok(Redirect::to(Address::publisher_settings(&handle).as_str()).into_response()),
        Err(error) => list(&app, &permit, Some((form, Refusal::of(error)?))),
    }
}

async fn made(app: &App, permit: &Permit, form: &Form) -> Result<Owner, ApiError> {
    let handle: Owner = form.read("handle")?.ok_or_else(|| unreadable("a publisher has a handle"))?;
    let display_name = form.text("display_name").trim();
    let made = accounts::create_publisher(app, permit, handle, display_name).await.map_err(ApiError::from);
    Ok(app.disk().noted(made)?.handle)
}

fn list(app: &App, permit: &Permit, refused: Option<(Form, Refusal)>) -> Result<Response, ApiError> {
    let identity = permit.person(&[Act::Whoami, Act::MakePublisher])?;
    let session = identity.session().ok_or(ApiError::SessionNeeded)?;
    let (form, refusal) = refused.unzip();
    let typed = |name| form.as_ref().map(|form| form.text(name).to_owned()).unwrap_or_default();
    let mine = identity.publishers.iter().map(|one| Mine {
        handle: one.publisher.to_string(),
        role: one.role.as_str(),
        address: Address::publisher_settings(&one.publisher),
    });
    let view = View {
        name: identity.user.name.to_string(),
        form: app.web_key().form_field(session),
        publishers: mine.collect(),
        handle: typed("handle"),
        display_name: typed("display_name"),
        may_make: permit.also(Act::MakePublisher).is_ok(),
        refused: refusal.as_ref().map(|refusal| refusal.text.clone()).unwrap_or_default(),
    };
    let status = refusal.map_or(StatusCode::OK, |refusal| refusal.status);
    page(app, status, "settings-publishers.html", &frame_of("publishers", "Publishers"), &view)
}
