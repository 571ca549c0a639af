//! Journeys across both programs: the real `skill` against the real `skill-registry`, on loopback.
//!
//! One file a journey. `support` holds the cast: a registry, a sandbox with a home and a work
//! directory, skills to publish.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod corpus;
mod crash_disk;
mod crash_install;
mod crash_kill;
mod crash_sync;
mod frozen;
mod install_directory;
mod install_registry;
mod memory;
mod refusals;
mod support;
mod tampered;
