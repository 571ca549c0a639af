//! Texts that are written in base64 or in hexadecimal digits.

use std::sync::LazyLock;

use regex::Regex;

/// An encoded text inside another one.
pub(crate) struct Encoded {
    /// Where it starts, in bytes.
    pub(crate) start: usize,
    /// What it says.
    pub(crate) decoded: String,
}

/// Runs of an alphabet that are long enough to say something; base64 may be wrapped.
#[expect(clippy::expect_used, reason = "the expressions are part of the program, and a test uses them")]
static RUNS: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    [r"(?:[A-Za-z0-9+/_-]{40,}\r?\n[ \t]*)*[A-Za-z0-9+/_-]{16,}", r"(?:(?:\\x|0x)?[0-9A-Fa-f]{2}[ ,]?){16,}"]
        .map(|pattern| Regex::new(pattern).expect("the expression reads"))
});

/// Every text in `text` that decodes to something readable.
pub(crate) fn texts(text: &str) -> impl Iterator<Item = Encoded> {
    let [base64, hex] = &*RUNS;
    let base64 = base64.find_iter(text).map(|run| (run.start(), from_base64(run.as_str())));
    let hex = hex.find_iter(text).map(|run| (run.start(), from_hex(run.as_str())));
    base64.chain(hex).filter_map(|(start, bytes)| Some(Encoded { start, decoded: readable(&bytes)? }))
}

/// Decodes either alphabet of RFC 4648 and leaves out what belongs to neither.
fn from_base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for digit in text.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

fn from_hex(text: &str) -> Vec<u8> {
    let text = text.replace("0x", "").replace("\\x", "");
    let digits: Vec<u8> = text.chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// The bytes as UTF-8, or as UTF-16 (PowerShell's), if nearly all of it can be read.
fn readable(bytes: &[u8]) -> Option<String> {
    let text = match bytes {
        [_, 0, _, 0, ..] => {
            let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
            char::decode_utf16(units).collect::<Result<String, _>>().ok()?
        }
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    let total = text.chars().count();
    let plain = text.chars().filter(|c| matches!(c, ' '..='~' | '\t' | '\n' | '\r')).count();
    (total >= 8 && plain * 10 >= total * 9).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> Vec<String> {
        texts(text).map(|encoded| encoded.decoded).collect()
    }

    #[test]
    fn what_decodes_to_a_text() {
        assert_eq!(decoded("x = 'aGVsbG8gd29ybGQsIGhlbGxv'"), ["hello world, hello"]);
        assert_eq!(decoded("68656c6c6f20776f726c642c2068656c6c6f")[0..], ["hello world, hello"]);
        assert_eq!(
            decoded(r"\x68\x65\x6c\x6c\x6f\x20\x77\x6f\x72\x6c\x64\x2c\x20\x68\x65\x6c"),
            ["hello world, hel"]
        );
        assert_eq!(decoded("aABlAGwAbABvACAAdwBvAHIAbABkAA=="), ["hello world"]);
    }

    #[test]
    fn what_decodes_to_nothing_readable() {
        assert!(
            decoded("sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08").is_empty()
        );
        assert!(decoded("thisIsJustAVeryLongIdentifierInSomeCode").is_empty());
    }

    #[test]
    fn wrapped_lines_are_one_text() {
        let line = "aGVsbG8gd29ybGQsIGhlbGxvIHdvcmxkLCBoZWxsbyB3b3Js";
        let all = decoded(&format!("{line}\n{line}\n"));
        assert_eq!(all.len(), 1);
        assert!(all[0].matches("hello").count() >= 5);
    }
}
