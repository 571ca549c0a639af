//! What search engines read: where they may go, and what there is.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use skill_core::api::Access;

use super::page::sent;
use super::sitemap::Sitemap;
use crate::app::App;
use crate::http::extract::Query;
use crate::problem::ApiError;

/// Where engines do not go: answers of search, the API, and of a skill what follows from its page. A rule is the
/// beginning of an address in which `*` stands for anything (RFC 9309 2.2.3), so each names as much of the path as
/// keeps it off the skills and publishers whose names begin alike.
const CLOSED: [&str; 7] = [
    "/search$",
    "/search?",
    "/api/",
    "/*/skills/*/diff$",
    "/*/skills/*/diff?",
    "/*/skills/*/files$",
    "/*/skills/*/files?",
];

/// `/robots.txt`. A private registry says only that there is nothing for engines.
pub(super) async fn robots(State(app): State<App>) -> Result<Response, ApiError> {
    let text = match app.config().access.read {
        Access::Token => "User-agent: *\nDisallow: /\n".to_owned(),
        Access::Public => {
            let rules = CLOSED.map(|rule| format!("Disallow: {rule}")).join("\n");
            format!("User-agent: *\n{rules}\n\nSitemap: {}/sitemap.xml\n", app.base_url())
        }
    };
    sent(&app, StatusCode::OK, "text/plain; charset=utf-8", text)
}

/// `/sitemap.xml`, and with `page=` one of the files that it names.
pub(super) async fn sitemap(State(app): State<App>, query: Query) -> Result<Response, ApiError> {
    let number =
        query.text("page").map(|page| page.parse().map_err(|_| ApiError::RouteNotFound)).transpose()?;
    sent(&app, StatusCode::OK, "application/xml", Sitemap::default().file(&app, number).await?)
}
