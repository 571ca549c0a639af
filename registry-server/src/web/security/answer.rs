//! What a check answers, as a badge. A check is not a release: an answer has a word of its own.

use crate::web::badge::Badge;

/// A check that holds.
pub(super) const fn holds(word: &'static str) -> Badge {
    Badge::new("is-ok", "clean", word)
}

/// A fact that neither speaks for nor against anything.
pub(super) const fn noted(word: &'static str) -> Badge {
    Badge::new("is-off", "note", word)
}

/// A check that holds with a limit.
pub(super) const fn limited(word: &'static str) -> Badge {
    Badge::new("is-warn", "suspicious", word)
}

/// A check that there is no answer to.
pub(super) const fn open(word: &'static str) -> Badge {
    Badge::new("is-unknown", "unanalysable", word)
}
