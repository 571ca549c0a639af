//! The store, on SQLite and on Postgres.

mod accounts;
mod audit;
mod counts;
mod jobs;
mod lifecycle;
mod order;
mod releases;
mod schema;
mod tickets;
mod tokens;
