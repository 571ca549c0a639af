use serde::Serialize;
use skill_core::diagnostic::Level;
use skill_core::state::ReleaseState;
use skill_core::verdict::{Severity, Verdict};

/// A state in one word, with a shape and a colour of its own: never by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Badge {
    /// Class of the stylesheet.
    pub class: &'static str,
    /// Which of the icons.
    pub icon: &'static str,
    /// The word.
    pub word: &'static str,
}

impl Badge {
    pub(super) const fn new(class: &'static str, icon: &'static str, word: &'static str) -> Self {
        Self { class, icon, word }
    }

    /// A release, by its state and, where that leaves it open, by its verdict.
    pub(super) const fn of(state: ReleaseState, verdict: Verdict) -> Self {
        match state {
            ReleaseState::Visible => Self::scanned(verdict),
            ReleaseState::Suspicious if matches!(verdict, Verdict::NotAnalysable) => Self::scanned(verdict),
            // Also a malicious one whose quarantine was lifted: the state says what holds now.
            ReleaseState::Suspicious => Self::SUSPICIOUS,
            ReleaseState::Pending => Self::new("is-off", "pending", "Pending"),
            ReleaseState::Yanked => Self::new("is-off", "yanked", "Yanked"),
            ReleaseState::Withdrawn => Self::new("is-off", "withdrawn", "Withdrawn"),
            ReleaseState::Deleted => Self::new("is-off", "withdrawn", "Deleted"),
            ReleaseState::Quarantined => Self::new("is-bad is-stop", "quarantined", "Quarantined"),
            ReleaseState::TakenDown => Self::new("is-bad is-stop", "taken-down", "Taken down"),
        }
    }

    const CLEAN: Self = Self::new("is-ok", "clean", "Clean");
    const SUSPICIOUS: Self = Self::new("is-warn", "suspicious", "Suspicious");

    /// A release in a list, of which the verdict alone is known: none for what is clean. What is listed and is not
    /// clean stands as suspicious.
    pub(super) fn listed(verdict: Verdict) -> Option<Self> {
        let badge = Self::of(ReleaseState::Suspicious, verdict);
        (verdict != Verdict::Clean).then_some(badge)
    }

    /// Whether it is that of a release that stands as it should.
    pub(super) fn is_clean(self) -> bool {
        self == Self::CLEAN
    }

    /// What a scan said, whatever became of the release.
    pub(super) const fn scanned(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Clean => Self::CLEAN,
            Verdict::Suspicious => Self::SUSPICIOUS,
            Verdict::NotAnalysable => Self::new("is-unknown", "unanalysable", "Not analysable"),
            Verdict::Malicious => Self::new("is-bad is-stop", "malicious", "Malicious"),
        }
    }

    /// How much a finding weighs.
    pub(super) const fn severity(severity: Severity) -> Self {
        match severity {
            Severity::Critical => Self::new("is-bad", "suspicious", "Critical"),
            Severity::Warn => Self::new("is-warn", "suspicious", "Warning"),
            Severity::Info => Self::new("is-off", "note", "Note"),
        }
    }

    /// How much a finding of lint weighs. None of them is about safety, so none is red.
    pub(super) const fn level(level: Level) -> Self {
        match level {
            Level::Error => Self::new("is-warn", "suspicious", "Error"),
            Level::Warning => Self::new("is-warn", "note", "Warning"),
            Level::Note => Self::new("is-off", "note", "Note"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clean_and_visible_release_is_green() {
        let verdicts = [Verdict::Clean, Verdict::Suspicious, Verdict::NotAnalysable, Verdict::Malicious];
        for state in ReleaseState::ALL {
            for verdict in verdicts {
                let is_green = Badge::of(state, verdict).class == "is-ok";
                assert_eq!(is_green, state == ReleaseState::Visible && verdict == Verdict::Clean);
            }
        }
    }
}
