//! Which new names a person looks at before anybody else sees them.

mod hold;
mod used;

pub(crate) use hold::of_first_release;
pub(crate) use used::MuchUsed;
