use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An error of the registry's own routes: `application/problem+json` (RFC 9457).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// `urn:skill-registry:problem:` and the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// The HTTP status again.
    pub status: u16,
    /// Stable kebab-case code.
    pub code: String,
    /// What happened, as one sentence without a period.
    pub title: String,
    /// Why, if there is more to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Keys of the code: `next`, `limit`, `findings`, `candidates`, `requestId` …
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Problem {
    /// A problem of `code` with a `title` and nothing more.
    pub fn new(status: u16, code: &str, title: impl Into<String>) -> Self {
        Self {
            kind: format!("urn:skill-registry:problem:{code}"),
            status,
            code: code.to_owned(),
            title: title.into(),
            detail: None,
            extra: Map::new(),
        }
    }

    /// Adds one key of the code.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(key.to_owned(), value.into());
        self
    }
}
