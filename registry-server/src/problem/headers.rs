use http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use super::ApiError;
use crate::rate::RateLimited;

impl ApiError {
    /// Adds what an answer says beside its status and body, whichever face or page it has.
    pub(crate) fn add_headers(&self, headers: &mut HeaderMap) {
        if let Some(seconds) = self.retry_after() {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status() == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Self::RateLimited(limited) = self {
            headers.extend(of_limit(limited));
        }
    }
}

/// The headers of the ClawHub contract (0, "Rate limits"): `X-RateLimit-Reset` is a time in seconds since 1970,
/// `RateLimit-Reset` seconds from now. They are on no other answer, as its client prints them with every error.
fn of_limit(limited: &RateLimited) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    let (limit, none) = (HeaderValue::from(limited.limit), HeaderValue::from(0));
    [
        ("x-ratelimit-limit", limit.clone()),
        ("x-ratelimit-remaining", none.clone()),
        ("x-ratelimit-reset", HeaderValue::from(limited.reset)),
        ("ratelimit-limit", limit),
        ("ratelimit-remaining", none),
        ("ratelimit-reset", HeaderValue::from(limited.wait)),
    ]
    .into_iter()
    .map(|(name, value)| (HeaderName::from_static(name), value))
}
