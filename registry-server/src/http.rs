//! The registry's HTTP face: one file per route, all of them in `table.rs`.

pub(crate) mod access;
pub(crate) mod cache;
mod cli;
mod client;
mod cors;
pub(crate) mod counted;
pub(crate) mod cursor;
pub(crate) mod event_cache;
pub(crate) mod extract;
pub(crate) mod gate;
mod keys;
mod linger;
mod registry;
mod router;
mod sniff;
mod table;
pub(crate) mod upload;
pub(crate) mod v1;

pub(crate) use cors::cors;
pub(crate) use router::router;
pub(crate) use sniff::nosniff;
pub use table::{OnPath, Row, Shown, rows};
