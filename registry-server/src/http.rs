//! The registry's HTTP face: one file per route, all of them in `router.rs`'s table.

mod access;
pub(crate) mod cache;
mod cors;
mod extract;
mod linger;
mod registry;
mod router;
pub(crate) mod upload;
pub(crate) mod v1;

pub(crate) use cors::cors;
pub(crate) use router::router;
