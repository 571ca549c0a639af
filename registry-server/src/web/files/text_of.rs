//! What of the bytes of a file is text.

use std::borrow::Cow;

/// A text as it is shown.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::web) struct TextOf<'a> {
    /// Without a byte order mark of UTF-16.
    pub text: Cow<'a, str>,
    /// What it was decoded from; empty: it is UTF-8, as it lies there.
    pub encoding: &'static str,
}

impl<'a> TextOf<'a> {
    /// Reads UTF-8, or UTF-16 that says so by its mark. `None`: some of it is no text, or is U+0000, which only files
    /// that are none have. Where the content is `cut`, its last character may be, too.
    pub(in crate::web) fn read(content: &'a [u8], cut: bool) -> Option<Self> {
        let (text, encoding) = match content {
            [0xff, 0xfe, rest @ ..] => (wide(rest, u16::from_le_bytes, cut)?, "UTF-16, little-endian"),
            [0xfe, 0xff, rest @ ..] => (wide(rest, u16::from_be_bytes, cut)?, "UTF-16, big-endian"),
            _ => (plain(content, cut)?, ""),
        };
        (!text.contains('\0')).then_some(Self { text, encoding })
    }
}

fn plain(content: &[u8], cut: bool) -> Option<Cow<'_, str>> {
    match std::str::from_utf8(content) {
        Ok(text) => Some(text.into()),
        Err(error) if cut && error.error_len().is_none() => {
            std::str::from_utf8(&content[..error.valid_up_to()]).ok().map(Cow::Borrowed)
        }
        Err(_) => None,
    }
}

fn wide(content: &[u8], unit: fn([u8; 2]) -> u16, cut: bool) -> Option<Cow<'_, str>> {
    let (pairs, odd) = content.as_chunks::<2>();
    let mut units: Vec<u16> = pairs.iter().copied().map(unit).collect();
    if !odd.is_empty() && !cut {
        return None;
    }
    // The first half of a character that two units make.
    if cut && units.last().is_some_and(|last| (0xd800..0xdc00).contains(last)) {
        units.pop();
    }
    String::from_utf16(&units).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &[u8], cut: bool) -> Option<(String, &'static str)> {
        TextOf::read(content, cut).map(|read| (read.text.into_owned(), read.encoding))
    }

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
    }

    #[test]
    fn text_that_was_cut_inside_a_character_is_text() {
        let content = "aé".as_bytes();
        assert_eq!(read(&content[..2], true), Some(("a".to_owned(), "")));
        assert_eq!(read(&content[..2], false), None);
        let content = utf16("a👩", u16::to_le_bytes);
        for length in [5, 6, 7] {
            assert_eq!(read(&content[..length], true).unwrap().0, "a", "{length}");
            assert_eq!(read(&content[..length], false), None, "{length}");
        }
    }

    #[test]
    fn utf_16_says_that_it_is() {
        let text = "Set-Location é天👩‍💻\r\n";
        let little = read(&utf16(text, u16::to_le_bytes), false).unwrap();
        assert_eq!(little, (text.to_owned(), "UTF-16, little-endian"));
        let big = read(&utf16(text, u16::to_be_bytes), false).unwrap();
        assert_eq!(big, (text.to_owned(), "UTF-16, big-endian"));
        assert_eq!(read(b"\xff\xfe", false), Some((String::new(), "UTF-16, little-endian")));
        let unmarked = &utf16("plain", u16::to_le_bytes)[2..];
        assert_eq!(read(unmarked, false), None);
    }

    #[test]
    fn what_holds_anything_else_is_no_text() {
        for content in [&b"a\0b"[..], b"\xff\xfea\0\0\0", b"\xff\xfe\0\xd8a\0", b"\xff\xfe\0\xdc", b"\x89PNG"]
        {
            assert_eq!(read(content, false), None, "{content:?}");
        }
    }
}
