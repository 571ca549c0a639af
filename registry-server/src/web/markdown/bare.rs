//! Addresses that stand in a text without any mark: what GitHub's Markdown makes a link of.

use std::ops::Range;

/// Where the addresses stand in a text, and what they lead to. Linear in the text.
pub(super) fn addresses(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some((start, scheme)) = next(text, from) {
            let end = end(text, start);
            from = end.max(start + 1);
            let address = &text[start..start + trimmed(&text[start..end])];
            // An address that goes on in another script would be cut: it stays text.
            let goes_on = text[end..].chars().next().is_some_and(char::is_alphanumeric);
            if !goes_on && has_domain(address) {
                return Some((start..start + address.len(), format!("{scheme}{address}")));
            }
        }
        None
    })
}

/// The next beginning of an address, and what is to be put before it.
fn next(text: &str, from: usize) -> Option<(usize, &'static str)> {
    let mut from = from;
    loop {
        let at = from + text[from..].find(['h', 'w'])?;
        let rest = &text[at..];
        let scheme = if rest.starts_with("https://") || rest.starts_with("http://") {
            Some("")
        } else {
            rest.starts_with("www.").then_some("https://")
        };
        let before = text[..at].chars().next_back();
        let begins = before.is_none_or(|c| !c.is_ascii() || c.is_whitespace() || "*_~([{\"'".contains(c));
        match scheme {
            Some(scheme) if begins => return Some((at, scheme)),
            _ => from = at + 1,
        }
    }
}

fn end(text: &str, start: usize) -> usize {
    let stops = |c: char| !c.is_ascii_graphic() || "<>\"`{}|\\^[]".contains(c);
    text[start..].find(stops).map_or(text.len(), |length| start + length)
}

/// The length of an address without what belongs to the sentence around it.
fn trimmed(address: &str) -> usize {
    let count = |wanted| address.bytes().filter(|byte| *byte == wanted).count();
    let mut unopened = count(b')').saturating_sub(count(b'('));
    let mut length = address.len();
    for byte in address.bytes().rev() {
        match byte {
            b')' if unopened > 0 => unopened -= 1,
            b'?' | b'!' | b'.' | b',' | b':' | b';' | b'*' | b'_' | b'~' | b'\'' => {}
            _ => break,
        }
        length -= 1;
    }
    length
}

/// Whether what follows the scheme is a name with a dot inside.
fn has_domain(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', ':', '@']).next().unwrap_or_default();
    host.split_once('.').is_some_and(|(first, rest)| !first.is_empty() && !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        addresses(text)
            .inspect(|(range, address)| assert!(address.ends_with(&text[range.clone()])))
            .map(|(_, address)| address)
            .collect()
    }

    #[test]
    fn addresses_end_where_the_sentence_goes_on() {
        for (text, address) in [
            ("see https://example.com/a_b?c=d#e.", "https://example.com/a_b?c=d#e"),
            ("(https://example.com/a)", "https://example.com/a"),
            ("https://en.example/Tide_(sea)), or", "https://en.example/Tide_(sea)"),
            ("www.example.com!", "https://www.example.com"),
            ("见https://example.com/。然后", "https://example.com/"),
            ("\"http://example.com:80/x\"", "http://example.com:80/x"),
        ] {
            assert_eq!(found(text), [address], "{text}");
        }
        assert_eq!(found("http://a.b http://c.d/ x"), ["http://a.b", "http://c.d/"]);
    }

    #[test]
    fn what_is_no_address_stays_text() {
        for text in [
            "xhttps://example.com",
            "https://",
            "http://localhost:1",
            "www.",
            "https://.com",
            "hwhwhttp:/a.b",
            "https://zh.example.org/中文",
            "https://例え.example",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }
}
