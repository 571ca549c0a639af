//! Turns one line that is no YAML into one that says what its author meant.

use super::reason::ESCAPE;

/// A line taken apart: what stands before the value, and the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts<'a> {
    /// Indentation, list marks and `key: `, with every blank of it.
    pub(super) prefix: &'a str,
    /// The rest without blanks at its end.
    pub(super) value: &'a str,
}

/// Takes `  - key: value`, `key: value` or `- value` apart; `None` if there is no value.
pub(super) fn take_apart(line: &str) -> Option<Parts<'_>> {
    let mut at = line.len() - line.trim_start_matches([' ', '\t']).len();
    while let Some(item) = line[at..].strip_prefix("- ") {
        at = line.len() - item.trim_start_matches(' ').len();
    }
    let is_item = line[..at].ends_with(' ') && line[..at].trim_start().starts_with('-');
    let rest = &line[at..];
    let key_end =
        rest.find(':').filter(|&colon| is_key(&rest[..colon]) && rest[colon + 1..].starts_with([' ', '\t']));
    let value_at = match key_end {
        Some(colon) => line.len() - rest[colon + 1..].trim_start_matches([' ', '\t']).len(),
        None if is_item => at,
        None => return None,
    };
    let value = line[value_at..].trim_end_matches([' ', '\t']);
    (!value.is_empty()).then_some(Parts { prefix: &line[..value_at], value })
}

fn is_key(text: &str) -> bool {
    let bare = text.trim_matches(['"', '\'']);
    !bare.is_empty() && bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' '))
}

/// The text that the author of a broken value meant: quotes that enclose it all are taken off, so
/// is one that is never closed, and a block mark (`>` or `|`) with text behind it.
pub(super) fn meant(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote) {
            return match inner.strip_suffix(quote) {
                Some(inner) if !are_apart(inner, quote) => inner,
                None if !inner.contains(quote) => inner,
                _ => value,
            };
        }
    }
    for mark in ['>', '|'] {
        if let Some(rest) = value.strip_prefix(mark) {
            let text = rest.trim_start_matches(['+', '-']).trim_start();
            if text.len() < rest.len() && !text.is_empty() {
                return text;
            }
        }
    }
    value
}

/// Whether the quotes around a text belong to others inside of it: `"a" or "b"`, unlike `"say "a" or b"` and
/// `'it's me'`.
fn are_apart(inner: &str, quote: char) -> bool {
    let Some(next) = inner.find(quote) else { return false };
    let after = inner[next + 1..].chars().next();
    let closes = !inner[..next].ends_with(char::is_whitespace) && after.is_none_or(|c| !c.is_alphanumeric());
    closes && inner.matches(quote).count().is_multiple_of(2)
}

/// The text as a YAML double-quoted scalar.
pub(crate) fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() || is_special(c) => quoted.extend(format!("\\u{:04X}", c as u32).chars()),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Characters that YAML ends a line at or does not take as they are (YAML 1.2.2, 5.1 and 5.4; 1.1, 5.4).
fn is_special(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Where in a value the trouble is (a byte offset), a sentence, and a label for the place. `reason` is the
/// parser's.
pub(super) fn explain(value: &str, reason: &str) -> (usize, String, Option<&'static str>) {
    let colon = value
        .match_indices(':')
        .find(|(at, _)| matches!(value.as_bytes().get(at + 1), None | Some(b' ' | b'\t')));
    let first = value.chars().next().unwrap_or(' ');
    match (first, colon) {
        ('"', _) if reason == ESCAPE => (value.find('\\').unwrap_or(0), ESCAPE.to_owned(), None),
        ('"' | '\'', _) => (0, "quotes that do not enclose the whole text".to_owned(), None),
        ('[' | '{', _) => (0, format!("text that begins with {first} is no text to YAML"), None),
        (_, Some((at, _))) => {
            (at, "a colon inside plain text".to_owned(), Some("text with `: ` in it needs quotes"))
        }
        ('>' | '|', None) => (0, format!("text on the line of the block mark {first}"), None),
        ('@' | '`' | '%' | '*' | '&' | '!' | ',' | ']' | '}' | '-' | '?', None) => {
            (0, format!("plain text cannot begin with {first}"), None)
        }
        _ => (0, "plain text that YAML cannot read".to_owned(), None),
    }
}

/// The line with a blank after a colon that lacks one (`GitHub:me`, `name：me`), and the colon's place in
/// bytes.
pub(crate) fn spaced(line: &str) -> Option<(usize, String)> {
    let start = line.len() - line.trim_start_matches([' ', '\t', '-']).len();
    let colon = start + line[start..].find([':', '：'])?;
    let wide = line[colon..].starts_with('：');
    let after = &line[colon + if wide { '：'.len_utf8() } else { 1 }..];
    let lacks = wide || !(after.is_empty() || after.starts_with([' ', '\t', '/']));
    let after = after.trim_start();
    (lacks && is_key(&line[start..colon])).then(|| (colon, format!("{}: {after}", &line[..colon])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_line() {
        let parts = |line| take_apart(line).map(|parts| (parts.prefix, parts.value));
        assert_eq!(parts("description: a: b "), Some(("description: ", "a: b")));
        assert_eq!(parts("  - step: x: y"), Some(("  - step: ", "x: y")));
        assert_eq!(parts("  - @x"), Some(("  - ", "@x")));
        assert_eq!(parts("\"a b\":  c"), Some(("\"a b\":  ", "c")));
        assert_eq!(parts("metadata:"), None);
        assert_eq!(parts("running text"), None);
        assert_eq!(parts("http://x"), None);
    }

    #[test]
    fn what_was_meant() {
        for (value, text) in [
            ("a: b", "a: b"),
            ("\"a\" and b", "\"a\" and b"),
            ("\"a\", \"b\" and \"c\"", "\"a\", \"b\" and \"c\""),
            ("\"a\" or \"b\"", "\"a\" or \"b\""),
            ("\"say \"hi\", then go\"", "say \"hi\", then go"),
            ("'it's nice'", "it's nice"),
            ("'the users' data'", "the users' data"),
            ("\"never closed", "never closed"),
            ("> all on one line", "all on one line"),
            (">-", ">-"),
            (">5 rows", ">5 rows"),
        ] {
            assert_eq!(meant(value), text);
        }
    }

    #[test]
    fn a_blank_after_the_colon() {
        assert_eq!(spaced("  GitHub:me"), Some((8, "  GitHub: me".to_owned())));
        assert_eq!(spaced("name:天气"), Some((4, "name: 天气".to_owned())));
        assert_eq!(spaced("http://x"), None);
        assert_eq!(spaced("a: b:c"), None);
        assert_eq!(spaced("a:"), None);
    }

    proptest::proptest! {
        #[test]
        fn quoting_gives_back_the_text(text in "[^\r\n]{0,60}") {
            let yaml = format!("a: {}", double_quoted(&text));
            let read = super::super::yaml::parse_map(&yaml).unwrap();
            proptest::prop_assert_eq!(read[0].value.to_value(), serde_json::Value::from(text));
        }
    }
}
