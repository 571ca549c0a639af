//! What holds the house together: which crate may use which, how big things may grow, what may
//! be depended on, and that no test file was forgotten (docs/ARCHITECTURE.md, "Tests").
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod budgets;
mod dependencies;
mod docs;
mod doors;
mod fuzz_targets;
mod laws;
mod sources;
mod tests_declared;
