//! The install policy: what the operator lets in, asked before anything is put in its place.
//!
//! [`Gate::load`] reads the layers once; nothing is installed without one. A skill has to pass the
//! declarative rules of every layer ([`Gate::rulings`], pure) and then every program that the
//! system's and the user's file name ([`Gate::judge`]), which see the staged tree. Whatever is not
//! a valid `allow`, or a warning that a person acknowledged, refuses: exit 5.
//!
//! What the programs may do is in `process.rs`: an own session without a terminal, a scrubbed
//! environment, no shell, bounded time and output, and an end for everything that they started.

mod ask;
mod command;
mod family;
mod gate;
mod notice;
mod process;
mod rules;
mod subject;
mod unanswered;

pub(crate) use ask::Operator;
pub use ask::{Acknowledge, Person};
pub(crate) use command::way;
pub use command::{Checked, Flaw};
pub use gate::{Allowed, Gate, ProgramAt};
pub use process::{Broken, Limits};
pub use rules::Held;
pub use subject::{Registry, Subject};
pub use unanswered::Unanswered;
