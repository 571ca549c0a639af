//! Answers kept as the bytes that were sent, until the registry changes.
//!
//! An answer is valid for one event number: the next change, of whatever, drops all of them. Downloads are
//! no event, so that an answer that counts them also ends by itself after [`LIFE`]. Only full answers
//! (200) are kept; what is not there is asked of the database every time. Who may read at all was decided before.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header::{ETAG, IF_NONE_MATCH};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use jiff::{SignedDuration, Timestamp};

use super::extract::Query;
use crate::app::App;

/// Longer answers are made anew each time.
const LONGEST: usize = 256 * 1024;
/// Bytes of all answers together; when they are reached, all are dropped.
const CAPACITY: usize = 8 << 20;
/// How long an answer that counts downloads is good: what its counts may be behind.
const LIFE: SignedDuration = SignedDuration::from_secs(30);
/// What an entry costs besides its bytes.
const OVERHEAD: usize = 512;

/// The kept answers.
#[derive(Debug, Default)]
pub(crate) struct ResponseCache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    event: u64,
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
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.event != event {
            return None;
        }
        kept.answers.get(key).filter(|answer| answer.until.is_none_or(|until| now < until)).cloned()
    }

    fn put(&self, key: String, event: u64, answer: Answer) {
        let size = OVERHEAD + key.len() + answer.body.len();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.event > event {
            return;
        }
        if kept.event < event || kept.bytes + size > CAPACITY {
            *kept = Kept { event, ..Kept::default() };
        }
        kept.bytes += size;
        let beside = OVERHEAD + key.len();
        let before = kept.answers.insert(key, answer);
        kept.bytes -= before.map_or(0, |before| beside + before.body.len());
    }
}

/// Answers a GET from what is kept, or has it answered and keeps the answer. Honours `If-None-Match`
/// wherever an answer carries an entity tag.
pub(super) async fn serve(State(app): State<App>, request: Request, next: Next) -> Response {
    keep(&app, None, request, next).await
}

/// [`serve`] for routes that tell what is no event: downloads, a full disk.
pub(crate) async fn serve_counted(State(app): State<App>, request: Request, next: Next) -> Response {
    let until = app.clock().now().saturating_add(LIFE).ok();
    keep(&app, until, request, next).await
}

async fn keep(app: &App, until: Option<Timestamp>, request: Request, next: Next) -> Response {
    if request.method() != Method::GET {
        return next.run(request).await;
    }
    // Read before the answer is made: it may then be newer than its number says, never older.
    let event = app.pulse().event();
    let key = format!("{}?{}", request.uri().path(), Query::of(request.uri()).canonical());
    let known = request.headers().get(IF_NONE_MATCH).cloned();
    if let Some(answer) = app.responses().get(&key, event, app.clock().now()) {
        return conditional(known.as_ref(), answer);
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
    conditional(known.as_ref(), answer)
}

/// Whether the client says that it has what carries this entity tag.
pub(super) fn has(known: Option<&HeaderValue>, tag: &HeaderValue) -> bool {
    known.and_then(|known| known.to_str().ok()).is_some_and(|known| names(known, tag.as_bytes()))
}

fn conditional(known: Option<&HeaderValue>, answer: Answer) -> Response {
    let Answer { headers, body, .. } = answer;
    let unchanged = headers.get(ETAG).is_some_and(|tag| has(known, tag));
    let mut response =
        if unchanged { StatusCode::NOT_MODIFIED.into_response() } else { Response::new(Body::from(body)) };
    *response.headers_mut() = headers;
    response
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
        assert_eq!(cache.0.into_inner().unwrap().bytes, OVERHEAD + 2 + LONGEST);
    }

    #[test]
    fn the_kept_is_bounded() {
        let cache = ResponseCache::default();
        for n in 0..1000 {
            cache.put(format!("/{n}"), 1, answer(LONGEST));
        }
        let kept = cache.0.into_inner().unwrap();
        assert!(kept.bytes <= CAPACITY);
        assert!(kept.answers.len() <= CAPACITY / LONGEST);
    }

    #[test]
    fn entity_tags_are_compared_weakly() {
        assert!(names("\"a\", W/\"b\"", b"\"b\""));
        assert!(names("*", b"\"b\""));
        assert!(!names("\"ab\"", b"\"b\""));
    }
}
