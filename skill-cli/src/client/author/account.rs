//! Whose token it is, for whom it acts, and other tokens.

use jiff::Timestamp;
use reqwest::Method;
use serde::Deserialize;
use skill_core::api::{NewTokenRequest, SignInLink, TokenLine, TokenMade, TokenPage, TokensRevoked};
use skill_core::name::Owner;
use skill_core::token::TokenText;
use url::Url;

use super::to_json;
use crate::client::send::{Call, Content};
use crate::client::session::parsed;
use crate::client::{ClientError, Session};

/// Whose token it is and what it may do.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// The account.
    pub user: String,
    /// The publishers that it may publish for.
    #[serde(default)]
    pub publishers: Vec<Membership>,
    /// What the token may do.
    #[serde(default)]
    pub scopes: Vec<String>,
    /// When the token ends.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
}

/// A publisher that an account belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Membership {
    /// The publisher.
    pub owner: Owner,
    /// What the account is there.
    pub role: String,
}

impl Session {
    /// Whose token this session carries.
    pub async fn whoami(&self) -> Result<Identity, ClientError> {
        self.json(self.own(&["whoami"])).await
    }

    /// Makes a token. Sent once: a token whose text never arrived is no use, and a second one is worse.
    pub async fn make_token(&self, request: &NewTokenRequest) -> Result<TokenMade, ClientError> {
        let content = Content::Json(to_json(request)?);
        let url = self.own(&["tokens"]);
        let call = Call { idempotent: false, ..self.change(Method::POST, url, content) };
        let answer = self.send(&call).await?;
        let made: TokenMade = parsed(&self.good(answer)?)?;
        // It is printed as it is.
        made.token.parse::<TokenText>().map_err(|error| ClientError::Strange {
            url: call.url.to_string(),
            why: format!("the token that came is none: {error}"),
        })?;
        Ok(made)
    }

    /// A link that signs a browser in. Sent once: one that never arrived is no use.
    pub async fn sign_in_link(&self) -> Result<SignInLink, ClientError> {
        let call = Call {
            idempotent: false,
            ..self.change(Method::POST, self.own(&["sign-in-links"]), Content::Nothing)
        };
        let answer = self.send(&call).await?;
        let link: SignInLink = parsed(&self.good(answer)?)?;
        // It is printed as it is, and opened by a person.
        if !leads_to_a_page(&link.url) {
            let why = "the link that came leads to no page".to_owned();
            return Err(ClientError::Strange { url: call.url.to_string(), why });
        }
        Ok(link)
    }

    /// The own tokens that are not revoked, newest first.
    pub async fn tokens(&self) -> Result<Vec<TokenLine>, ClientError> {
        let mut all = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let mut url = self.own(&["tokens"]);
            url.query_pairs_mut().append_pair("limit", "200").extend_pairs(cursor.map(|at| ("cursor", at)));
            let page: TokenPage = self.json(url).await?;
            let is_empty = page.tokens.is_empty();
            all.extend(page.tokens);
            cursor = page.next_cursor;
            if cursor.is_none() || is_empty {
                return Ok(all);
            }
        }
    }

    /// Refuses a token from now on, however often it arrives. Of its text, which may still be good, only the prefix is
    /// sent: a path is written into logs.
    pub async fn revoke_token(&self, named: &str) -> Result<TokensRevoked, ClientError> {
        let text = named.parse::<TokenText>().ok();
        let id_or_prefix = text.as_ref().map_or(named, TokenText::prefix);
        let call = self.change(Method::DELETE, self.own(&["tokens", id_or_prefix]), Content::Nothing);
        parsed(&self.good(self.send(&call).await?)?)
    }
}

/// Whether a text that a registry sent is the address of a page, and nothing else on the screen.
pub(super) fn leads_to_a_page(text: &str) -> bool {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    is_plain && Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}
