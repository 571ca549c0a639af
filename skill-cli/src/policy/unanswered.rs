use skill_core::policy::{AnswerError, REQUEST_BYTES};

use super::command::Flaw;
use super::process::Broken;

/// Why a program gave no answer; every one of these refuses (OpenClaw contract 1.7).
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// It may not be started.
    #[error("{0}")]
    Flaw(#[from] Flaw),
    /// It was started, and did not end as it should.
    #[error("{0}")]
    Broken(#[from] Broken),
    /// What it printed is no answer.
    #[error("{0}")]
    Answer(#[from] AnswerError),
    /// The folder cannot be told in JSON.
    #[error("the staged folder has a name that is not UTF-8")]
    Path,
    /// There is too much to tell.
    #[error("the request is larger than {REQUEST_BYTES} bytes")]
    Large,
}

impl Unanswered {
    /// The command that shows the same without an install, if one does.
    pub(super) const fn shown_by(&self) -> Option<&'static str> {
        match self {
            Self::Flaw(_) => Some("skill policy check"),
            Self::Broken(_) | Self::Answer(_) => Some("skill policy test"),
            Self::Path | Self::Large => None,
        }
    }
}
