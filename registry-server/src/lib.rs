//! The registry: stores versioned skills with signed statements about them, and serves them.
//!
//! [`App::build`] makes a registry of a [`Config`]; the program `skill-registry` binds it to a
//! socket, and tests call its router without one. Time and chance come in as arguments.

pub mod accounts;
pub mod admin;
pub mod app;
pub mod auth;
pub mod backup;
pub mod blob;
pub mod change;
pub mod clock;
pub mod config;
pub mod connections;
pub mod data;
pub mod disk;
pub mod downloads;
pub mod entropy;
pub mod fsck;
pub mod gc;
pub mod health;
pub mod http;
mod jobs;
pub mod lifecycle;
mod mac;
mod metrics;
pub mod moderation;
pub mod names;
pub mod network;
mod nul;
pub mod outbound;
pub mod problem;
pub mod publish;
pub mod pulse;
pub mod rate;
pub mod reading;
pub mod remote;
pub mod sealed;
pub mod search;
mod signing;
mod skill_md;
pub mod star;
pub mod store;
pub mod telemetry;
pub mod web;
pub mod webhooks;
pub mod works;

pub use app::App;
pub use clock::Clock;
pub use config::Config;
pub use entropy::Entropy;
