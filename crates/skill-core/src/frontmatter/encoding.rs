//! From bytes to text: what is UTF-8, and what the rest looks like.

use super::FrontmatterError;
use super::lines::lines;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The text of a file and how many bytes of byte-order marks stood before it: 0, 3, or more where a program
/// put one before another.
pub(super) fn decode(bytes: &[u8]) -> Result<(&str, usize), FrontmatterError> {
    let mut rest = bytes;
    while let Some(after) = rest.strip_prefix(BOM) {
        rest = after;
    }
    // A mark says nothing of what stands behind it, and taking it away changes nothing of that.
    if let Some(looks_like) = wide(rest) {
        return Err(FrontmatterError::Encoding { looks_like, line: 1, column: 1 });
    }
    let skipped = bytes.len() - rest.len();
    let text = str::from_utf8(rest).map_err(|error| {
        let before = String::from_utf8_lossy(&rest[..error.valid_up_to()]);
        let (line, column) = position(&before);
        FrontmatterError::Encoding { looks_like: narrow(rest), line, column }
    })?;
    Ok((text, skipped))
}

/// The line and column after a text.
fn position(before: &str) -> (u32, u32) {
    let count = lines(before).count().max(1) as u32;
    match lines(before).last() {
        Some(last) if last.next == last.start + last.text.len() => {
            (count, last.text.chars().count() as u32 + 1)
        }
        Some(_) => (count + 1, 1),
        None => (1, 1),
    }
}

/// UTF-16 and UTF-32, by byte-order mark or, without one, by where the zero bytes are.
fn wide(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] => return Some("UTF-32LE"),
        [0, 0, 0xFE, 0xFF, ..] => return Some("UTF-32BE"),
        [0xFF, 0xFE, ..] => return Some("UTF-16LE"),
        [0xFE, 0xFF, ..] => return Some("UTF-16BE"),
        _ => {}
    }
    // The fence or the first heading is ASCII whatever the language is.
    match bytes.first_chunk::<4>()?.map(|byte| byte != 0) {
        [true, false, false, false] => Some("UTF-32LE"),
        [false, false, false, true] => Some("UTF-32BE"),
        [true, false, true, false] => Some("UTF-16LE"),
        [false, true, false, true] => Some("UTF-16BE"),
        _ => None,
    }
}

/// What bytes that are no UTF-8 look like: GBK if nearly all high bytes come in pairs of its range.
fn narrow(bytes: &[u8]) -> &'static str {
    if bytes.contains(&0) {
        return "binary data";
    }
    let (mut paired, mut alone, mut at) = (0_usize, 0_usize, 0);
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (0xA1..=0xF7, Some(0xA1..=0xFE)) => (paired, at) = (paired + 1, at + 2),
            (0x80.., _) => (alone, at) = (alone + 1, at + 1),
            _ => at += 1,
        }
    }
    if paired > 4 * alone { "GBK" } else { "Latin-1" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks_like(bytes: &[u8]) -> Option<(&'static str, u32, u32)> {
        match decode(bytes) {
            Err(FrontmatterError::Encoding { looks_like, line, column }) => Some((looks_like, line, column)),
            _ => None,
        }
    }

    fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    #[test]
    fn wide_encodings_are_named_with_and_without_mark() {
        assert_eq!(looks_like(&utf16("\u{FEFF}---\nname: a\n", u16::to_le_bytes)), Some(("UTF-16LE", 1, 1)));
        assert_eq!(looks_like(&utf16("\u{FEFF}---\nname: a\n", u16::to_be_bytes)), Some(("UTF-16BE", 1, 1)));
        assert_eq!(looks_like(&utf16("---\nname: 天\n", u16::to_le_bytes)), Some(("UTF-16LE", 1, 1)));
        assert_eq!(looks_like(&utf16("---\nname: 天\n", u16::to_be_bytes)), Some(("UTF-16BE", 1, 1)));
        assert_eq!(looks_like(b"\xFF\xFE\0\0-\0\0\0"), Some(("UTF-32LE", 1, 1)));
        assert_eq!(looks_like(b"\0\0\0-\0\0\0-"), Some(("UTF-32BE", 1, 1)));
        assert_eq!(looks_like(b"\xEF\xBB\xBF-\0\0\0"), Some(("UTF-32LE", 1, 1)));
    }

    #[test]
    fn narrow_encodings_are_guessed_and_the_line_is_named() {
        assert_eq!(looks_like(b"---\nname: a\ndescription: caf\xE9\n---\n"), Some(("Latin-1", 3, 17)));
        let gbk = b"---\nname: \xCC\xEC\xC6\xF8\n---\n\xCC\xEC\xC6\xF8\xD4\xA4\xB1\xA8";
        assert_eq!(looks_like(gbk), Some(("GBK", 2, 7)));
        assert_eq!(looks_like(b"\x7FELF\x02\x01\x01\0\0\xFF"), Some(("binary data", 1, 10)));
    }

    #[test]
    fn utf8_with_and_without_mark() {
        assert_eq!(decode(b"\xEF\xBB\xBF---"), Ok(("---", 3)));
        assert_eq!(decode(b"\xEF\xBB\xBF\xEF\xBB\xBF---"), Ok(("---", 6)));
        assert_eq!(decode("天气".as_bytes()), Ok(("天气", 0)));
        assert_eq!(decode(b""), Ok(("", 0)));
    }
}
