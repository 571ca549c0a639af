//! Whole commands that need no registry.

mod account;
mod author;
mod config;
mod scan;
mod usage;
