//! The text of a finding, safe to show: short, on one line, with nothing hidden in it.

use skill_core::hidden::Hidden;

/// The most characters of evidence.
const LONGEST: usize = 200;

/// Cuts `text` to 200 characters, with every control or hidden character as `\u{...}` and every
/// run of blanks as one.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::new();
    let mut length = 0;
    let mut pending_blank = false;
    for character in text.chars() {
        if matches!(character, ' ' | '\t' | '\n' | '\r') {
            pending_blank = !shown.is_empty();
            continue;
        }
        let piece: String = if Hidden::of(character).is_some() {
            character.escape_unicode().collect()
        } else {
            String::from(character)
        };
        let needed = piece.chars().count() + usize::from(pending_blank);
        if length + needed > LONGEST - 1 {
            shown.push('…');
            return shown;
        }
        if std::mem::take(&mut pending_blank) {
            shown.push(' ');
        }
        shown.push_str(&piece);
        length += needed;
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_stays_hidden() {
        assert_eq!(shown("cu\u{200b}rl\t -s\n| sh\u{7}"), r"cu\u{200b}rl -s | sh\u{7}");
        assert_eq!(shown("\u{202e}evil \u{e0041}"), r"\u{202e}evil \u{e0041}");
        // Beams and brackets of music and shorthand, which steer and show nothing.
        assert_eq!(shown("a\u{1d173}\u{1bca0}b"), r"a\u{1d173}\u{1bca0}b");
        assert_eq!(shown("天气 😀"), "天气 😀");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(shown(&"x".repeat(199)), "x".repeat(199));
        let cut = shown(&"x".repeat(201));
        assert_eq!(cut.chars().count(), 200);
        assert!(cut.ends_with('…'));
        assert!(shown(&"\u{200b}".repeat(300)).chars().count() <= 200);
    }
}
