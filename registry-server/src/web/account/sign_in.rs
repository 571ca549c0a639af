use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::header::{CACHE_CONTROL, ETAG, SET_COOKIE, USER_AGENT};
use http::{HeaderMap, HeaderValue, StatusCode};
use jiff::Timestamp;
use serde::Serialize;

use crate::accounts::{self, Browser, SignInError};
use crate::app::App;
use crate::auth::{Cookie, Secret};
use crate::http::extract::Query;
use crate::problem::ApiError;
use crate::remote::Remote;
use crate::web::back::Back;
use crate::web::form::Form;
use crate::web::page::{Frame, page};
use crate::web::words::counted;

/// The key of the query that says where to go on.
pub(in crate::web) const BACK: &str = "back";

#[derive(Debug, Serialize)]
struct View {
    base: String,
    /// Whether a browser can be signed in at all.
    possible: bool,
    /// Whether by a password.
    password: bool,
    name: String,
    back: String,
    /// Why nobody was signed in just now.
    told: String,
}

/// `/sign-in`: how to get in.
pub(in crate::web) async fn sign_in(State(app): State<App>, query: Query) -> Result<Response, ApiError> {
    let back = Back::read(query.text(BACK).unwrap_or_default());
    shown(&app, StatusCode::OK, String::new(), &back, String::new())
}

/// The form of that page.
pub(in crate::web) async fn by_password(
    State(app): State<App>,
    remote: Option<Extension<Remote>>,
    headers: HeaderMap,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let back = Back::read(form.text(BACK));
    let browser = browser(&app, remote, &headers);
    let done = accounts::by_password(&app, form.text("name"), form.text("password"), browser).await;
    match done {
        Ok((cookie, secret)) => Ok(signed_in(&app, cookie, &secret, &back)),
        Err(error) => {
            let Some(told) = told(&error, app.clock().now()) else {
                return app.disk().noted(Err(ApiError::from(error)));
            };
            let name = form.text("name").trim().to_owned();
            shown(&app, ApiError::from(error).status(), name, &back, told)
        }
    }
}

fn shown(
    app: &App,
    status: StatusCode,
    name: String,
    back: &Back,
    told: String,
) -> Result<Response, ApiError> {
    let view = View {
        base: app.base_url(),
        possible: app.cookie().is_some(),
        password: app.config().sign_in.password,
        name,
        back: back.as_str().to_owned(),
        told,
    };
    page(app, status, "sign-in.html", &frame("Sign in"), &view)
}

/// What whoever showed a password is told on the page where they did; `None`: that is an error like others.
pub(in crate::web) fn told(error: &SignInError, now: Timestamp) -> Option<String> {
    match error {
        SignInError::Wrong => Some("Name or password does not match.".to_owned()),
        SignInError::Slow { until } => Some(format!(
            "Too many wrong passwords were tried here. The next one is looked at in {}.",
            wait(*until, now)
        )),
        SignInError::Closed { until } => Some(format!(
            "Too many wrong passwords were tried for this name. None is looked at for {}; a link signs in now.",
            wait(*until, now)
        )),
        _ => None,
    }
}

fn wait(until: Timestamp, now: Timestamp) -> String {
    let seconds = until.duration_since(now).unsigned_abs().as_millis().div_ceil(1000) as u64;
    if seconds < 100 { counted(seconds, "second") } else { counted(seconds.div_ceil(60), "minute") }
}

/// The browser that asks.
pub(super) fn browser(app: &App, remote: Option<Extension<Remote>>, headers: &HeaderMap) -> Browser {
    let agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok());
    Browser {
        agent: agent.unwrap_or_default().to_owned(),
        at: remote.and_then(|Extension(remote)| remote.address),
        before: app.cookie().and_then(|cookie| cookie.shown(headers)),
    }
}

/// A browser that was signed in goes on.
pub(super) fn signed_in(app: &App, cookie: Cookie, session: &Secret, back: &Back) -> Response {
    let mut response = Redirect::to(back.or_front()).into_response();
    let set = cookie.set(session, app.config().sign_in.session);
    response.headers_mut().extend(set.map(|set| (SET_COOKIE, set)));
    response
}

/// A page about the browser that asks, which is kept nowhere.
pub(super) fn unkept(mut response: Response) -> Response {
    response.headers_mut().remove(ETAG);
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
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
