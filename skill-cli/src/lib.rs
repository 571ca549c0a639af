//! `skill`: a package manager for agent skills.
//!
//! The library never prints, and reads neither the environment nor the clock: facts come in as
//! [`context::World`], answers go out as [`report::Report`] or [`failure::Failure`], and the
//! [`screen::Screen`] that the program hands in is the only writer.

pub mod args;
pub mod cache;
pub mod client;
pub mod code;
pub mod commands;
pub mod config;
pub mod connection;
pub mod context;
pub mod credentials;
pub mod failure;
pub mod files;
pub mod install;
pub mod naming;
pub mod packing;
pub mod policy;
pub mod registry;
pub mod releases;
pub mod report;
mod sarif;
pub mod screen;
mod sources;
pub mod text;
pub mod verify;
pub mod workdir;

#[cfg(test)]
mod docs;
mod parallel;
mod question;
mod run;
#[cfg(test)]
mod sandbox;
pub use run::run;
