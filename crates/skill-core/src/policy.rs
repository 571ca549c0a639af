//! The install policy: what an operator lets in, as data and pure functions.
//!
//! Two halves (docs/FORMAT.md, `contracts` of OpenClaw's `protocolVersion: 1`):
//!
//! - **rules** need no program: [`Rules`] are read from a file, [`Rules::judge`] holds them against
//!   [`Facts`]. Every layer is judged by itself and all must let a skill in, so that `require` is
//!   the union of the layers, `allowed_…` the intersection, `denied_…` the union and the age the
//!   maximum, without anything being merged: the layer that decides is always known.
//! - **programs** are asked with a [`Request`] and give an [`Answer`].
//!
//! What has no answer is refused: a fact that is absent never satisfies a rule that asks for it.

mod answer;
mod capability;
mod config;
mod facts;
mod judge;
mod licence;
mod request;
mod rules;

pub use answer::{Answer, AnswerError, Decision, NOTICE_CHARS, PolicyFinding};
pub use capability::{Capability, CapabilityError, capabilities, is_script_name};
pub use config::{Program, Security};
pub use facts::{Facts, SourceKind};
pub use judge::{Outcome, Rule, Ruling};
pub use request::{Ask, Authority, Kind, Mode, Origin, REQUEST_BYTES, Request, SkillFacts, Source};
pub use rules::{Age, Publisher, Require, Rules, SourceRule};

use std::fmt;

/// Whose file says something. The system's binds; the other two can only tighten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// `/etc/skill/config.toml`.
    System,
    /// The user's config.toml.
    User,
    /// The skills.toml of the work directory, which came with files from elsewhere.
    Project,
}

impl Layer {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
