use axum::response::Response;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) async fn read(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Self { status: parts.status, headers: parts.headers, body }
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the body is text")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("the header is text"))
    }

    /// Status, content type and body, for snapshots; JSON is laid out.
    pub(crate) fn shown(&self) -> String {
        let kind = self.header(CONTENT_TYPE.as_str()).unwrap_or("-");
        let body = match serde_json::from_slice::<Value>(&self.body) {
            Ok(value) => format!("{value:#}"),
            Err(_) => self.text().to_owned(),
        };
        format!("{} {kind}\n{body}", self.status.as_u16())
    }
}
