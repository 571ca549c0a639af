//! Pages for what cannot be shown. Each says what is so, why as far as the reader may know, and where to go on.

mod sought;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::{StatusCode, Uri};
use serde::Serialize;

use self::sought::Sought;
use super::address::Address;
use super::back::Back;
use super::headers::{Origins, hardened};
use super::near::{self, Neighbour};
use super::page::{Frame, page};
use super::who;
use crate::app::App;
use crate::auth::Caller;
use crate::http::counted;
use crate::problem::{self, ApiError};
use crate::rate::Kind;
use crate::telemetry::RequestId;

/// First segments under which programs ask: they are answered as programs read it.
const MACHINES: [&str; 8] = ["api", "index", "trust", "log", ".well-known", "healthz", "readyz", "metrics"];

#[derive(Debug, Serialize)]
struct View {
    status: u16,
    heading: &'static str,
    /// What is so.
    text: String,
    /// A page that may help and what it is called: one to sign in on, and after that go on.
    way_in: Option<(String, &'static str)>,
    /// What was asked for, if showing it helps.
    tried: String,
    neighbours: Vec<Neighbour>,
    /// A page of what there is instead, and what it is called.
    instead: Option<(Address, &'static str)>,
    request_id: String,
    /// Whether search and browse lead anywhere for this reader.
    may_look: bool,
}

/// The layer in front of pages: what went wrong becomes a page.
pub(super) async fn pages(State(app): State<App>, request: Request, next: Next) -> Response {
    let (uri, reads) = (request.uri().clone(), request.method().is_safe());
    let id = request.extensions().get::<RequestId>().cloned().unwrap_or_default();
    let mut response = next.run(request).await;
    let asker = response.extensions().get::<Caller>().cloned();
    let Some(error) = problem::taken(&mut response) else { return response };
    // A form is not sent a second time.
    let back = if reads { Back::to(&uri) } else { Back::default() };
    if reads && matches!(*error, ApiError::ConfirmationNeeded) {
        return Redirect::to(&back.again()).into_response();
    }
    let mut page = told(&app, &error, asker.as_ref(), (&uri, &back), &id).await;
    if let Some(asker) = asker {
        page.extensions_mut().insert(asker);
    }
    page
}

/// What no route has: a page for people, a problem for programs.
pub(crate) async fn nothing_here(State(app): State<App>, request: Request) -> Response {
    let first = request.uri().path().trim_start_matches('/').split('/').next().unwrap_or_default();
    if MACHINES.contains(&first) {
        return ApiError::RouteNotFound.into_response();
    }
    // No gate stands in front of an address that is not there.
    let remote = app.proxies().remote(request.extensions(), request.headers());
    let caller = counted::caller(&app, Some(Kind::Read), remote, request.headers(), true).await;
    let reader = caller.and_then(|caller| caller.may_read(app.config().access.read).map(|()| caller));
    let (asker, error) = match reader {
        Ok(caller) => (Some(caller), ApiError::RouteNotFound),
        Err(refused) => (None, refused),
    };
    let id = request.extensions().get::<RequestId>().cloned().unwrap_or_default();
    let to = (request.uri(), &Back::to(request.uri()));
    let mut page = told(&app, &error, asker.as_ref(), to, &id).await;
    if let Some(asker) = asker {
        page = who::shown(&app, &asker, None, page).await;
    }
    hardened(&Origins::of(&app, &request), page)
}

/// The page of an error. `asker` is who the gate let in; whoever it did not, or never saw, is told no names.
async fn told(
    app: &App,
    error: &ApiError,
    asker: Option<&Caller>,
    (uri, back): (&Uri, &Back),
    id: &RequestId,
) -> Response {
    let status = error.status();
    let mut view = View {
        status: status.as_u16(),
        heading: heading(status),
        text: text(error),
        way_in: way_in(error, back),
        tried: String::new(),
        neighbours: Vec::new(),
        instead: None,
        request_id: id.as_str().to_owned(),
        may_look: status != StatusCode::UNAUTHORIZED,
    };
    if status == StatusCode::NOT_FOUND {
        let sought = Sought::of(error.code(), uri);
        if let Some(asker) = asker {
            if let Some(better) = sought::canonical(uri) {
                return Redirect::permanent(&better).into_response();
            }
            // An address that is not there is answered also where the database is not.
            view.neighbours = near::of(app, asker, &sought.slug).await.unwrap_or_default();
        }
        (view.tried, view.instead) = (sought.tried, sought.instead);
    }
    let frame = Frame {
        title: view.heading.to_owned(),
        description: view.heading.to_owned(),
        hidden_from_engines: true,
        marked: true,
        shut: !view.may_look,
        ..Frame::default()
    };
    let mut response = match page(app, status, "error.html", &frame, &view) {
        Ok(response) => response,
        Err(broken) => {
            tracing::error!(%broken, "the page about an error could not be made");
            (status, view.heading).into_response()
        }
    };
    error.add_headers(response.headers_mut());
    response
}

/// The page on which somebody shows who they are, where that would help.
fn way_in(error: &ApiError, back: &Back) -> Option<(String, &'static str)> {
    match error {
        ApiError::ConfirmationNeeded => Some((back.again(), "Show again who you are")),
        error if error.status() == StatusCode::UNAUTHORIZED => Some((back.sign_in(), "Sign in")),
        _ => None,
    }
}

fn heading(status: StatusCode) -> &'static str {
    match status {
        StatusCode::UNAUTHORIZED => "Sign in to see this",
        StatusCode::FORBIDDEN => "Not allowed",
        StatusCode::NOT_FOUND => "Nothing at this address",
        StatusCode::GONE => "No longer here",
        StatusCode::LOCKED => "Not published yet",
        StatusCode::TOO_MANY_REQUESTS => "Too many requests",
        StatusCode::SERVICE_UNAVAILABLE => "Not possible right now",
        status if status.is_client_error() => "This cannot be answered",
        _ => "Something broke in the registry",
    }
}

fn text(error: &ApiError) -> String {
    match error.code() {
        "login-needed" => {
            "This registry shows nothing to whoever has not signed in, not even names. Programs show a token instead:".to_owned()
        }
        "route-not-found" | "skill-not-found" | "version-not-found" | "owner-not-found"
        | "file-not-found" => {
            "What is private, pending or deleted looks exactly like what never was.".to_owned()
        }
        "sign-in-link-unknown" => {
            "A link signs in once, and is good for minutes or a day, as whoever made it was told. Nobody was signed in. Make another one.".to_owned()
        }
        "device-code-unknown" => {
            "Nothing waits under this code: it was mistyped, is older than 15 minutes, or was decided already. Go back and type the code that the program shows now.".to_owned()
        }
        "session-insecure" => {
            "Browsers reach this registry without TLS, where anybody on the way could take over a session, so that it signs nobody in. Its operator sets public_url to an address that begins with https.".to_owned()
        }
        "form-foreign" => {
            "The form was not sent from a page that this registry made for this session; nothing was changed. Load the page again and send it from there.".to_owned()
        }
        "confirmation-needed" => {
            "It is more than 15 minutes ago that you showed who you are in this session. Nothing was changed. Do it again, and then send the form again.".to_owned()
        }
        "session-bounded" => {
            "This session was signed in with a link of a token, and ends with that. A first password would reach further. Have the operator of this registry make a link for you, sign in with it, and choose the password then.".to_owned()
        }
        "password-off" => "This registry signs nobody in by a password. A link does it.".to_owned(),
        "internal" => "The cause is in the log of the registry, under the number below.".to_owned(),
        "rate-limited" => {
            let seconds = error.retry_after().unwrap_or_default();
            format!("More was asked from here within this minute than is answered. Try again in {seconds} s.")
        }
        "registry-busy" => "Too much was asked at once. Try again in a moment.".to_owned(),
        _ => sentence(error),
    }
}

/// An error as a sentence. A name that it begins with stays as it is: `ada/tide is …`, `ada is …`.
pub(super) fn sentence(error: &ApiError) -> String {
    let mut text = error.to_string();
    let mut words = text.split(' ');
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    let is_a_name = first.contains('/') || second == Some("is") && !["it", "there", "this"].contains(&first);
    if let Some(first) = text.get_mut(..1).filter(|_| !is_a_name) {
        first.make_ascii_uppercase();
    }
    text + "."
}
