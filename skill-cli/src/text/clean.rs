//! The one function through which everything from outside goes before a terminal or a pipe sees
//! it, and its counterpart for JSON.

use std::fmt::Write as _;

use serde_json::Value;
use skill_core::hidden::{Hidden, Seen, seen};

/// Makes text fit for one line: line ends become ` / `, a tab four blanks, and control, bidi,
/// zero-width, tag and other characters that cannot be seen and that no writing needs `\u{…}`. No escape
/// sequence survives.
///
/// In a locale that is not UTF-8 (`unicode` false) everything beyond ASCII becomes `\u{…}`.
pub fn line(text: &str, unicode: bool) -> String {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return text.to_owned();
    }
    let mut clean = String::with_capacity(text.len());
    let text = text.trim_end_matches(['\r', '\n']);
    let mut characters = seen(text).peekable();
    while let Some(Seen { character, hides, .. }) = characters.next() {
        match character {
            '\r' if characters.peek().is_some_and(|next| next.character == '\n') => {}
            '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' => clean.push_str(" / "),
            '\t' => clean.push_str("    "),
            _ if !hides && (unicode || character.is_ascii()) => clean.push(character),
            // Writing to a string cannot end in an error.
            _ => drop(write!(clean, "\\u{{{:x}}}", character as u32)),
        }
    }
    clean
}

/// A JSON document in one line, without a line end. Hidden characters in its strings are written as
/// `\uXXXX`: the same document, and harmless where a terminal shows it.
pub fn json(document: &Value) -> String {
    let text = document.to_string();
    if text.is_ascii() && !text.contains('\u{7f}') {
        return text;
    }
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if Hidden::of(character).is_none() {
            safe.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(safe, "\\u{unit:04x}");
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_steers_is_made_visible() {
        assert_eq!(line("a\u{202e}b", true), "a\\u{202e}b");
        assert_eq!(line("\u{1b}[31mred\u{1b}[0m", true), "\\u{1b}[31mred\\u{1b}[0m");
        assert_eq!(line("one\ntwo\r\nthree\n", true), "one / two / three");
        assert_eq!(line("tag\u{e0041}", true), "tag\\u{e0041}");
        assert_eq!(line("a\u{200d}b", true), "a\\u{200d}b");
    }

    #[test]
    fn what_shows_stays() {
        for text in ["天气", "e\u{301}", "👩\u{200d}💻 code", "❤\u{fe0f}", "שלום", "می\u{200c}خواهم"]
        {
            assert_eq!(line(text, true), text);
        }
    }

    #[test]
    fn a_plain_locale_shows_numbers() {
        assert_eq!(line("查询", false), "\\u{67e5}\\u{8be2}");
        assert_eq!(line("plain", false), "plain");
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left_alone(text in any::<String>()) {
            let clean = line(&text, true);
            prop_assert!(!clean.contains(|c: char| c.is_control()));
            let steers = clean.contains(['\u{202e}', '\u{2066}', '\u{feff}']);
            prop_assert!(!steers && !seen(&clean).any(|seen| seen.hides));
            prop_assert_eq!(line(&clean, true), clean.clone());
            prop_assert!(line(&text, false).is_ascii());
        }

        #[test]
        fn json_stays_the_same_document(text in any::<String>()) {
            let document = Value::from(text);
            let safe = json(&document);
            prop_assert!(!safe.contains(|c| Hidden::of(c).is_some()));
            prop_assert_eq!(serde_json::from_str::<Value>(&safe).ok(), Some(document));
        }
    }
}
