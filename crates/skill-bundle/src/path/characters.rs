use super::PathRule;

/// The rule that a character breaks wherever it stands in a path.
pub(super) const fn broken_by(character: char) -> Option<PathRule> {
    match character {
        '\\' => Some(PathRule::Backslash),
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}' | '\u{2029}' => Some(PathRule::Control),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some(PathRule::Bidi)
        }
        _ if is_ignorable(character) => Some(PathRule::ZeroWidth),
        _ => None,
    }
}

/// Unicode's `Default_Ignorable_Code_Point` without the bidi controls: what a reader does not see, and what some
/// file systems drop when they compare names.
const fn is_ignorable(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}
