//! The catalogue: pages for people, made on the server and complete without a script.
//!
//! One file a page. A handler reads through the store, makes a view (a struct of texts and numbers), and a template
//! of `web/templates` prints it; no decision is made in a template. `text` says how what others wrote becomes
//! harmless, `markdown` does it for `SKILL.md`, `headers` tells browsers to refuse whatever slipped through.

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get};
use http::Method;

use crate::app::App;
use crate::http::{access, cache};
use crate::problem::ApiError;

mod assets;
mod badge;
mod browse;
mod diff;
mod failure;
mod files;
mod headers;
mod home;
mod markdown;
mod near;
mod page;
mod publisher;
mod robots;
mod row;
mod search;
mod security;
mod sitemap;
mod skill;
mod templates;
mod text;
mod words;

pub(crate) use failure::nothing_here;
pub use sitemap::Sitemap;

/// What stands in front of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing: it says nothing about what is here.
    Open,
    /// Who may read; kept until the registry changes, for half a minute at most: a page also says whether the disk
    /// is full.
    Kept,
    /// Who may read; made anew each time.
    Fresh,
}

/// An address, what is in front of it, the keys of its query, and who answers.
type Route = (&'static str, Before, Keys, fn() -> MethodRouter<App>);

type Keys = &'static [&'static str];

const FILTERS: Keys = &["os", "owner", "page", "secrets", "sort", "verdict"];
const COMPARED: Keys = &["from", "path", "to", "view", "w"];

const ROUTES: &[Route] = &[
    ("/static/{file}", Before::Open, &[], || get(assets::asset)),
    ("/robots.txt", Before::Open, &[], || get(robots::robots)),
    ("/sitemap.xml", Before::Kept, &["page"], || get(robots::sitemap)),
    ("/", Before::Kept, &[], || get(home::home)),
    ("/skills", Before::Kept, FILTERS, || get(browse::browse)),
    ("/search", Before::Fresh, &["q"], || get(search::search)),
    ("/{owner}", Before::Kept, &["page", "sort"], || get(publisher::publisher)),
    ("/{owner}/skills/{slug}", Before::Kept, &[], || get(skill::readme)),
    ("/{owner}/skills/{slug}/versions", Before::Kept, &["page"], || get(skill::versions)),
    ("/{owner}/skills/{slug}/versions/{version}", Before::Kept, &[], || get(skill::readme)),
    ("/{owner}/skills/{slug}/files", Before::Kept, &["page", "path", "version"], || get(files::files)),
    ("/{owner}/skills/{slug}/diff", Before::Kept, COMPARED, || get(diff::diff)),
    ("/{owner}/skills/{slug}/security", Before::Kept, &["version"], || get(security::security)),
];

/// The addresses of all pages, as templates of paths.
pub fn paths() -> impl Iterator<Item = &'static str> {
    ROUTES.iter().map(|(path, ..)| *path)
}

/// The keys that each page reads of a query.
pub(crate) fn keys() -> impl Iterator<Item = (&'static str, Keys)> {
    ROUTES.iter().map(|(path, _, keys, _)| (*path, *keys))
}

/// The pages, with all that stands in front of them.
pub(crate) fn router(app: &App) -> Router<App> {
    let with = |before| {
        let mut router = Router::new();
        for (path, .., handler) in ROUTES.iter().filter(|(_, wanted, ..)| *wanted == before) {
            router = router.route(path, handler());
        }
        router
    };
    let kept = with(Before::Kept).route_layer(from_fn_with_state(app.clone(), cache::serve_counted));
    let gated = kept.merge(with(Before::Fresh)).route_layer(from_fn_with_state(app.clone(), access::gate));
    let pages = gated.merge(with(Before::Open));
    // Layers, not layers of routes: an answer to a method that a page does not take is a page too.
    pages
        .method_not_allowed_fallback(async |method: Method| ApiError::MethodNotAllowed {
            method: method.to_string(),
        })
        .layer(from_fn_with_state(app.clone(), failure::pages))
        .layer(from_fn_with_state(app.clone(), headers::harden))
}
