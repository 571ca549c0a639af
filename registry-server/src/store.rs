//! The registry's memory: one file per table, its row type beside its queries.
//!
//! The same queries run on SQLite and on Postgres (docs/ARCHITECTURE.md, "State"). What differs is in `dialect.rs`.
//! Queries take a connection; who opens it decides what they may do:
//!
//! - [`Db::read`] gives a connection to read from,
//! - [`Db::write`] a [`WriteTx`], which can only be committed with the event that readers will see,
//! - [`Db::quiet`] a [`QuietTx`] for what no reader sees: token use, counts, job claims, audit.

pub mod aliases;
pub mod appeals;
pub mod audit;
pub mod catalogue;
pub mod contents;
mod db;
pub mod device_codes;
mod dialect;
pub mod downloads;
mod error;
pub mod events;
pub mod facets;
pub mod files;
pub mod fingerprints;
pub mod grants;
pub mod guesses;
pub mod head;
pub mod holds;
pub mod invitations;
pub mod jobs;
pub mod leftovers;
pub mod lines;
pub mod links;
pub mod log;
pub mod members;
pub mod meta;
pub mod news;
pub mod passwords;
pub mod proposals;
pub mod publishers;
pub mod queue;
pub mod readings;
pub mod releases;
pub mod reports;
pub mod requirements;
pub mod restrictions;
pub mod roots;
mod row;
pub mod sessions;
pub mod skills;
pub mod slug_holds;
pub mod slugs;
pub mod stars;
pub mod tables;
pub mod tags;
pub mod tickets;
pub mod tokens;
mod tx;
pub mod users;
mod waits;
pub mod webhooks;

pub use db::{Db, Location, OpenError, file_in, schema};
pub use dialect::Engine;
pub use error::StoreError;
pub use sqlx::AnyConnection as Conn;
pub use tx::{Committed, QuietTx, WriteTx, Writing};
pub use waits::Pool;
