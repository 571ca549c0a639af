use std::sync::LazyLock;

use regex::Regex;

use super::Found;

/// PEP 263.
#[expect(clippy::expect_used, reason = "the expression is part of the program, and tests use it")]
static ENCODING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"coding[:=][ \t]*([-\w.]+)").expect("the expression reads"));

/// Encodings in which a comment of ASCII is one.
const PLAIN: [&str; 6] = ["utf-8", "utf8", "ascii", "us-ascii", "latin-1", "iso-8859-1"];

/// Lines end at `\n` and `\r`; the rest is chapter 2 of the language's reference.
pub(super) fn read(text: &str, found: &mut Found) -> Option<()> {
    // In another encoding the text may be another one: UTF-7 hides the ends of lines.
    let head = text.split(['\n', '\r']).filter(|line| !line.is_empty()).take(2);
    let mut encodings = head.filter_map(|line| ENCODING.captures(line));
    if encodings.any(|named| !PLAIN.contains(&named[1].to_ascii_lowercase().replace('_', "-").as_str())) {
        return None;
    }
    let text = text.as_bytes();
    let mut at_line = true;
    let mut at = usize::from(text.starts_with("\u{FEFF}".as_bytes())) * '\u{FEFF}'.len_utf8();
    while let Some(&byte) = text.get(at) {
        found.steps += 1;
        let opens_line = at_line;
        at_line = ends_line(byte) || (at_line && matches!(byte, b' ' | b'\t' | b'\x0C'));
        match byte {
            b'#' => {
                let end = found.find(text, at, ends_line).unwrap_or(text.len());
                found.push(at..end, opens_line);
                at = end;
            }
            b'\\' => {
                at_line = true;
                at = after_escape(text, at);
                text.get(at - 1).filter(|&&b| ends_line(b))?;
            }
            b'\'' | b'"' => at = string(text, at, found)?,
            _ => at += 1,
        }
    }
    Some(())
}

const fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Behind a backslash and what it takes along.
fn after_escape(text: &[u8], at: usize) -> usize {
    at + if text[at..].starts_with(b"\\\r\n") { 3 } else { 2 }
}

/// Where the string ends that begins at `at`.
fn string(text: &[u8], mut at: usize, found: &mut Found) -> Option<usize> {
    let quote = text[at];
    let three = [quote; 3];
    let end = if text[at..].starts_with(&three) { &three[..] } else { &three[..1] };
    let mut prefix = text[..at].iter().rev().take(2).take_while(|b| b.is_ascii_alphabetic());
    let formatted = prefix.any(|b| matches!(b, b'f' | b'F' | b't' | b'T'));
    let mut depth = 0u32;
    at += end.len();
    loop {
        found.steps += 1;
        let byte = *text.get(at)?;
        if text[at..].starts_with(end) {
            // Up to 3.11 the string ends here, since 3.12 another one may begin.
            return (depth == 0).then_some(at + end.len());
        }
        match byte {
            b'\\' if depth > 0 => return None,
            b'\\' => at = after_escape(text, at),
            _ if ends_line(byte) && end.len() == 1 => return None,
            b'{' if formatted && depth == 0 && text.get(at + 1) == Some(&b'{') => at += 2,
            b'{' if formatted => (depth, at) = (depth + 1, at + 1),
            b'}' => (depth, at) = (depth.saturating_sub(1), at + 1),
            b'#' if depth > 0 => return None,
            b'\'' | b'"' if depth > 0 => {
                let close = found.find(text, at + 1, |b| b"'\"{}\\#\r\n".contains(&b))?;
                (text[close] == byte).then_some(())?;
                at = close + 1;
            }
            _ => at += 1,
        }
    }
}
