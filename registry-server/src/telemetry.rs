//! Logs: one line per request, text or JSON, each with the request's id. No token, no body, no query.

use std::borrow::Cow;
use std::io;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderName, HeaderValue};
use tracing::Instrument as _;
use tracing_subscriber::EnvFilter;

use crate::config::{Log, LogFormat};
use crate::entropy::Entropy;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// A longer id from outside is replaced.
const LONGEST: usize = 64;

/// The id under which a request stands in the log and in the errors that were sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id that a proxy or client gave, if it is harmless in a log.
    fn given(request: &Request) -> Option<Self> {
        let text = request.headers().get(HEADER)?.to_str().ok()?;
        let harmless = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
        (harmless && (1..=LONGEST).contains(&text.len())).then(|| Self(text.to_owned()))
    }
}

/// A text in which of every token, link and session only the first characters stand, as in lists of tokens.
pub(crate) fn without_secrets(text: &str) -> Cow<'_, str> {
    ["skr_", "skl_", "sks_"].into_iter().fold(Cow::Borrowed(text), |text, prefix| {
        if text.contains(prefix) { Cow::Owned(cut(&text, prefix)) } else { text }
    })
}

fn cut(text: &str, prefix: &str) -> String {
    const SHOWN: usize = 8;
    let mut parts = text.split(prefix);
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        let kept = digits.min(SHOWN);
        let dots = if digits > kept { "…" } else { "" };
        shown.extend([prefix, &part[..kept], dots, &part[digits..]]);
    }
    shown
}

/// The outermost layer: gives the request its id, and logs how it ended.
pub async fn trace(mut request: Request, next: Next) -> Response {
    let id =
        RequestId::given(&request).unwrap_or_else(|| RequestId(Entropy::System.id().unwrap_or_default()));
    request.extensions_mut().insert(id.clone());
    let span = tracing::info_span!(
        "request",
        id = id.as_str(),
        method = %request.method(),
        path = &*without_secrets(request.uri().path()),
    );
    let started = tokio::time::Instant::now();
    async move {
        let mut response = next.run(request).await;
        let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::info!(status = response.status().as_u16(), ms, "answered");
        if let Ok(value) = HeaderValue::from_str(id.as_str()) {
            response.headers_mut().insert(HEADER, value);
        }
        response
    }
    .instrument(span)
    .await
}

/// A level or filter that the log does not understand.
#[derive(Debug, thiserror::Error)]
#[error("log.level `{text}` is not off, error, warn, info, debug, trace or a list of target=level")]
pub struct LevelError {
    /// What was read.
    pub text: String,
}

/// Sends the log to standard error from now on. A second call in one process changes nothing.
pub fn start(log: &Log) -> Result<(), LevelError> {
    let filter = EnvFilter::try_new(&log.level).map_err(|_| LevelError { text: log.level.clone() })?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let started = match log.format {
        LogFormat::Text => lines.with_ansi(false).try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
    if started.is_err() {
        tracing::debug!("the log was started before");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_secret_only_its_beginning_is_said() {
        let token = format!("skr_{}", "0123456789".repeat(7));
        let path = format!("/api/registry/v1/tokens/{token}/x{token}");
        assert_eq!(without_secrets(&path), "/api/registry/v1/tokens/skr_01234567…/xskr_01234567…");
        let link = token.replace("skr_", "skl_");
        assert_eq!(without_secrets(&format!("/sign-in/link/{link}")), "/sign-in/link/skl_01234567…");
        for other in ["/api/v1/skills", "/a/skr_0123", "skr_", "/skr_/skr_äöü"] {
            assert_eq!(without_secrets(other), other);
        }
    }
}
