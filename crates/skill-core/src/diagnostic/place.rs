//! Where a byte of a text stands.

/// Line and column of a byte, both from 1. Columns count characters, a byte-order mark counts as nothing, and LF, CRLF
/// and CR all end a line, as in every finding. A byte inside of a character or of a CRLF is where that begins, one
/// outside the text is at its end.
pub fn place(text: &str, byte: usize) -> (u32, u32) {
    let byte = text.floor_char_boundary(byte);
    let in_crlf = text[..byte].ends_with('\r') && text[byte..].starts_with('\n');
    let before = &text[..byte - usize::from(in_crlf)];
    let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let ends = before.matches(['\n', '\r']).count() - before.matches("\r\n").count();
    let column = before[start..].trim_start_matches('\u{feff}').chars().count();
    (ends as u32 + 1, column as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways() {
        for (text, byte, expected) in [
            ("a\nbc\n", 3, (2, 2)),
            ("a\r\nbc", 4, (2, 2)),
            ("a\rbc\rd", 5, (3, 1)),
            ("a\r\n\r\nb\r\rc", 8, (5, 1)),
            ("a\r\nb", 2, (1, 2)),
            ("天气", 3, (1, 2)),
            ("天气", 4, (1, 2)),
            ("\u{feff}a", 3, (1, 1)),
            ("", 7, (1, 1)),
        ] {
            assert_eq!(place(text, byte), expected, "{text:?} {byte}");
        }
    }
}
