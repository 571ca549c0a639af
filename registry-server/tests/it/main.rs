//! The registry as it is used: its store on both engines, its first start, its settings, its command
//! line, its routes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::format_push_string,
    reason = "a test that cannot go on fails, and says what it leaves out"
)]

#[macro_use]
mod support;

mod accounts;
mod admin;
mod auth;
mod authorisation;
mod backup;
mod blobs;
mod changes;
mod config;
mod connections;
mod disk_full;
mod first_start;
mod fsck;
mod gc;
mod in_flight;
mod index;
mod metrics;
mod moderation;
mod numbers;
mod outbound;
mod problem;
mod publish;
mod rates;
mod reading;
mod routes;
mod serve;
mod sign_in;
mod store;
mod v1;
mod web;
mod webhooks;
mod well_known;
