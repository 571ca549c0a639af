use std::sync::Arc;

use reqwest::Method;
use reqwest::header::{HeaderName, WWW_AUTHENTICATE};
use serde::de::DeserializeOwned;
use skill_core::api::Problem;
use url::Url;

use super::send::{Answer, Call, Content, shown};
use super::{Client, ClientError, Endpoint, Token, retry};

/// What the plain text of a 401 says of a token whose time is over.
const EXPIRED: &str = "Unauthorized: expired token";
const DISABLED: &str = "Unauthorized: account disabled";

/// Longest JSON document that is read.
const JSON_CAP: u64 = 4 << 20;

/// Calls to one registry. Without a token until its identity was compared; only
/// [`crate::registry`] gives it one.
#[derive(Clone)]
pub struct Session {
    client: Arc<Client>,
    endpoint: Endpoint,
    token: Option<Token>,
    plain_http: bool,
}

impl Session {
    /// A session without a token.
    pub const fn new(client: Arc<Client>, endpoint: Endpoint) -> Self {
        Self { client, endpoint, token: None, plain_http: false }
    }

    /// Lets `http` go to another machine: the registry there is pinned by its id, and what it
    /// serves is checked against that.
    #[must_use]
    pub const fn pinned(mut self) -> Self {
        self.plain_http = true;
        self
    }

    /// Sends `token` from now on. To be called once the registry has shown the pinned root.
    #[must_use]
    pub fn with_token(mut self, token: Option<Token>) -> Self {
        self.token = token;
        self
    }

    /// Where the registry is reached.
    pub const fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// The token that calls carry.
    pub const fn token(&self) -> Option<&Token> {
        self.token.as_ref()
    }

    /// The network.
    pub const fn client(&self) -> &Arc<Client> {
        &self.client
    }

    /// A call that reads.
    pub(super) fn read(&self, url: Url, accept: &'static str, cap: u64) -> Call<'_> {
        Call {
            method: Method::GET,
            url,
            token: self.token.as_ref(),
            plain_http: self.plain_http,
            accept,
            headers: Vec::new(),
            content: Content::Nothing,
            idempotent: true,
            cap,
            save_to: None,
            arrived: None,
        }
    }

    /// A call that changes something. Each of them says at its place why it may arrive twice.
    pub(super) fn change(&self, method: Method, url: Url, content: Content) -> Call<'_> {
        Call { method, content, ..self.read(url, "application/json", JSON_CAP) }
    }

    pub(super) async fn send(&self, call: &Call<'_>) -> Result<Answer, ClientError> {
        self.client.call(call).await
    }

    /// Reads a JSON document of one of our routes or of `/api/v1`.
    pub(super) async fn json<T: DeserializeOwned>(&self, url: Url) -> Result<T, ClientError> {
        let answer = self.send(&self.read(url, "application/json", JSON_CAP)).await?;
        parsed(&self.good(answer)?)
    }

    /// Lets a 2xx pass.
    pub(super) fn good(&self, answer: Answer) -> Result<Answer, ClientError> {
        if (200..300).contains(&answer.status) { Ok(answer) } else { Err(self.refusal(&answer)) }
    }

    /// What an answer that is not a success means, whatever was asked.
    pub(super) fn refusal(&self, answer: &Answer) -> ClientError {
        let origin = self.endpoint.origin().to_string();
        let problem = problem(answer);
        let is = |code: &str| problem.code == code;
        match answer.status {
            401 => match &self.token {
                None => ClientError::LoginNeeded { origin },
                Some(_) if is("account-disabled") || problem.title == DISABLED => {
                    ClientError::AccountDisabled { origin }
                }
                Some(token) => ClientError::TokenRejected {
                    origin,
                    found_in: token.found_in().to_owned(),
                    // The routes of the contract say it in their plain text.
                    expired: is("token-expired") || problem.title == EXPIRED,
                },
            },
            429 => ClientError::RateLimited {
                origin,
                wait: retry::retry_after(&answer.headers),
                limit: header(answer, &HeaderName::from_static("ratelimit-limit"))
                    .and_then(|limit| limit.parse().ok()),
                with_token: self.token.is_some(),
            },
            507 => ClientError::ReadOnly { origin },
            503 if is("registry-read-only") => ClientError::ReadOnly { origin },
            status if status >= 500 => ClientError::Server {
                origin,
                status,
                request_id: header(answer, &HeaderName::from_static("x-request-id")),
            },
            status if status < 400 => {
                ClientError::Strange { url: shown(&answer.url), why: format!("status {status}") }
            }
            _ => ClientError::Refused(Box::new(problem)),
        }
    }
}

/// The JSON document that an answer holds.
pub(super) fn parsed<T: DeserializeOwned>(answer: &Answer) -> Result<T, ClientError> {
    serde_json::from_slice(&answer.body)
        .map_err(|error| ClientError::Strange { url: shown(&answer.url), why: error.to_string() })
}

pub(super) fn header(answer: &Answer, name: &HeaderName) -> Option<String> {
    answer.headers.get(name)?.to_str().ok().map(str::to_owned)
}

/// The problem document of an answer; the contract's plain text becomes the title of one.
pub(super) fn problem(answer: &Answer) -> Problem {
    serde_json::from_slice(&answer.body).unwrap_or_else(|_| {
        let text = String::from_utf8_lossy(&answer.body);
        let text = text.lines().next().unwrap_or_default().trim();
        let text: String = text.chars().take(300).collect();
        let title = if text.is_empty() { format!("status {}", answer.status) } else { text };
        let challenged = answer.headers.contains_key(WWW_AUTHENTICATE);
        let code = match answer.status {
            403 if challenged => "scope-missing",
            // What the contract says of a closed release it says by the status (contract 1.6 and 4).
            403 if title.starts_with("Blocked") => "release-quarantined",
            410 if title.contains("taken down") => "release-taken-down",
            410 => "release-gone",
            423 => "release-pending",
            426 => "client-too-old",
            _ => "registry-error",
        };
        Problem::new(answer.status, code, title)
    })
}
