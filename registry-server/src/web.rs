//! The catalogue: pages for people, made on the server and complete without a script.
//!
//! One file a page. A handler reads through the store, makes a view (a struct of texts and numbers), and a template
//! of `web/templates` prints it; no decision is made in a template. `text` says how what others wrote becomes
//! harmless, `markdown` does it for `SKILL.md`, `headers` tells browsers to refuse whatever slipped through; `address`
//! makes every address that a page leads to. What a page does is a form (`form.rs`) that works without a script.

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use http::Method;

use self::gzip::Compressed;
use crate::app::App;
use crate::http::{Row, cache, gate};
use crate::nul;

mod account;
mod address;
mod assets;
mod back;
mod badge;
mod browse;
mod dashboard;
mod diff;
mod failure;
mod feed;
mod files;
mod form;
mod gzip;
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
mod settings;
mod shield;
mod sitemap;
mod skill;
mod table;
mod templates;
mod text;
mod who;
mod words;

pub(crate) use failure::nothing_here;
pub use sitemap::Sitemap;
use table::Keys;

/// The addresses of the catalogue, as templates of paths: pages that are the same for everybody.
pub fn paths() -> impl Iterator<Item = &'static str> {
    table::catalogue().map(|page| page.row.path)
}

/// The addresses of pages and forms for the browser that asks.
pub fn account_paths() -> impl Iterator<Item = (&'static Method, &'static str)> {
    table::account().map(|page| (&page.row.method, page.row.path))
}

/// The keys that each page reads of a query.
pub(crate) fn keys() -> impl Iterator<Item = (&'static str, Keys)> {
    table::pages().map(|page| (page.row.path, page.keys))
}

/// Who may do what at the pages.
pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    table::pages().map(|page| &page.row)
}

/// The pages, with all that stands in front of them.
pub(crate) fn router(app: &App) -> Router<App> {
    let with = |is_kept| {
        let mut router = Router::new();
        for page in table::pages().filter(|page| page.is_kept == is_kept) {
            router = router.route(page.row.path, (page.handler)());
        }
        router
    };
    let kept = with(true).route_layer(from_fn_with_state(app.clone(), cache::serve_counted));
    let pages = kept.merge(with(false)).route_layer(from_fn_with_state(app.clone(), gate::gate));
    // Around the gate: what it refuses is a page too.
    pages
        .layer(from_fn(nul::refuse_in_address))
        .layer(from_fn_with_state(app.clone(), failure::pages))
        .layer(from_fn_with_state(app.clone(), who::named))
        .layer(from_fn_with_state(app.clone(), headers::harden))
        .layer(from_fn_with_state(Arc::new(Compressed::default()), gzip::gzip))
}
