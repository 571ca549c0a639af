//! What search engines read: where they may go, and what there is.

use std::fmt::Write as _;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use skill_core::api::Access;

use crate::app::App;
use crate::problem::ApiError;
use crate::store::catalogue;

/// The most addresses that a sitemap may hold (sitemaps.org, 50,000).
const MOST: u32 = 50_000;

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

/// `/sitemap.xml`: the page of every skill that can be chosen and has no mark, newest change first.
pub(super) async fn sitemap(State(app): State<App>) -> Result<Response, ApiError> {
    let mut conn = app.db().read().await?;
    let names = catalogue::shelf::names(&mut conn, MOST).await?;
    drop(conn);
    let base = app.base_url();
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for (name, updated) in names {
        let day = updated.strftime("%Y-%m-%d");
        let page = super::text::escaped(&format!("{base}/{}/skills/{}", name.owner, name.slug));
        // Writing to a string cannot end in an error.
        let _ = writeln!(xml, "<url><loc>{page}</loc><lastmod>{day}</lastmod></url>");
    }
    xml.push_str("</urlset>\n");
    let mut response = xml.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/xml"));
    Ok(response)
}
