//! What is on disk against what was published: one row per family of checks while none of it
//! fails, each failure a row under its own id. Opens no connection.

mod clean;
mod disk;
mod envelopes;
mod registry_rows;
mod report;
mod require;
mod roots;
mod row;
mod skill;
mod verdict;

pub use clean::clean;
pub use disk::{Copy, published_tree, size_of};
pub use envelopes::{Envelopes, envelope_key, open};
pub use report::report;
pub use require::Requirement;
pub use roots::{Known, Roots};
pub use row::{Family, Outcome, Row, Status};
pub use skill::{Verifier, unmanaged};
