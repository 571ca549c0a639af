//! The registry's HTTP face: one file per route, all of them in `router.rs`'s table.

pub(crate) mod access;
pub(crate) mod cache;
mod cors;
pub(crate) mod event_cache;
pub(crate) mod extract;
mod keys;
mod linger;
mod registry;
mod router;
mod sniff;
pub(crate) mod upload;
pub(crate) mod v1;

pub(crate) use cors::cors;
pub(crate) use router::router;
pub(crate) use sniff::nosniff;
