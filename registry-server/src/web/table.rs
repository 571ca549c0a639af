//! Every page: its address, who may do what there, and who answers. One file an area.

use axum::routing::MethodRouter;

use crate::app::App;
use crate::http::Row;

mod account;
mod catalogue;
mod dashboard;
mod feeds;
mod publishers;
mod settings;

/// A page: one method of one address.
#[derive(Debug)]
pub(super) struct Page {
    /// Its address, and who may do what there.
    pub(super) row: Row,
    /// Whether its answer is the same for everybody, so that it is kept until the registry changes; for half a minute at
    /// most: a page also says whether the disk is full.
    pub(super) is_kept: bool,
    /// The keys of its query.
    pub(super) keys: Keys,
    /// Who answers.
    pub(super) handler: fn() -> MethodRouter<App>,
}

/// The keys of a query.
pub(super) type Keys = &'static [&'static str];

impl Page {
    /// A page that is the same for everybody who may see it.
    const fn kept(row: Row, keys: Keys, handler: fn() -> MethodRouter<App>) -> Self {
        Self { row, is_kept: true, keys, handler }
    }

    /// A page that is made anew each time.
    const fn fresh(row: Row, keys: Keys, handler: fn() -> MethodRouter<App>) -> Self {
        Self { row, is_kept: false, keys, handler }
    }
}

/// Pages for the browser that asks.
pub(super) fn account() -> impl Iterator<Item = &'static Page> {
    account::PAGES.iter().chain(dashboard::PAGES).chain(publishers::PAGES).chain(settings::PAGES)
}

/// Pages that are the same for everybody.
pub(super) fn catalogue() -> impl Iterator<Item = &'static Page> {
    catalogue::PAGES.iter().chain(feeds::PAGES)
}

/// Every page.
pub(super) fn pages() -> impl Iterator<Item = &'static Page> {
    account().chain(catalogue())
}
