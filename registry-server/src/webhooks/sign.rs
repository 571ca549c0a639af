use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue};
use jiff::Timestamp;
use skill_core::digest::Sha256;

use crate::mac;
use crate::problem::ApiError;

/// Headers of what is sent.
#[derive(Debug, Clone, Copy)]
pub struct Header;

impl Header {
    /// `t=SECONDS,v1=HEX`: HMAC-SHA-256 under the secret over the seconds since 1970, a point and the body.
    pub const SIGNATURE: HeaderName = HeaderName::from_static("skill-signature");
    /// The same for each attempt.
    pub const DELIVERY: HeaderName = HeaderName::from_static("skill-delivery");
    /// What it tells.
    pub const EVENT: HeaderName = HeaderName::from_static("skill-event");
}

/// The headers of one attempt. The time is signed with the body, so that nobody can send it again later.
pub fn headers(
    secret: &[u8; 32],
    id: &str,
    kind: &str,
    body: &str,
    at: Timestamp,
) -> Result<HeaderMap, ApiError> {
    let value = |text: &str| HeaderValue::from_str(text).map_err(ApiError::internal);
    let signature = format!("t={},v1={}", at.as_second(), signature(secret, body, at).to_hex());
    Ok([
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (Header::SIGNATURE, value(&signature)?),
        (Header::DELIVERY, value(id)?),
        (Header::EVENT, value(kind)?),
    ]
    .into_iter()
    .collect())
}

fn signature(secret: &[u8; 32], body: &str, at: Timestamp) -> Sha256 {
    mac::of(secret, format!("{}.{body}", at.as_second()))
}
