//! The trust formats, held against a second implementation and against whoever tampers.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stderr, reason = "a test that cannot be run here says so")]
#![allow(unreachable_pub, reason = "modules of one test binary share what is pub")]

mod agreement;
mod budget;
mod cases;
mod dsse;
mod edges;
mod fuzz_seeds;
mod histories;
mod key_file;
mod names;
mod names_law;
mod restrictions;
mod restrictions_law;
mod root;
mod root_chain;
mod second_opinion;
mod statement;
mod tamper;
mod trust_envelope;
mod vectors;
mod verify;
mod world;
