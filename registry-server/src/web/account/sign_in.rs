use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;

use crate::app::App;
use crate::problem::ApiError;
use crate::web::page::{Frame, page};

#[derive(Debug, Serialize)]
struct View {
    base: String,
    /// Whether a browser can be signed in at all.
    possible: bool,
}

/// `/sign-in`: how to get in.
pub(in crate::web) async fn sign_in(State(app): State<App>) -> Result<Response, ApiError> {
    let view = View { base: app.base_url(), possible: app.cookie().is_some() };
    page(&app, StatusCode::OK, "sign-in.html", &frame("Sign in"), &view)
}

/// The frame of a page that is about nothing which anybody shares or looks for.
pub(in crate::web) fn frame(title: &str) -> Frame {
    Frame {
        title: title.to_owned(),
        description: title.to_owned(),
        hidden_from_engines: true,
        marked: true,
        ..Frame::default()
    }
}
