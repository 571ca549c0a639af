//! Which hidden characters a text needs, and what the others are called.

use crate::hidden::Hidden;

/// The black flag, which tags make a region's.
const FLAG: char = '\u{1F3F4}';

/// The characters of a line that hide and are no part of how its text is written, with their place in bytes.
///
/// A text needs a selector behind a character, tags behind a flag, joiners beside letters and signs beyond ASCII, and
/// marks of direction where some of it runs right to left. A byte-order mark at the start of a file never comes here.
pub(super) fn unneeded(line: &str) -> impl Iterator<Item = (usize, char)> {
    let right_to_left = line.chars().any(runs_right_to_left);
    let mut before = None;
    let mut in_flag = false;
    line.char_indices().filter(move |(at, character)| {
        let after = line[at + character.len_utf8()..].chars().next();
        let is_tag = matches!(character, '\u{E0020}'..='\u{E007F}');
        in_flag = (in_flag || before == Some(FLAG)) && is_tag;
        let needed = match Hidden::of(*character) {
            None => true,
            Some(Hidden::Control) => matches!(character, '\t' | '\u{c}'),
            Some(Hidden::Bidi) => right_to_left,
            Some(Hidden::Annotation) => false,
            Some(Hidden::Ignorable) if is_tag => in_flag,
            Some(Hidden::Ignorable) if is_selector(*character) => before.is_some_and(shows),
            Some(Hidden::Ignorable) => {
                [before, after].into_iter().flatten().any(|c| shows(c) && !c.is_ascii())
            }
        };
        before = Some(*character);
        !needed
    })
}

fn shows(c: char) -> bool {
    Hidden::of(c).is_none() && !c.is_whitespace()
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Hebrew to Arabic, and their presentation forms.
fn runs_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
        && Hidden::of(c).is_none()
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
