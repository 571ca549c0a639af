//! The life of a release: its state follows from facts, and `latest` from states (docs/API.md, "States").
//!
//! Both rules are pure; `settle.rs` applies them to a skill's rows after whatever changed a fact.

mod latest;
mod settle;
mod state;

pub use latest::{Candidate, Latest, Override, latest};
pub use settle::{Settled, settle};
pub use state::{Facts, state, why};
