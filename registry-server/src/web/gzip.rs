//! Pages as gzip, for browsers that take it. What was compressed once is kept under its entity tag, so that a page that
//! is kept costs nothing twice. Pages that were made for a session have none and stay as they are: their
//! forms hold a secret, which lengths would give away beside what a reader wrote.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode};

use crate::http::cache::has;
use crate::problem::ApiError;

/// Shorter answers fit in a packet as they are.
const SHORTEST: usize = 1_000;
/// Longer ones are compressed on a thread that may block, and are not kept.
const LONG: usize = 256 * 1024;
/// Bytes that are kept.
const CAPACITY: usize = 4 << 20;

/// What was compressed, by entity tag, in two generations: when the younger is full, it becomes the older.
#[derive(Debug, Default)]
pub(super) struct Compressed(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    bytes: usize,
    young: HashMap<HeaderValue, Bytes>,
    old: HashMap<HeaderValue, Bytes>,
}

impl Compressed {
    fn get(&self, tag: &HeaderValue) -> Option<Bytes> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = kept.old.remove(tag) {
            kept.add(tag.clone(), bytes);
        }
        kept.young.get(tag).cloned()
    }

    /// The bytes as gzip: those that are kept, else made now.
    async fn compressed(&self, tag: &HeaderValue, plain: Bytes) -> Result<Bytes, ApiError> {
        if let Some(bytes) = self.get(tag) {
            return Ok(bytes);
        }
        if plain.len() > LONG {
            let squeezing = tokio::task::spawn_blocking(move || squeezed(&plain));
            return squeezing.await.map_err(ApiError::internal)?.map_err(ApiError::internal);
        }
        let bytes = squeezed(&plain).map_err(ApiError::internal)?;
        self.put(tag.clone(), bytes.clone());
        Ok(bytes)
    }

    fn put(&self, tag: HeaderValue, bytes: Bytes) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(tag, bytes);
    }
}

impl Kept {
    fn add(&mut self, tag: HeaderValue, bytes: Bytes) {
        if self.bytes + bytes.len() > CAPACITY / 2 {
            self.old = mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += bytes.len();
        if let Some(before) = self.young.insert(tag, bytes) {
            self.bytes -= before.len();
        }
    }
}

/// The layer around pages: the same answer as gzip where it is text with an entity tag and the reader takes it. The
/// compressed bytes are another representation, so they have an entity tag of their own (RFC 9110 8.8.3). HEAD is
/// answered as it is without: nobody is sent bytes by it.
pub(super) async fn gzip(State(kept): State<Arc<Compressed>>, request: Request, next: Next) -> Response {
    let wanted = takes_gzip(request.headers()) && request.method() != Method::HEAD;
    let known = request.headers().get(IF_NONE_MATCH).cloned();
    let mut response = next.run(request).await;
    let Some(own) = tag_of_gzip(&response) else { return response };
    response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
    if !wanted {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(plain) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    if plain.len() < SHORTEST {
        return Response::from_parts(parts, plain.into());
    }
    // Whoever has it is sent nothing.
    let body = if has(known.as_ref(), &own) { Ok(Bytes::new()) } else { kept.compressed(&own, plain).await };
    let body = match body {
        Ok(body) => body,
        Err(error) => return error.into_response(),
    };
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.insert(ETAG, own);
    Response::from_parts(parts, body.into())
}

/// Whether `Accept-Encoding` names gzip, and not to refuse it (RFC 9110 12.5.3).
fn takes_gzip(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|list| list.to_str().ok());
    let mut codings = lists.flat_map(|list| list.split(','));
    codings.any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let refused = |weight: &str| weight.strip_prefix("q=").and_then(|q| q.parse().ok()) == Some(0.0);
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip")) && !parts.any(refused)
    })
}

/// The entity tag of an answer as gzip; of what is no text, or has no tag, none.
fn tag_of_gzip(response: &Response) -> Option<HeaderValue> {
    const TEXTS: [&str; 5] = ["text/html", "text/css", "text/javascript", "image/svg+xml", "application/xml"];
    let kind = response.headers().get(CONTENT_TYPE)?.to_str().ok()?;
    let tag = response.headers().get(ETAG)?.to_str().ok()?.strip_suffix('"')?;
    TEXTS
        .iter()
        .any(|text| kind.starts_with(text))
        .then(|| HeaderValue::try_from(format!("{tag}-gzip\"")).ok())?
}

/// The bytes as gzip. They depend on the bytes alone: no time and no name stands in the header.
fn squeezed(plain: &[u8]) -> io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 3), Compression::default());
    encoder.write_all(plain)?;
    encoder.finish().map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(list: &str) -> bool {
        takes_gzip(&HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::try_from(list).unwrap())]))
    }

    #[test]
    fn readers_say_what_they_take() {
        for list in ["gzip", "br, gzip", "deflate, GZIP;q=0.5", "gzip ; q=1.0, *;q=0", "identity,gzip"] {
            assert!(takes(list), "{list}");
        }
        for list in ["", "br", "gzip;q=0", "br, gzip; q=0.000", "xgzip", "*", "gzipped"] {
            assert!(!takes(list), "{list}");
        }
    }

    #[test]
    fn what_is_kept_is_bounded_and_what_is_asked_for_stays() {
        let kept = Compressed::default();
        let tag = |n: usize| HeaderValue::try_from(format!("\"{n}\"")).unwrap();
        for n in 0..1_000 {
            kept.put(tag(n), Bytes::from(vec![0; 50_000]));
            assert!(kept.get(&tag(0)).is_some(), "the one that is asked for went with {n}");
        }
        let all = kept.0.lock().unwrap();
        let held: usize = all.young.values().chain(all.old.values()).map(Bytes::len).sum();
        assert!(held <= CAPACITY, "{held}");
        assert_eq!(all.bytes, all.young.values().map(Bytes::len).sum::<usize>());
    }
}
