//! Which hidden characters a text needs, and what the others are called.

use crate::hidden::{scripts, seen};

/// The characters of a line that hide and are no part of how its text is written, with their place in bytes.
///
/// Beyond what [`seen`] knows of, passages in a line that runs right to left may have an order of their own, if each is
/// closed on it. A byte-order mark at the start of a file never comes here.
pub(super) fn unneeded(line: &str) -> impl Iterator<Item = (usize, char)> {
    let in_order = line.chars().any(scripts::runs_right_to_left) && scripts::is_closed(line);
    seen(line)
        .filter(move |seen| seen.hides && !is_needed(seen.character, in_order))
        .map(|seen| (seen.at, seen.character))
}

const fn is_needed(character: char, in_order: bool) -> bool {
    match character {
        '\u{c}' => true,
        '\u{202A}'..='\u{202C}' | '\u{2066}'..='\u{2069}' => in_order,
        _ => false,
    }
}

const fn is_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// The number of a character, and its name if people meet it.
pub(super) fn of(character: char) -> String {
    let name = match character {
        '\0' => "NULL",
        '\u{7}' => "BELL",
        '\u{8}' => "BACKSPACE",
        '\u{b}' => "LINE TABULATION",
        '\u{1b}' => "ESCAPE",
        '\u{7f}' => "DELETE",
        '\u{85}' => "NEXT LINE",
        '\u{ad}' => "SOFT HYPHEN",
        '\u{61c}' => "ARABIC LETTER MARK",
        '\u{180e}' => "MONGOLIAN VOWEL SEPARATOR",
        '\u{200b}' => "ZERO WIDTH SPACE",
        '\u{200c}' => "ZERO WIDTH NON-JOINER",
        '\u{200d}' => "ZERO WIDTH JOINER",
        '\u{200e}' => "LEFT-TO-RIGHT MARK",
        '\u{200f}' => "RIGHT-TO-LEFT MARK",
        '\u{2028}' => "LINE SEPARATOR",
        '\u{2029}' => "PARAGRAPH SEPARATOR",
        '\u{202a}' => "LEFT-TO-RIGHT EMBEDDING",
        '\u{202b}' => "RIGHT-TO-LEFT EMBEDDING",
        '\u{202c}' => "POP DIRECTIONAL FORMATTING",
        '\u{202d}' => "LEFT-TO-RIGHT OVERRIDE",
        '\u{202e}' => "RIGHT-TO-LEFT OVERRIDE",
        '\u{2060}' => "WORD JOINER",
        '\u{2066}' => "LEFT-TO-RIGHT ISOLATE",
        '\u{2067}' => "RIGHT-TO-LEFT ISOLATE",
        '\u{2068}' => "FIRST STRONG ISOLATE",
        '\u{2069}' => "POP DIRECTIONAL ISOLATE",
        '\u{3164}' => "HANGUL FILLER",
        '\u{feff}' => "ZERO WIDTH NO-BREAK SPACE (a byte-order mark)",
        '\u{e0000}'..='\u{e007f}' => "a TAG character",
        c if is_selector(c) => "a VARIATION SELECTOR",
        '\0'..='\u{9f}' => "a control character",
        _ => "an invisible character",
    };
    format!("U+{:04X} {name}", u32::from(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_needs() {
        for line in [
            "a\tb",
            "🧑\u{200D}🍳 ❤\u{FE0F} 1\u{FE0F}\u{20E3} 👩\u{200D}❤\u{FE0F}\u{200D}👨",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "می\u{200C}خواهم \u{200F}abc \u{2066}x\u{2069}",
            "ไทย\u{200B}ภาษา",
        ] {
            assert_eq!(unneeded(line).count(), 0, "{line:?}");
        }
    }

    #[test]
    fn what_none_needs() {
        for (line, hidden) in [
            ("a\0b", "U+0000 NULL"),
            ("\u{1b}[31m", "U+001B ESCAPE"),
            ("a\u{202E}b", "U+202E RIGHT-TO-LEFT OVERRIDE"),
            ("de\u{200B}lete", "U+200B ZERO WIDTH SPACE"),
            ("x \u{E0041}", "U+E0041 a TAG character"),
            ("a\u{FEFF}b", "U+FEFF ZERO WIDTH NO-BREAK SPACE (a byte-order mark)"),
            (" \u{FE0F}", "U+FE0F a VARIATION SELECTOR"),
            ("a\u{2028}b", "U+2028 LINE SEPARATOR"),
            ("a\u{3}", "U+0003 a control character"),
            ("a\u{2062}b", "U+2062 an invisible character"),
        ] {
            let found: Vec<String> = unneeded(line).map(|(_, character)| of(character)).collect();
            assert_eq!(found, [hidden], "{line:?}");
        }
    }
}
