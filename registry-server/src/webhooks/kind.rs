use std::fmt;
use std::str::FromStr;

use skill_core::name::NameError;
use skill_core::verdict::Verdict;

use crate::store::events::EventKind;

/// What is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A release came.
    Publish,
    /// A release came that is not clean.
    Verdict,
    /// A release was closed or opened again.
    State,
}

impl Kind {
    /// All of them, in the order in which they are kept.
    pub const ALL: [Self; 3] = [Self::Publish, Self::Verdict, Self::State];

    /// The word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Verdict => "verdict",
            Self::State => "state",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or_else(|| NameError {
            text: text.to_owned(),
            wanted: "what a webhook tells: publish, verdict or state",
        })
    }
}

/// What a webhook wants to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kinds(Vec<Kind>);

impl Kinds {
    /// These; none stands for all.
    pub fn of(kinds: &[Kind]) -> Self {
        let wanted = |kind: &Kind| kinds.is_empty() || kinds.contains(kind);
        Self(Kind::ALL.into_iter().filter(wanted).collect())
    }

    /// As words.
    pub fn words(&self) -> Vec<&'static str> {
        self.0.iter().map(|kind| kind.as_str()).collect()
    }

    /// What an event is told as, if it is wanted: once, whatever it could be called.
    pub fn told(&self, event: EventKind, verdict: Verdict) -> Option<Kind> {
        let names: &[Kind] = match event {
            EventKind::Published if verdict == Verdict::Clean => &[Kind::Publish],
            EventKind::Published => &[Kind::Publish, Kind::Verdict],
            EventKind::StateChanged => &[Kind::State],
            _ => &[],
        };
        names.iter().copied().find(|kind| self.0.contains(kind))
    }
}

impl FromStr for Kinds {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        text.split(',').map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_told_once() {
        let all = Kinds::of(&[]);
        assert_eq!(all.words(), ["publish", "verdict", "state"]);
        assert_eq!(all.told(EventKind::Published, Verdict::Malicious), Some(Kind::Publish));
        let verdicts = Kinds::of(&[Kind::Verdict]);
        assert_eq!(verdicts.told(EventKind::Published, Verdict::Clean), None);
        assert_eq!(verdicts.told(EventKind::Published, Verdict::Suspicious), Some(Kind::Verdict));
        assert_eq!(verdicts.told(EventKind::StateChanged, Verdict::Clean), None);
        assert_eq!(all.told(EventKind::TagChanged, Verdict::Clean), None);
        assert_eq!("publish,state".parse(), Ok(Kinds::of(&[Kind::State, Kind::Publish])));
    }
}
