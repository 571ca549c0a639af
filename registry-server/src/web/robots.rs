//! What search engines read: where they may go, and what there is.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use skill_core::api::Access;

use super::sitemap::Sitemap;
use crate::app::App;
use crate::http::extract::Query;
use crate::problem::ApiError;

/// `/robots.txt`. A private registry says only that there is nothing for engines.
pub(super) async fn robots(State(app): State<App>) -> String {
    if app.config().access.read == Access::Token {
        return "User-agent: *\nDisallow: /\n".to_owned();
    }
    let base = app.base_url();
    format!(
        "User-agent: *\nDisallow: /search\nDisallow: /api/\nDisallow: /*/diff\nDisallow: /*/files\n\nSitemap: {base}/sitemap.xml\n"
    )
}

/// `/sitemap.xml`, and with `page=` one of the files that it names.
pub(super) async fn sitemap(State(app): State<App>, query: Query) -> Result<Response, ApiError> {
    let number =
        query.text("page").map(|page| page.parse().map_err(|_| ApiError::RouteNotFound)).transpose()?;
    let mut response = Sitemap::default().file(&app, number).await?.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/xml"));
    Ok(response)
}
