//! `/api/v1`: the ClawHub contract, for stock clients; one file per route.

pub(crate) mod answer;
pub(super) mod detail;
pub(crate) mod download;
pub(super) mod envelope;
pub(super) mod file;
mod find;
pub(super) mod list;
pub(super) mod manage;
pub(super) mod moderation;
pub(super) mod openapi;
pub(super) mod publishers;
pub(super) mod report;
pub(super) mod reports;
pub(super) mod resolve;
pub(crate) mod search;
pub(super) mod stars;
pub(super) mod version;
pub(super) mod versions;
pub(super) mod whoami;
pub(crate) mod wire;
