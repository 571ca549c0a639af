//! A token by way of a browser: the device flow (RFC 8628), whose errors have a form of their own.

use std::time::Duration;

use reqwest::Method;
use serde::{Deserialize, Serialize};
use skill_core::api::Problem;
use skill_core::token::TokenText;

use super::account::leads_to_a_page;
use super::to_json;
use crate::client::send::{Answer, Call, Content};
use crate::client::session::parsed;
use crate::client::{ClientError, Session};

const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeviceRequest {
    /// Scopes, with blanks between.
    pub scope: String,
    /// What asks.
    pub label: String,
}

/// Codes for this program and for the person.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct DeviceCodes {
    /// To poll with.
    pub device_code: String,
    /// To be typed.
    pub user_code: String,
    /// Where it is typed.
    pub verification_uri: String,
    /// Seconds for which both are good.
    pub expires_in: u64,
    /// Seconds between two polls.
    pub interval: u64,
}

/// What a poll gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Polled {
    /// The token.
    Given(TokenText),
    /// Nobody decided yet.
    Pending,
    /// Nobody decided yet, and from now on there is this to wait between two polls, if the registry says.
    SlowDown(Option<Duration>),
    /// A person said no.
    Denied,
    /// It took too long.
    Expired,
}

#[derive(Deserialize)]
struct Access {
    access_token: String,
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
    #[serde(default)]
    error_description: String,
    interval: Option<u64>,
}

impl Session {
    /// Asks for codes. Sent once: those of an answer that is lost end by themselves.
    pub async fn ask_for_codes(&self, request: &DeviceRequest) -> Result<DeviceCodes, ClientError> {
        let answer = self.send(&self.of_device("code", to_json(request)?)).await?;
        if let (400.., Some(refusal)) = (answer.status, refusal(&answer)) {
            return Err(refused(&answer, refusal));
        }
        let codes: DeviceCodes = parsed(&self.good(answer)?)?;
        let url = self.endpoint().to_string();
        // Both are shown to a person.
        let is_plain = codes.user_code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_plain || codes.user_code.is_empty() || !leads_to_a_page(&codes.verification_uri) {
            return Err(ClientError::Strange { url, why: "the codes that came are none".to_owned() });
        }
        Ok(codes)
    }

    /// Asks once whether somebody approved it. Sent once: a token is given once.
    pub async fn poll_for_token(&self, device_code: &str) -> Result<Polled, ClientError> {
        let body = serde_json::json!({ "device_code": device_code, "grant_type": GRANT });
        let answer = self.send(&self.of_device("token", to_json(&body)?)).await?;
        if let (400..500, Some(refusal)) = (answer.status, refusal(&answer)) {
            return match refusal.error.as_str() {
                "authorization_pending" => Ok(Polled::Pending),
                "slow_down" => Ok(Polled::SlowDown(refusal.interval.map(Duration::from_secs))),
                "access_denied" => Ok(Polled::Denied),
                "expired_token" => Ok(Polled::Expired),
                _ => Err(refused(&answer, refusal)),
            };
        }
        let answer = self.good(answer)?;
        let access: Access = parsed(&answer)?;
        access.access_token.parse().map(Polled::Given).map_err(|error| ClientError::Strange {
            url: self.endpoint().to_string(),
            why: format!("the token that came is none: {error}"),
        })
    }

    fn of_device(&self, what: &str, body: Vec<u8>) -> Call<'_> {
        let url = self.endpoint().join(&["api", "cli", "device", what]);
        Call { idempotent: false, ..self.change(Method::POST, url, Content::Json(body)) }
    }
}

fn refusal(answer: &Answer) -> Option<Refusal> {
    serde_json::from_slice(&answer.body).ok()
}

fn refused(answer: &Answer, refusal: Refusal) -> ClientError {
    let code = match refusal.error.as_str() {
        "session_insecure" => "session-insecure",
        _ => "registry-error",
    };
    let title: String = refusal.error_description.chars().take(300).collect();
    let title = if title.is_empty() { refusal.error } else { title };
    ClientError::Refused(Box::new(Problem::new(answer.status, code, title)))
}
