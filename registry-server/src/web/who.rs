//! Who is signed in, at the top of every page. Pages are kept as they are for nobody in particular; this is put in
//! behind that.

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::HeaderValue;
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG};
use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;

use super::templates;
use crate::app::App;
use crate::auth::Caller;
use crate::problem::ApiError;

/// What `base.html` has in the place. It stands in no other: whatever else a page prints is escaped.
const NOBODY: &str = r#"<p class="account"><a href="/sign-in">Sign in</a></p>"#;

#[derive(Serialize)]
struct View<'a> {
    name: &'a str,
    form: String,
}

/// The layer around pages that puts the name of whoever is signed in where `base.html` offers to sign in.
pub(super) async fn named(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let Some(caller) = response.extensions_mut().remove::<Caller>() else { return response };
    shown(&app, &caller, response).await
}

/// A page as `caller` sees it.
pub(super) async fn shown(app: &App, caller: &Caller, response: Response) -> Response {
    let (Caller::User(identity), Some(session)) = (caller, caller.session()) else { return response };
    let kind = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    if !kind.is_some_and(|kind| kind.starts_with(b"text/html")) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(page) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let view = View { name: identity.user.name.as_str(), form: app.web_key().form_field(session) };
    match templates::fill("account.html", Value::from(Serde(&view))) {
        Ok(account) => {
            parts.headers.remove(CONTENT_LENGTH);
            parts.headers.remove(ETAG);
            parts.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
            Response::from_parts(parts, Body::from(replaced(&page, account.trim_end().as_bytes())))
        }
        Err(broken) => ApiError::internal(broken).into_response(),
    }
}

fn replaced(page: &[u8], account: &[u8]) -> Vec<u8> {
    let Some(at) = page.windows(NOBODY.len()).position(|window| window == NOBODY.as_bytes()) else {
        return page.to_owned();
    };
    [&page[..at], account, &page[at + NOBODY.len()..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_has_the_place_once() {
        let base = include_str!("../../../web/templates/base.html");
        assert_eq!(base.matches(NOBODY).count(), 1);
        assert_eq!(
            replaced(format!("a{NOBODY}b{NOBODY}").as_bytes(), b"x"),
            format!("axb{NOBODY}").as_bytes()
        );
        assert_eq!(replaced(b"nothing", b"x"), b"nothing");
    }
}
