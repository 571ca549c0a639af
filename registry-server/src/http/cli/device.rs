use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use http::header::{CACHE_CONTROL, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::device::{self, AskedCodes, DeviceError, Given, NewAsk};
use crate::app::App;
use crate::auth::{Scope, Scopes};
use crate::http::extract::short_body;
use crate::nul;
use crate::problem::ApiError;
use crate::remote::Remote;

/// The only grant there is (RFC 8628 3.4).
const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";
/// Longer lists of scopes are none.
const SCOPE_BYTES: usize = 200;

#[derive(Debug, Deserialize)]
struct CodeRequest {
    #[serde(default)]
    scope: String,
    #[serde(default)]
    label: String,
}

#[derive(Debug, Deserialize)]
struct TokenRequest {
    device_code: String,
    grant_type: String,
}

/// Codes for a program and its user.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Codes {
    /// 64 hexadecimal digits, to poll with.
    device_code: String,
    /// `XXXX-XXXX`, for the person.
    user_code: String,
    /// The page on which it is typed.
    verification_uri: String,
    /// Seconds.
    expires_in: u64,
    /// Seconds between two polls.
    interval: u64,
}

/// A token.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Granted {
    /// Its text.
    access_token: String,
    /// `bearer`.
    token_type: &'static str,
    /// Words with blanks between.
    scope: String,
}

/// Why there is none.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Refusal {
    /// A word of RFC 8628 3.5 or RFC 6749 5.2.
    error: &'static str,
    /// The same for people.
    error_description: String,
    /// Seconds between two polls from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<u64>,
}

/// Begins a login by device: two codes, of which a person types one on a page.
#[utoipa::path(
    post,
    path = "/api/cli/device/code",
    tag = "clawhub",
    request_body(content_type = "application/json", description = "`scope` (words with blanks between), `label`"),
    responses((status = 200, body = Codes), (status = "4XX", body = Refusal)),
)]
pub(crate) async fn code(
    State(app): State<App>,
    remote: Option<Extension<Remote>>,
    request: Request,
) -> Response {
    let address = remote.and_then(|Extension(remote)| remote.address);
    let codes = async {
        let wanted: CodeRequest = read(request).await?;
        app.disk().room()?;
        let new = NewAsk { label: wanted.label, scopes: scopes(&wanted.scope)?, address };
        device::ask(&app, new).await
    };
    answered(codes.await.map(|AskedCodes { device_code, user_code, life, every }| Codes {
        device_code,
        user_code: user_code.to_string(),
        verification_uri: format!("{}/cli/device", app.base_url()),
        expires_in: life.as_secs(),
        interval: every.as_secs(),
    }))
}

/// Asks whether the person has approved it: the token, once, or why there is none.
#[utoipa::path(
    post,
    path = "/api/cli/device/token",
    tag = "clawhub",
    request_body(content_type = "application/json", description = "`device_code`, `grant_type`"),
    responses(
        (status = 200, body = Granted),
        (status = 428, body = Refusal, description = "`authorization_pending`"),
        (status = "4XX", body = Refusal),
    ),
)]
pub(crate) async fn token(State(app): State<App>, request: Request) -> Response {
    let given = async {
        let wanted: TokenRequest = read(request).await?;
        if wanted.grant_type != GRANT {
            return Err(DeviceError::Grant);
        }
        app.disk().room()?;
        device::take(&app, &wanted.device_code).await
    };
    answered(given.await.map(|Given { token, scopes }| Granted {
        access_token: token.reveal().to_owned(),
        token_type: "bearer",
        scope: scopes.to_string().replace(',', " "),
    }))
}

async fn read<T: DeserializeOwned>(request: Request) -> Result<T, DeviceError> {
    let body = short_body(request).await.map_err(|error| DeviceError::Request { why: error.to_string() })?;
    // Else a list would be taken for the keys in their order.
    if body.trim_ascii_start().starts_with(b"[") {
        return Err(DeviceError::Request { why: "the body is a list, and should be an object".to_owned() });
    }
    let read = serde_json::from_slice(&body);
    let read =
        read.map_err(|error| DeviceError::Request { why: format!("the body is not that: {error}") })?;
    if nul::is_in_json(&body) {
        return Err(DeviceError::Request { why: "the body holds the character U+0000".to_owned() });
    }
    Ok(read)
}

/// Scopes by our words and by those of stock clients; none: what a token gets that names none.
fn scopes(text: &str) -> Result<Scopes, DeviceError> {
    if text.len() > SCOPE_BYTES {
        return Err(DeviceError::Scope);
    }
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    let read = |word: &str| if word == "write" { Ok(Scope::Publish) } else { word.parse() };
    let scopes = words.map(read).collect::<Result<Vec<Scope>, _>>().map_err(|_| DeviceError::Scope)?;
    Ok(if scopes.is_empty() { Scopes::default() } else { Scopes::of(scopes) })
}

fn answered<T: Serialize>(result: Result<T, DeviceError>) -> Response {
    let mut response = match result {
        Ok(answer) => Json(answer).into_response(),
        Err(error) => refused(&error),
    };
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn refused(error: &DeviceError) -> Response {
    let mut interval = None;
    let (status, word) = match error {
        DeviceError::Request { .. } => (StatusCode::BAD_REQUEST, "invalid_request"),
        DeviceError::Scope => (StatusCode::BAD_REQUEST, "invalid_scope"),
        DeviceError::Grant => (StatusCode::BAD_REQUEST, "unsupported_grant_type"),
        DeviceError::Insecure => (StatusCode::CONFLICT, "session_insecure"),
        DeviceError::Many { .. } => (StatusCode::TOO_MANY_REQUESTS, "too_many_requests"),
        DeviceError::TokensMany { .. } => (StatusCode::CONFLICT, "too_many_tokens"),
        DeviceError::Pending => (StatusCode::PRECONDITION_REQUIRED, "authorization_pending"),
        DeviceError::Early { every } => {
            interval = Some(every.as_secs());
            (StatusCode::BAD_REQUEST, "slow_down")
        }
        DeviceError::Over => (StatusCode::BAD_REQUEST, "expired_token"),
        DeviceError::Denied => (StatusCode::BAD_REQUEST, "access_denied"),
        DeviceError::Access(error) => return unable(error),
    };
    (status, Json(Refusal { error: word, error_description: error.to_string(), interval })).into_response()
}

/// What goes wrong in every route, in the form of this one.
fn unable(error: &ApiError) -> Response {
    if let ApiError::Internal(cause) = error {
        tracing::error!(cause = cause.as_ref() as &(dyn std::error::Error + 'static), "internal error");
    }
    let refusal = Refusal { error: "server_error", error_description: error.to_string(), interval: None };
    let mut response = (error.status(), Json(refusal)).into_response();
    response.headers_mut().extend(error.retry_after().map(|wait| (RETRY_AFTER, HeaderValue::from(wait))));
    response
}
