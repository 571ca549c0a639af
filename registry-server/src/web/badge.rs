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

const fn badge(class: &'static str, icon: &'static str, word: &'static str) -> Badge {
    Badge { class, icon, word }
}

impl Badge {
    /// A release, by its state and, where that leaves it open, by its verdict.
    pub(super) const fn of(state: ReleaseState, verdict: Verdict) -> Self {
        match state {
            ReleaseState::Visible => Self::scanned(verdict),
            ReleaseState::Suspicious if matches!(verdict, Verdict::NotAnalysable) => Self::scanned(verdict),
            // Also a malicious one whose quarantine was lifted: the state says what holds now.
            ReleaseState::Suspicious => Self::SUSPICIOUS,
            ReleaseState::Pending => badge("is-off", "pending", "Pending"),
            ReleaseState::Yanked => badge("is-off", "yanked", "Yanked"),
            ReleaseState::Withdrawn => badge("is-off", "withdrawn", "Withdrawn"),
            ReleaseState::Deleted => badge("is-off", "withdrawn", "Deleted"),
            ReleaseState::Quarantined => badge("is-bad is-stop", "quarantined", "Quarantined"),
            ReleaseState::TakenDown => badge("is-bad is-stop", "taken-down", "Taken down"),
        }
    }

    const CLEAN: Self = badge("is-ok", "clean", "Clean");
    const SUSPICIOUS: Self = badge("is-warn", "suspicious", "Suspicious");

    /// What a scan said, whatever became of the release.
    pub(super) const fn scanned(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Clean => Self::CLEAN,
            Verdict::Suspicious => Self::SUSPICIOUS,
            Verdict::NotAnalysable => badge("is-unknown", "unanalysable", "Not analysable"),
            Verdict::Malicious => badge("is-bad is-stop", "malicious", "Malicious"),
        }
    }

    /// How much a finding weighs.
    pub(super) const fn severity(severity: Severity) -> Self {
        match severity {
            Severity::Critical => badge("is-bad", "suspicious", "Critical"),
            Severity::Warn => badge("is-warn", "suspicious", "Warning"),
            Severity::Info => badge("is-off", "note", "Note"),
        }
    }

    /// How much a finding of lint weighs. None of them is about safety, so none is red.
    pub(super) const fn level(level: Level) -> Self {
        match level {
            Level::Error => badge("is-warn", "suspicious", "Error"),
            Level::Warning => badge("is-warn", "note", "Warning"),
            Level::Note => badge("is-off", "note", "Note"),
        }
    }

    /// A check that holds.
    pub(super) const fn holds(word: &'static str) -> Self {
        badge("is-ok", "clean", word)
    }

    /// A fact that neither speaks for nor against anything.
    pub(super) const fn noted(word: &'static str) -> Self {
        badge("is-off", "note", word)
    }

    /// A check that holds with a limit.
    pub(super) const fn limited(word: &'static str) -> Self {
        badge("is-warn", "suspicious", word)
    }

    /// A check that there is no answer to.
    pub(super) const fn open(word: &'static str) -> Self {
        badge("is-unknown", "unanalysable", word)
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
