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
        RegexBuilder::new(&self.text)
            .case_insensitive(true)
            .ignore_whitespace(true)
            .dfa_size_limit(CACHE)
            .build()
    }
}

/// Bytes that an expression may keep of what it has worked out, there and back.
const CACHE: usize = 128 << 10;

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
}
