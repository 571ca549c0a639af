//! Expressions as the rules write them: fragments inside, compiled when they are first needed.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};

use super::RuleError;

/// Named pieces of expressions.
pub(crate) type Fragments = BTreeMap<String, String>;

/// An expression; most texts need few of them, so each is compiled when a text first does.
#[derive(Debug)]
pub(crate) struct Expression {
    text: String,
    regex: OnceLock<Regex>,
}

impl Expression {
    pub(crate) fn read(rule: &str, text: &str, fragments: &Fragments) -> Result<Self, RuleError> {
        Ok(Self { text: expanded(rule, text, fragments)?, regex: OnceLock::new() })
    }

    pub(crate) fn all(rule: &str, texts: &[String], fragments: &Fragments) -> Result<Vec<Self>, RuleError> {
        texts.iter().map(|text| Self::read(rule, text, fragments)).collect()
    }

    #[expect(clippy::expect_used, reason = "the rules are part of the program, and a test compiles each")]
    pub(crate) fn regex(&self) -> &Regex {
        self.regex.get_or_init(|| self.compile().expect("the expression reads"))
    }

    pub(super) fn compile(&self) -> Result<Regex, regex::Error> {
        RegexBuilder::new(&with_ranges(&self.text))
            .case_insensitive(true)
            .ignore_whitespace(true)
            .size_limit(SIZE)
            .dfa_size_limit(CACHE)
            .build()
    }
}

/// Bytes that a compiled expression may take: a count like `{0,2000}` takes its class as often.
const SIZE: usize = 1 << 20;

/// Bytes that an expression may keep of what it has worked out, there and back.
pub(crate) const CACHE: usize = 128 << 10;

/// What `\w` means here: the letters, marks and digits of Unicode and a few signs among them, in ranges. Unicode's own
/// table has some 750, folded for each place that it stands at, which took most of the memory of all rules.
const WORD: &str = concat!(
    r"0-9A-Za-z_\x{AA}\x{B5}\x{BA}\x{C0}-\x{167F}\x{1681}-\x{1FFF}\x{203F}-\x{2040}\x{2054}\x{2070}-\x{218F}",
    r"\x{24B6}-\x{24E9}\x{2C00}-\x{2DFF}\x{2E2F}\x{3005}-\x{3007}\x{3021}-\x{302F}\x{3031}-\x{FDFF}",
    r"\x{FE00}-\x{FE0F}\x{FE20}-\x{FE2F}\x{FE33}-\x{FE34}\x{FE4D}-\x{FE4F}\x{FE70}-\x{FEFC}",
    r"\x{FF10}-\x{FF19}\x{FF21}-\x{FF3A}\x{FF3F}\x{FF41}-\x{FF5A}\x{FF66}-\x{FFDC}",
    r"\x{10000}-\x{1EFFF}\x{1F130}-\x{1F189}\x{1FB00}-\x{10FFFF}",
);

/// The expression with the ranges of [`WORD`] for each `\w`, in a class or alone. Whatever stands in a class beside them,
/// it holds both cases of every letter: to fold it would look at each of its 180,000 characters and add none.
fn with_ranges(text: &str) -> String {
    let mut written = String::with_capacity(text.len() * 2);
    // Where the class begins that is open, and whether it has all letters.
    let (mut class, mut is_whole, mut rest) = (None, false, text.chars());
    while let Some(next) = rest.next() {
        match (next, class) {
            ('\\', _) => match (rest.next(), class) {
                (Some('w'), Some(_)) => {
                    is_whole = true;
                    written.push_str(WORD);
                }
                (Some('w'), None) => written.extend(["(?-i:[", WORD, "])"]),
                (escaped, _) => written.extend(std::iter::once('\\').chain(escaped)),
            },
            (']', Some(start)) => {
                written.push(']');
                if is_whole {
                    written.insert_str(start, "(?-i:");
                    written.push(')');
                }
                (class, is_whole) = (None, false);
            }
            _ => {
                if next == '[' && class.is_none() {
                    class = Some(written.len());
                }
                written.push(next);
            }
        }
    }
    written
}

/// Puts every `<<fragment>>` in its place, fragments inside of fragments too.
fn expanded(rule: &str, pattern: &str, fragments: &Fragments) -> Result<String, RuleError> {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(end) = rest.find(">>") {
        let (head, tail) = rest.split_at(end);
        let Some((before, name)) = head.rsplit_once("<<").filter(|(_, name)| is_name(name)) else {
            out.push_str(&rest[..end + 2]);
            rest = &tail[2..];
            continue;
        };
        let fragment = fragments
            .get(name)
            .ok_or_else(|| RuleError::Fragment { rule: rule.to_owned(), fragment: name.to_owned() })?;
        out.push_str(before);
        out.push_str("(?:");
        out.push_str(&expanded(name, fragment, fragments)?);
        out.push(')');
        rest = &tail[2..];
    }
    out.push_str(rest);
    Ok(out)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b == b'_' || b.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragments_are_put_in_their_places() {
        let fragments = [("a", "<<b>>+"), ("b", "x")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        let fragments = BTreeMap::from(fragments);
        let expand = |pattern| expanded("r", pattern, &fragments);
        assert_eq!(expand("<<a>>y<<<<<b>>*>>").ok().as_deref(), Some("(?:(?:x)+)y<<<(?:x)*>>"));
        assert!(matches!(expand("<<c>>"), Err(RuleError::Fragment { .. })));
    }

    /// Every word character of Unicode is one here, and nothing that parts words is: what stands before a command is to be
    /// seen as what it is.
    #[test]
    fn words_are_those_of_unicode() {
        let [theirs, ours] =
            [r"^\w$".to_owned(), with_ranges(r"^[\w]$")].map(|text| Regex::new(&text).unwrap());
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            // Joiners join; what hides has rules of its own.
            let joins = matches!(c, '\u{200C}' | '\u{200D}');
            assert!(joins || !theirs.is_match(&text) || ours.is_match(&text), "{c:?} is part of a word");
            let parts = c.is_whitespace() || c.is_control() || (c.is_ascii() && !theirs.is_match(&text));
            assert!(!(parts && ours.is_match(&text)), "{c:?} parts words");
        }
    }

    #[test]
    fn only_an_escaped_w_is_written_out() {
        assert_eq!(with_ranges(r"w[\]\x20]\\w\d"), r"w[\]\x20]\\w\d");
        assert_eq!(with_ranges(r"\w[^\w-]+[a-z]"), format!("(?-i:[{WORD}])(?-i:[^{WORD}-])+[a-z]"));
    }
}
