//! Answers kept as the bytes that were sent, until the registry changes.
//!
//! An answer is valid for one event number: the next change, of whatever, drops all of them. Downloads are
//! no event, so that an answer that counts them also ends by itself after [`LIFE`]. Only full answers
//! (200) are kept; what is not there is asked of the database every time. Who may read at all was decided before.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

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

use super::extract::Query;
use crate::app::App;

/// Longer answers are made anew each time.
const LONGEST: usize = 256 * 1024;
/// Bytes of all answers together.
const CAPACITY: usize = 8 << 20;
/// How long an answer that counts downloads is good: what its counts may be behind.
const LIFE: SignedDuration = SignedDuration::from_secs(30);
/// What an entry costs besides its bytes.
const OVERHEAD: usize = 512;

/// The kept answers.
#[derive(Debug, Default)]
pub(crate) struct ResponseCache(Mutex<Kept>);

/// In two generations: when the younger is full, it becomes the older, and what was there goes. An answer that is asked
/// for comes back to the young, so that questions that nobody repeats push out each other, and not the answers to
/// those that everybody asks.
#[derive(Debug, Default)]
struct Kept {
    event: u64,
    young: Generation,
    old: Generation,
}

#[derive(Debug, Default)]
struct Generation {
    bytes: usize,
    answers: HashMap<String, Answer>,
}

#[derive(Debug, Clone)]
struct Answer {
    headers: HeaderMap,
    body: Bytes,
    /// From when on it is made anew, whatever happened.
    until: Option<Timestamp>,
}

impl ResponseCache {
    fn get(&self, key: &str, event: u64, now: Timestamp) -> Option<Answer> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.event != event {
            return None;
        }
        if let Some(answer) = kept.old.take(key) {
            kept.add(key.to_owned(), answer);
        }
        kept.young.answers.get(key).filter(|answer| answer.until.is_none_or(|until| now < until)).cloned()
    }

    fn put(&self, key: String, event: u64, answer: Answer) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.event > event {
            return;
        }
        if kept.event < event {
            *kept = Kept { event, ..Kept::default() };
        }
        kept.old.take(&key);
        kept.add(key, answer);
    }
}

impl Kept {
    fn add(&mut self, key: String, answer: Answer) {
        self.young.take(&key);
        let size = answer.size(&key);
        if self.young.bytes + size > CAPACITY / 2 {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.bytes += size;
        self.young.answers.insert(key, answer);
    }
}

impl Generation {
    fn take(&mut self, key: &str) -> Option<Answer> {
        let answer = self.answers.remove(key)?;
        self.bytes -= answer.size(key);
        Some(answer)
    }
}

impl Answer {
    fn size(&self, key: &str) -> usize {
        OVERHEAD + key.len() + self.body.len()
    }
}

/// Answers a GET or HEAD from what is kept, or has it answered and keeps the answer.
pub(super) async fn serve(State(app): State<App>, request: Request, next: Next) -> Response {
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
pub(super) fn has(known: Option<&HeaderValue>, tag: &HeaderValue) -> bool {
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

    fn answer(size: usize) -> Answer {
        Answer { headers: HeaderMap::new(), body: Bytes::from(vec![0; size]), until: None }
    }

    #[test]
    fn an_answer_lives_for_one_event() {
        let cache = ResponseCache::default();
        cache.put("/a".into(), 4, answer(1));
        assert!(cache.get("/a", 4, Timestamp::UNIX_EPOCH).is_some());
        assert!(cache.get("/a", 5, Timestamp::UNIX_EPOCH).is_none());
        cache.put("/b".into(), 5, answer(1));
        assert!(cache.get("/a", 5, Timestamp::UNIX_EPOCH).is_none());
        cache.put("/a".into(), 4, answer(1));
        assert!(
            cache.get("/a", 5, Timestamp::UNIX_EPOCH).is_none(),
            "an answer from before the change came late"
        );
    }

    #[test]
    fn an_answer_that_counts_ends_by_itself() {
        let cache = ResponseCache::default();
        let at = |second| Timestamp::from_second(second).unwrap();
        cache.put("/a".into(), 4, Answer { until: Some(at(30)), ..answer(1) });
        assert!(cache.get("/a", 4, at(29)).is_some());
        assert!(cache.get("/a", 4, at(30)).is_none());
    }

    #[test]
    fn an_answer_made_anew_takes_the_room_of_the_one_before() {
        let cache = ResponseCache::default();
        for _ in 0..1000 {
            cache.put("/a".into(), 1, answer(LONGEST));
        }
        let kept = cache.0.into_inner().unwrap();
        assert_eq!((kept.young.bytes, kept.old.bytes), (OVERHEAD + 2 + LONGEST, 0));
    }

    #[test]
    fn the_kept_is_bounded() {
        let cache = ResponseCache::default();
        for n in 0..1000 {
            cache.put(format!("/{n}"), 1, answer(LONGEST));
        }
        let kept = cache.0.into_inner().unwrap();
        for generation in [&kept.young, &kept.old] {
            let bytes: usize = generation.answers.iter().map(|(key, answer)| answer.size(key)).sum();
            assert_eq!(generation.bytes, bytes);
            assert!((1..=CAPACITY / 2).contains(&bytes), "{bytes}");
        }
    }

    /// Questions that nobody repeats, however many, do not make the ones anew that are asked again and again.
    #[test]
    fn what_is_asked_for_again_outlives_a_flood() {
        let cache = ResponseCache::default();
        let now = Timestamp::UNIX_EPOCH;
        cache.put("/popular".into(), 1, answer(100));
        cache.put("/forgotten".into(), 1, answer(100));
        for n in 0..100_000 {
            cache.put(format!("/skills?page={n}"), 1, answer(1_000));
            if n % 1_000 == 0 {
                assert!(cache.get("/popular", 1, now).is_some(), "{n}");
            }
        }
        assert!(cache.get("/forgotten", 1, now).is_none());
    }

    #[test]
    fn entity_tags_are_compared_weakly() {
        assert!(names("\"a\", W/\"b\"", b"\"b\""));
        assert!(names("*", b"\"b\""));
        assert!(!names("\"ab\"", b"\"b\""));
    }
}
