use std::borrow::Cow;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};
use regex::{Captures, Match};
use serde::Deserialize;

use super::expression::{Expression, Fragments};
use super::{About, RuleError, Scope};
use crate::host::Hosts;
use crate::work::Work;

/// How many places of one line an expression is asked for.
pub(crate) const MOST_OF_A_LINE: usize = 16;

/// How many times as much it takes to find the groups of a match as to find the match.
const COST_OF_GROUPS: usize = 4;

/// The rules that are expressions over logical lines.
#[derive(Debug)]
pub(crate) struct PatternRules {
    /// One of these stands in whatever any of the rules finds.
    anchors: AhoCorasick,
    /// The rule that each anchor belongs to.
    owners: Vec<usize>,
    pub(crate) rules: Vec<PatternRule>,
}

/// One such rule.
#[derive(Debug)]
pub(crate) struct PatternRule {
    pub(crate) about: About,
    /// What it finds is encoded text that is decoded and run.
    pub(crate) opens: bool,
    /// It is held against folded text as well.
    pub(crate) folded: bool,
    /// It is about sentences, which nothing runs.
    pub(crate) sentence: bool,
    pub(crate) place: Where,
    /// What it finds is a secret, which is not shown; the least entropy in bits per character.
    pub(crate) secret: Option<f64>,
    /// It finds a pair: one of its patterns, and one of these.
    pub(crate) then: Option<Then>,
    /// Its halves, which name nothing, may be in two files of which one names the other.
    pub(crate) across: bool,
    /// A command that is nothing but the name of the first of a pair is a second one too.
    pub(crate) runs: bool,
    read: Scope,
    /// Names of the files it looks in; none for any.
    files: Vec<String>,
    needs: Option<AhoCorasick>,
    patterns: Vec<Expression>,
    except: Vec<Expression>,
    /// Hosts that are no finding, if the group `name` leads to one.
    except_hosts: Vec<Hosts>,
    /// Found from a match on, they leave a warning of it.
    weaker: Vec<Expression>,
}

/// The second half of a pair.
#[derive(Debug)]
pub(crate) struct Then {
    patterns: Vec<Expression>,
    /// How many lines may lie between the two where a file is no program; in a program, any.
    pub(crate) within: u32,
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
    /// What the group `name`, `secret` or, after a `$`, `variable` holds.
    pub(crate) named: Option<String>,
}

/// A rule as its file has it.
#[derive(Deserialize)]
pub(super) struct RawRule {
    #[serde(flatten)]
    pub(super) about: About,
    anchors: Vec<String>,
    #[serde(default)]
    needs: Vec<String>,
    patterns: Vec<String>,
    #[serde(default)]
    except: Vec<String>,
    #[serde(default)]
    except_hosts: Vec<String>,
    #[serde(default)]
    then: Vec<String>,
    #[serde(default)]
    within: u32,
    #[serde(default)]
    runs: bool,
    #[serde(default)]
    across: bool,
    #[serde(default)]
    opens: bool,
    #[serde(default)]
    folded: bool,
    #[serde(default)]
    sentence: bool,
    #[serde(default)]
    weaker: Vec<String>,
    #[serde(default, rename = "where")]
    place: Where,
    #[serde(default)]
    read: Scope,
    #[serde(default)]
    files: Vec<String>,
    entropy: Option<f64>,
}

impl PatternRules {
    pub(super) fn new(rules: Vec<(PatternRule, Vec<String>)>) -> Result<Self, RuleError> {
        let (mut owners, mut texts, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for (number, (rule, anchors)) in rules.into_iter().enumerate() {
            owners.extend(anchors.iter().map(|_| number));
            texts.extend(anchors);
            all.push(rule);
        }
        Ok(Self { anchors: search("every rule", &texts)?, owners, rules: all })
    }

    /// Whether any rule has something to look at in `text`.
    pub(crate) fn may_find(&self, text: &str) -> bool {
        self.anchors.is_match(text)
    }

    /// The rules that have an anchor in `line`, in their order.
    pub(crate) fn with_anchor_in(&self, line: &str) -> impl Iterator<Item = &PatternRule> {
        self.with_anchor_in_any([line])
    }

    /// The rules that have an anchor in one of `lines`, in their order.
    pub(crate) fn with_anchor_in_any<const N: usize>(
        &self,
        lines: [&str; N],
    ) -> impl Iterator<Item = &PatternRule> {
        let mut has = vec![false; self.rules.len()];
        for anchor in lines.iter().flat_map(|line| self.anchors.find_overlapping_iter(line)) {
            has[self.owners[anchor.pattern().as_usize()]] = true;
        }
        self.rules.iter().zip(has).filter_map(|(rule, has)| has.then_some(rule))
    }
}

impl PatternRule {
    /// The rule, and its anchors.
    pub(super) fn read(raw: RawRule, fragments: &Fragments) -> Result<(Self, Vec<String>), RuleError> {
        let RawRule {
            about, anchors, needs, runs, across, opens, sentence, place, read, files, within, ..
        } = raw;
        let expressions = |texts: &[String]| Expression::all(&about.id, texts, fragments);
        let (patterns, except) = (expressions(&raw.patterns)?, expressions(&raw.except)?);
        let then =
            if raw.then.is_empty() { None } else { Some(Then { patterns: expressions(&raw.then)?, within }) };
        let needs = if needs.is_empty() { None } else { Some(search(&about.id, &needs)?) };
        let (secret, folded, weaker) = (raw.entropy, raw.folded || sentence, expressions(&raw.weaker)?);
        let except_hosts = raw.except_hosts.iter().map(|host| Hosts::read(host)).collect();
        let rule = Self {
            about,
            opens,
            folded,
            sentence,
            place,
            secret,
            then,
            across,
            runs,
            read,
            files,
            needs,
            patterns,
            except,
            except_hosts,
            weaker,
        };
        Ok((rule, anchors))
    }

