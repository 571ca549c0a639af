//! `/api/v1`: the shapes, texts and headers that stock clients rely on, route by route.

mod cors;
mod detail;
mod download;
mod file;
mod list;
mod manage;
mod private;
mod resolve;
mod search;
mod states;
mod versions;
mod whoami;
