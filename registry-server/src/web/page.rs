//! A page: what the frame around it says, and the view in the middle.

use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use http::{HeaderValue, StatusCode};
use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;
use skill_core::api::Access;
use skill_core::digest::Sha256;

use super::address::Address;
use super::{assets, templates};
use crate::app::App;
use crate::http::cache::caching;
use crate::problem::ApiError;

/// What stands around the view of a page.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Frame {
    /// Of the window and of a shared link.
    pub title: String,
    /// One sentence for a shared link.
    pub description: String,
    /// The one address of this content; `None`: none is named.
    pub canonical: Option<Address>,
    /// Whether search engines should leave it out.
    pub hidden_from_engines: bool,
    /// Whether the page is about something with a mark: a shared link to it has no picture.
    pub marked: bool,
    /// What stands in the search field.
    pub question: String,
    /// Whether nothing of the registry can be seen by this reader, so that neither search nor lists lead anywhere.
    pub shut: bool,
    /// A feed of what the page is about.
    pub feed: Option<Address>,
    /// Where in the site the page is: `browse`, one of the settings, or nothing.
    pub place: &'static str,
}

/// What every page says of the registry.
#[derive(Debug, Serialize)]
struct Site {
    name: String,
    base: String,
    id: String,
    short_id: String,
    private: bool,
    read_only: bool,
    root_expires: bool,
}

impl Site {
    fn of(app: &App) -> Self {
        let (base, id) = (app.base_url(), app.registry_id().to_string());
        let name = base.split_once("://").map_or(base.as_str(), |(_, rest)| rest).to_owned();
        let short_id = id.chars().take(12).collect();
        Self {
            name,
            base,
            short_id,
            id,
            private: app.config().access.read == Access::Token,
            read_only: !app.disk().is_writable(),
            root_expires: app.root().is_expiring(app.clock().now()),
        }
    }
}

#[derive(Serialize)]
struct Context<'a, V> {
    site: Site,
    assets: &'static assets::Addresses,
    frame: &'a Frame,
    view: &'a V,
}

/// Fills a template and sends it.
pub(super) fn page<V: Serialize>(
    app: &App,
    status: StatusCode,
    template: &str,
    frame: &Frame,
    view: &V,
) -> Result<Response, ApiError> {
    let context = Context { site: Site::of(app), assets: assets::addresses(), frame, view };
    let html = templates::fill(template, Value::from(Serde(&context))).map_err(ApiError::internal)?;
    sent(app, status, "text/html; charset=utf-8", html)
}

/// A text with what browsers need to keep it: an entity tag, and how long it is good without asking again.
pub(super) fn sent(
    app: &App,
    status: StatusCode,
    kind: &'static str,
    text: String,
) -> Result<Response, ApiError> {
    let tag = format!("\"{}\"", &Sha256::of(&text).to_hex()[..32]);
    let mut response = (status, text).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, caching(app));
    if status == StatusCode::OK {
        headers.insert(ETAG, HeaderValue::from_str(&tag).map_err(ApiError::internal)?);
    }
    Ok(response)
}