    /// Whether it looks into a file of this path and kind.
    pub(crate) fn reads(&self, path: &str, is_program: bool) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let named = self.files.is_empty() || self.files.iter().any(|file| file.eq_ignore_ascii_case(name));
        named && self.read.holds(is_program)
    }

    /// What it finds in `line`, which has one of its anchors: each expression's matches in their
    /// order, at most [`MOST_OF_A_LINE`] of each.
    pub(crate) fn find(&self, line: &str, work: &mut Work) -> Vec<Found> {
        if self.needs.as_ref().is_some_and(|needs| !needs.is_match(line)) {
            return Vec::new();
        }
        self.matches(&self.patterns, line, work)
    }

    /// What of the second half of a pair is in `line`.
    pub(crate) fn find_second(&self, line: &str, work: &mut Work) -> Vec<Found> {
        self.then.as_ref().map_or_else(Vec::new, |then| self.matches(&then.patterns, line, work))
    }

    fn matches(&self, patterns: &[Expression], line: &str, work: &mut Work) -> Vec<Found> {
        let mut found = Vec::new();
        for pattern in patterns {
            self.matches_of(pattern, line, work, &mut found);
        }
        found
    }

    /// What is excepted is taken out of the line, which is then read again: what stands behind an
    /// exception is no part of it. More exceptions than are looked at are none.
    fn matches_of(&self, pattern: &Expression, line: &str, work: &mut Work, found: &mut Vec<Found>) {
        let mut line = Cow::Borrowed(line);
        let before = found.len();
        for round in 1..=MOST_OF_A_LINE {
            if !work.take(line.len()) {
                return;
            }
            let mut excepted = Vec::new();
            for captures in pattern.regex().captures_iter(&line).take(MOST_OF_A_LINE) {
                // What is found is gone through once more for its groups, by a slower engine.
                if !work.take(captures.get_match().len() * COST_OF_GROUPS) {
                    return;
                }
                let subject = captures.name("subject").or_else(|| captures.name("name"));
                // What was taken out is nothing any more.
                if subject.is_some_and(|subject| subject.as_str().trim().is_empty()) {
                    continue;
                }
                if round == MOST_OF_A_LINE || !self.is_excepted(&captures, subject) {
                    found.push(self.found(&captures));
                } else if let Some(subject) = subject {
                    excepted.push(subject.range());
                }
            }
            if excepted.is_empty() {
                return;
            }
            let mut rest = line.into_owned();
            for range in excepted {
                let blanks = " ".repeat(range.len());
                rest.replace_range(range, &blanks);
            }
            line = Cow::Owned(rest);
            found.truncate(before);
        }
    }

    /// Whether `text`, a match and what follows it, says less than the match alone.
    pub(crate) fn is_weaker(&self, text: &str) -> bool {
        self.weaker.iter().any(|weaker| weaker.regex().is_match(text))
    }

    /// Exceptions are held against the group `subject` or `name` if there is one, else against all of it.
    fn is_excepted(&self, captures: &Captures<'_>, subject: Option<Match<'_>>) -> bool {
        let text = subject.unwrap_or(captures.get_match()).as_str();
        self.except.iter().any(|except| except.regex().is_match(text))
            || (subject.is_some() && self.is_excepted_host(text))
    }

    /// Whether an address leads to a host that is no finding.
    pub(super) fn is_excepted_host(&self, address: &str) -> bool {
        self.except_hosts.iter().any(|hosts| hosts.hold(address))
    }

    /// The hosts that are no finding.
    #[cfg(test)]
    pub(super) fn except_hosts(&self) -> &[Hosts] {
        &self.except_hosts
    }

    fn found(&self, captures: &Captures<'_>) -> Found {
        let whole = captures.get_match();
        let into = captures.name("into").map_or("an interpreter", |into| last_segment(into.as_str()));
        let message = self.about.message.replace("{into}", into);
        let named = captures.name("name").or_else(|| captures.name("secret"));
        // A variable and a file of one name are not the same.
        let variable = captures.name("variable").map(|name| format!("${}", name.as_str()));
        let named = variable.or_else(|| named.map(|named| named.as_str().to_owned()));
        Found { start: whole.start(), end: whole.end(), message, named }
    }

    /// All of its expressions.
    #[cfg(test)]
    pub(super) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let then = self.then.iter().flat_map(|then| &then.patterns);
        self.patterns.iter().chain(&self.except).chain(&self.weaker).chain(then)
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
