//! Every page: its address, what stands in front of it, and who answers. One file an area.

use axum::routing::MethodRouter;

use crate::app::App;

mod catalogue;

/// What stands in front of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// Nothing: it says nothing about what is here.
    Open,
    /// Who may read; kept until the registry changes, for half a minute at most: a page also says whether the disk
    /// is full.
    Kept,
    /// Who may read; made anew each time.
    Fresh,
}

/// An address, what is in front of it, the keys of its query, and who answers.
pub(super) type Route = (&'static str, Before, Keys, fn() -> MethodRouter<App>);

/// The keys of a query.
pub(super) type Keys = &'static [&'static str];

const AREAS: &[&[Route]] = &[catalogue::ROUTES];

/// Every page.
pub(super) fn routes() -> impl Iterator<Item = &'static Route> {
    AREAS.iter().copied().flatten()
}
