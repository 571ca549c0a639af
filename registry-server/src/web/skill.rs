//! The pages of one skill. Each begins with the same head; each asks [`find`] first, which holds the table of states.

mod chart;
pub(super) mod choices;
mod closed;
pub(super) mod find;
pub(super) mod head;
mod lint;
mod needs;
mod readme;
mod standing;
mod used_by;
mod versions;

pub(super) use readme::{goes_by, kind, readme};
pub(super) use versions::versions;
