use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};
use regex::{Captures, Regex, RegexBuilder};
use serde::Deserialize;

use super::{About, RuleError};

/// How many places of one line an expression is asked for.
pub(crate) const MOST_OF_A_LINE: usize = 16;

/// A family of rules that are expressions over logical lines.
#[derive(Debug)]
pub(crate) struct PatternRules {
    /// One of these stands in whatever any of the rules finds.
    pub(crate) anchors: AhoCorasick,
    pub(crate) rules: Vec<PatternRule>,
}

/// One such rule.
#[derive(Debug)]
pub(crate) struct PatternRule {
    pub(crate) about: About,
    /// What it finds is encoded text that is decoded and run.
    pub(crate) opens: bool,
    pub(crate) place: Where,
    anchors: AhoCorasick,
    needs: Option<AhoCorasick>,
    patterns: Vec<Regex>,
}

/// In which texts a rule looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Where {
    /// In the files.
    #[default]
    Source,
    /// In encoded texts that are decoded and run.
    Decoded,
    /// In both.
    Both,
}

/// What a rule found in a logical line.
#[derive(Debug)]
pub(crate) struct Found {
    /// Its place, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The rule's message about it.
    pub(crate) message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    fragments: BTreeMap<String, String>,
    rule: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    #[serde(flatten)]
    about: About,
    anchors: Vec<String>,
    #[serde(default)]
    needs: Vec<String>,
    patterns: Vec<String>,
    #[serde(default)]
    opens: bool,
    #[serde(default, rename = "where")]
    place: Where,
}

impl PatternRules {
    pub(super) fn read(text: &str) -> Result<Self, RuleError> {
        let File { fragments, rule } = toml::from_str(text).map_err(RuleError::Toml)?;
        let every: Vec<&String> = rule.iter().flat_map(|rule| &rule.anchors).collect();
        let anchors = search("every", &every)?;
        let rules = rule.into_iter().map(|rule| PatternRule::read(rule, &fragments));
        Ok(Self { anchors, rules: rules.collect::<Result<_, _>>()? })
    }
}

impl PatternRule {
    fn read(rule: Rule, fragments: &BTreeMap<String, String>) -> Result<Self, RuleError> {
        let Rule { about, anchors, needs, patterns, opens, place } = rule;
        let compile = |pattern: &String| {
            let pattern = expanded(&about.id, pattern, fragments)?;
            RegexBuilder::new(&pattern)
                .case_insensitive(true)
                .ignore_whitespace(true)
                .build()
                .map_err(|error| RuleError::Pattern { rule: about.id.clone(), error: Box::new(error) })
        };
        let patterns = patterns.iter().map(compile).collect::<Result<_, _>>()?;
        let anchors = search(&about.id, &anchors)?;
        let needs = if needs.is_empty() { None } else { Some(search(&about.id, &needs)?) };
        Ok(Self { about, opens, place, anchors, needs, patterns })
    }

    /// What it finds in `line`: each expression's matches in their order, at most
    /// [`MOST_OF_A_LINE`] of each.
    pub(crate) fn find<'a>(&'a self, line: &'a str) -> impl Iterator<Item = Found> + 'a {
        let absent = !self.anchors.is_match(line) || self.needs.as_ref().is_some_and(|n| !n.is_match(line));
        let patterns = if absent { &[] } else { self.patterns.as_slice() };
        patterns.iter().flat_map(move |pattern| {
            pattern.captures_iter(line).take(MOST_OF_A_LINE).map(|captures| self.found(&captures))
        })
    }

    fn found(&self, captures: &Captures<'_>) -> Found {
        let whole = captures.get_match();
        let into = captures.name("into").map_or("an interpreter", |into| last_segment(into.as_str()));
        let message = self.about.message.replace("{into}", into);
        Found { start: whole.start(), end: whole.end(), message }
    }
}

fn last_segment(command: &str) -> &str {
    command.rsplit('/').next().unwrap_or(command)
}

fn search(rule: &str, texts: &[impl AsRef<str>]) -> Result<AhoCorasick, RuleError> {
    AhoCorasickBuilder::new()
        .ascii_case_insensitive(true)
        .build(texts.iter().map(AsRef::as_ref))
        .map_err(|error| RuleError::Anchors { rule: rule.to_owned(), error })
}

/// Puts every `<<fragment>>` in its place, fragments inside of fragments too.
fn expanded(rule: &str, pattern: &str, fragments: &BTreeMap<String, String>) -> Result<String, RuleError> {
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
