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
use skill_core::name::SkillName;

use super::address::{Address, Pages};
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
    /// The settings of the skill that the page is about, for its members.
    settings: Option<Address>,
}

/// The layer around pages that puts the name of whoever is signed in where `base.html` offers to sign in.
pub(super) async fn named(State(app): State<App>, request: Request, next: Next) -> Response {
    let about = skill_of(request.uri().path());
    let mut response = next.run(request).await;
    let Some(caller) = response.extensions_mut().remove::<Caller>() else { return response };
    let about = about.filter(|_| response.status() != StatusCode::NOT_FOUND);
    shown(&app, &caller, about.as_ref(), response).await
}

/// The skill of which a page with this path tells.
fn skill_of(path: &str) -> Option<SkillName> {
    let mut segments = path.strip_prefix('/')?.split('/');
    let owner = segments.next()?.parse().ok()?;
    (segments.next()? == "skills").then_some(())?;
    Some(SkillName::new(owner, segments.next()?.parse().ok()?))
}

/// A page as `caller` sees it; `about` is the skill of which it tells.
pub(super) async fn shown(
    app: &App,
    caller: &Caller,
    about: Option<&SkillName>,
    response: Response,
) -> Response {
    let (Caller::User(identity), Some(session)) = (caller, caller.session()) else { return response };
    let kind = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    if !kind.is_some_and(|kind| kind.starts_with(b"text/html")) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(page) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let own = about.filter(|name| identity.role_in(&name.owner).is_some());
    let view = View {
        name: identity.user.name.as_str(),
        form: app.web_key().form_field(session),
        settings: own.map(|name| Pages::named(name).settings()),
    };
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
    fn pages_of_a_skill() {
        let of = |path| skill_of(path).map(|name| name.to_string()).unwrap_or_default();
        for path in ["/ada/skills/tide", "/ada/skills/tide/versions/1.0.0", "/ada/skills/tide/settings"] {
            assert_eq!(of(path), "ada/tide", "{path}");
        }
        for path in [
            "/",
            "/ada",
            "/ada/skills",
            "/ada/skills/",
            "/ada/other/tide",
            "/A%20/skills/tide",
            "ada/skills/tide",
        ] {
            assert_eq!(of(path), "", "{path}");
        }
    }

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
