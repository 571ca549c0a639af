use skill_core::hidden::Hidden;

use super::PathRule;

/// The rule that a character breaks wherever it stands in a path.
pub(super) const fn broken_by(character: char) -> Option<PathRule> {
    match (character, Hidden::of(character)) {
        ('\\', _) => Some(PathRule::Backslash),
        (_, Some(Hidden::Control)) => Some(PathRule::Control),
        (_, Some(Hidden::Bidi)) => Some(PathRule::Bidi),
        // What a reader does not see, and what some file systems drop when they compare names.
        (_, Some(Hidden::Ignorable)) => Some(PathRule::ZeroWidth),
        (_, Some(Hidden::Annotation) | None) => None,
    }
}
