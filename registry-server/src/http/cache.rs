//! Answers kept as the bytes that were sent, until the registry changes.
//!
//! Downloads are no event, so that an answer that counts them also ends by itself after [`LIFE`]. Only full answers
//! (200) are kept; what is not there is asked of the database every time.

use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, ETAG, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use jiff::{SignedDuration, Timestamp};
use percent_encoding::percent_decode_str;
use skill_core::api::Access;

use super::event_cache::{EventCache, Keep};
use super::extract::Query;
use crate::app::App;

/// Longer answers are made anew each time.
const LONGEST: usize = 256 * 1024;
/// Bytes of all answers together.
const CAPACITY: usize = 8 << 20;
/// How long an answer that counts downloads is good: what its counts may be behind.
const LIFE: SignedDuration = SignedDuration::from_secs(30);

/// The kept answers.
pub(crate) type ResponseCache = EventCache<Answer, CAPACITY>;

/// An answer as it was sent.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    headers: HeaderMap,
    body: Bytes,
    /// From when on it is made anew, whatever happened.
    until: Option<Timestamp>,
}

impl Keep for Answer {
    fn held(&self) -> usize {
        self.body.len()
    }

    fn until(&self) -> Option<Timestamp> {
        self.until
    }
}

/// Answers a GET or HEAD from what is kept, or has it answered and keeps the answer.
pub(crate) async fn serve(State(app): State<App>, request: Request, next: Next) -> Response {
    keep(&app, None, request, next).await
}

/// [`serve`] for routes that tell what is no event: downloads, a full disk.
pub(crate) async fn serve_counted(State(app): State<App>, request: Request, next: Next) -> Response {
    let until = app.clock().now().saturating_add(LIFE).ok();
    keep(&app, until, request, next).await
}

async fn keep(app: &App, until: Option<Timestamp>, request: Request, next: Next) -> Response {
    if !reads(&request) {
        return next.run(request).await;
    }
    // Read before the answer is made: it may then be newer than its number says, never older.
    let event = app.pulse().event();
    let key = key(&request);
    if let Some(answer) = app.responses().get(&key, event, app.clock().now()) {
        return answer.into_response();
    }
    let response = next.run(request).await;
    if response.status() != StatusCode::OK {
        return response;
    }
    let (parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let answer = Answer { headers: parts.headers, body, until };
    if answer.body.len() <= LONGEST {
        app.responses().put(key, event, answer.clone());
    }
    answer.into_response()
}

fn reads(request: &Request) -> bool {
    matches!(*request.method(), Method::GET | Method::HEAD)
}

/// One text for all requests that mean the same: the route, its path without escapes, and what it reads of the query.
fn key(request: &Request) -> String {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let path = percent_decode_str(request.uri().path()).decode_utf8_lossy();
    let query = Query::of(request.uri(), request.extensions()).canonical();
    format!("{route} {path}?{query}")
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        *response.headers_mut() = self.headers;
        response
    }
}

/// What those who get an answer may keep of it: what they have to ask for again before they use it, and of a registry
/// that only shows itself to token holders nothing.
pub(crate) fn caching(app: &App) -> HeaderValue {
    HeaderValue::from_static(match app.config().access.read {
        Access::Public => "no-cache",
        Access::Token => "no-store",
    })
}

/// The layer around all routes that honours `If-None-Match` wherever an answer to a GET or HEAD carries an entity tag.
pub(super) async fn conditional(request: Request, next: Next) -> Response {
    let known = request.headers().get(IF_NONE_MATCH).filter(|_| reads(&request)).cloned();
    let mut response = next.run(request).await;
    let tag = response.headers().get(ETAG).filter(|_| response.status() == StatusCode::OK);
    if tag.is_some_and(|tag| has(known.as_ref(), tag)) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(CONTENT_LENGTH);
    }
    response
}

/// Whether the client says that it has what carries this entity tag.
pub(crate) fn has(known: Option<&HeaderValue>, tag: &HeaderValue) -> bool {
    known.and_then(|known| known.to_str().ok()).is_some_and(|known| names(known, tag.as_bytes()))
}

/// Whether `If-None-Match` names the entity tag (RFC 9110 13.1.2, weak comparison).
fn names(known: &str, tag: &[u8]) -> bool {
    known
        .split(',')
        .map(str::trim)
        .any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one).as_bytes() == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entity_tags_are_compared_weakly() {
        assert!(names("\"a\", W/\"b\"", b"\"b\""));
        assert!(names("*", b"\"b\""));
        assert!(!names("\"ab\"", b"\"b\""));
    }
}
