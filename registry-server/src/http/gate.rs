//! What stands in front of every route: whether whoever asks may, and may once more, decided before a byte of the
//! body is read.

use axum::RequestExt as _;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::header::{ALLOW, CACHE_CONTROL, ETAG};
use http::{HeaderMap, HeaderValue, Method};
use skill_core::api::Access;

use super::extract::form_foreign;
use super::table::{self, OnPath, Row, Shown};
use super::{cache, client, counted, extract};
use crate::app::App;
use crate::auth::{Act, Caller, On, Who, form_is_own};
use crate::problem::ApiError;
use crate::rate::Asker;
use crate::remote::Remote;

/// The layer in front of routes. A route that has no row in the table is let through to nobody. Handlers find the
/// [`Caller`], and the [`Permit`](crate::auth::Permit) of what only a known user may; the answer carries the caller
/// too: whoever writes more into it, such as the page of an error, knows that they may read.
pub(crate) async fn gate(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let rows = table::at(route);
    if rows.is_empty() {
        return ApiError::internal(format!("the route {route:?} has no row in the table")).into_response();
    }
    let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
    let Some(row) = rows.iter().find(|row| row.method == *method) else {
        return not_taken(rows, request.method());
    };
    let remote = app.proxies().remote(request.extensions(), request.headers());
    if let Some(remote) = remote {
        request.extensions_mut().insert(remote);
    }
    if is_open(&app, row) {
        return match open(&app, row, remote, request.headers()) {
            Ok(()) => next.run(request).await,
            Err(refused) => refused.into_response(),
        };
    }
    let answered = client::is_new_enough(app.config().clients.minimum.as_ref(), request.headers());
    if let Err(refused) = answered {
        return refused.into_response();
    }
    let (caller, request) = match admit(&app, row, remote, request).await {
        Ok(admitted) => admitted,
        Err(refused) => return refused.into_response(),
    };
    let in_session = caller.session().is_some();
    let mut response = next.run(request).await;
    response.extensions_mut().insert(caller);
    if in_session {
        // Browsers send cookies by themselves: what stands behind them cannot see that this was not for everybody.
        response.headers_mut().remove(ETAG);
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    } else if app.config().access.read == Access::Token {
        // Whatever the handler says of it: what needs a token is kept nowhere behind it.
        response.headers_mut().insert(CACHE_CONTROL, cache::caching(&app));
    }
    response
}

/// Whether no token is asked for.
fn is_open(app: &App, row: &Row) -> bool {
    row.act.needs().who == Who::Anybody
        || (row.act == Act::ReadMetrics && app.config().metrics.read == Access::Public)
}

fn not_taken(rows: &[&Row], method: &Method) -> Response {
    let mut response = ApiError::MethodNotAllowed { method: method.to_string() }.into_response();
    let mut taken: Vec<&str> = rows.iter().map(|row| row.method.as_str()).collect();
    if taken.contains(&"GET") {
        taken.push("HEAD");
    }
    if let Ok(taken) = HeaderValue::from_str(&taken.join(",")) {
        response.headers_mut().insert(ALLOW, taken);
    }
    response
}

/// What no token is needed for, none is looked up for: it counts for where the request comes from.
fn open(app: &App, row: &Row, remote: Option<Remote>, headers: &HeaderMap) -> Result<(), ApiError> {
    if let Some((kind, remote)) = row.rate.zip(remote) {
        app.rates().take(kind, Asker::Remote(remote), app.clock().now())?;
    }
    is_no_foreign_form(app, row, headers)
}

/// Refuses a form that a page of somebody else had the browser send.
fn is_no_foreign_form(app: &App, row: &Row, headers: &HeaderMap) -> Result<(), ApiError> {
    if row.shown == Shown::Form && !form_is_own(headers, &app.base_url()) {
        return Err(form_foreign());
    }
    Ok(())
}

/// Who asks, if they may; handlers find it in the request.
async fn admit(
    app: &App,
    row: &Row,
    remote: Option<Remote>,
    mut request: Request,
) -> Result<(Caller, Request), ApiError> {
    let with_sessions = row.shown != Shown::Token;
    let caller = counted::caller(app, row.rate, remote, request.headers(), with_sessions).await?;
    if matches!(row.shown, Shown::Session | Shown::Form) && caller.session().is_none() {
        return Err(ApiError::SessionNeeded);
    }
    is_no_foreign_form(app, row, request.headers())?;
    match row.act.needs().who {
        Who::Anybody | Who::Reader => caller.may_read(app.config().access.read)?,
        Who::SignedIn | Who::Member(_) | Who::Site(_) => {
            // Whoever shows nothing learns nothing of the address either.
            caller.identity()?;
            let on = on(app, row.on, &mut request).await?;
            request.extensions_mut().insert(caller.permit(row.act, on)?);
        }
    }
    request.extensions_mut().insert(caller.clone());
    Ok((caller, request))
}

async fn on(app: &App, on: OnPath, request: &mut Request) -> Result<On, ApiError> {
    Ok(match on {
        OnPath::Nothing => On::Nothing,
        OnPath::Later => On::Later,
        OnPath::Owner => {
            let extract::OwnerPath(owner) = request.extract_parts_with_state(app).await?;
            On::Publisher(owner)
        }
        OnPath::Skill => {
            let extract::SkillPath(name) = request.extract_parts_with_state(app).await?;
            On::Skill(name)
        }
    })
}
