//! What holds the house together: which crate may use which, how big things may grow, what may
//! be depended on, that no test file was
//! forgotten, and which test holds off which known fault (docs/ARCHITECTURE.md, "Tests").
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod budgets;
mod cases;
mod dependencies;
mod docs;
mod doors;
mod fuzz_targets;
mod laws;
mod sources;
mod tests_declared;
