//! Wire types of the registry's own HTTP face (docs/API.md). ClawHub's `/api/v1` shapes live
//! with the server: no program of ours reads them except where it says so here.

mod index;
mod problem;
mod publish;
mod registry;

pub use index::IndexLine;
pub use problem::Problem;
pub use publish::{PublishMeta, Published, TagRequest, YankRequest};
pub use registry::{Access, ServerLimits, WellKnown};
