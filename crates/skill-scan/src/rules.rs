//! The families of rules, and what they share: how a finding is noted.

pub(crate) mod files;
mod guard;
pub(crate) mod hidden_unicode;
mod manifests;
mod mention;
mod orders;
pub(crate) mod pairs;
pub(crate) mod patterns;
mod prose;
mod quoted;
mod reading;
pub(crate) mod runs;
mod secret;
pub(crate) mod spans;

use std::collections::BTreeMap;

use skill_core::verdict::{Finding, Severity};

use crate::evidence::shown;
use crate::file::SourceFile;
use crate::ruleset::About;
use crate::{Counts, Hit};

/// After this many findings of one rule in one file the others are counted.
const MOST_OF_A_RULE: u32 = 20;

/// Notes the findings of one file.
pub(crate) struct Notes<'n> {
    path: &'n str,
    is_program: bool,
    /// How many hits there were in other files and of other families.
    before: usize,
    hits: &'n mut Vec<Hit>,
    counts: BTreeMap<&'n str, Count<'n>>,
}

/// How often a rule found something in one file.
struct Count<'n> {
    about: &'n About,
    noted: u32,
    /// What was counted only, and the worst of it.
    more: Option<(Counts, Severity)>,
}

impl<'n> Notes<'n> {
    pub(crate) fn new(file: &SourceFile<'n>, hits: &'n mut Vec<Hit>) -> Self {
        Self::at(file.path(), file.is_program(), hits)
    }

    /// The same for the file at `path`.
    pub(crate) fn at(path: &'n str, is_program: bool, hits: &'n mut Vec<Hit>) -> Self {
        let before = hits.len();
        Self { path, is_program, before, hits, counts: BTreeMap::new() }
    }

    /// Whether the rule has a finding of at least this weight in that line.
    pub(crate) fn has(&self, about: &About, severity: Severity, line: u32) -> bool {
        self.hits[self.before..].iter().any(|Hit { finding, .. }| {
            finding.line == line && finding.rule_id == about.id && finding.severity >= severity
        })
    }

    /// Notes what a rule found; `line` from 1, 0 for the whole file.
    pub(crate) fn note(&mut self, about: &'n About, line: u32, message: &str, evidence: &str) {
        self.note_as(about, about.severity, line, message, evidence);
    }

    /// The same with a lighter severity, which takes the rule's own verdict away.
    pub(crate) fn note_as(
        &mut self,
        about: &'n About,
        severity: Severity,
        line: u32,
        message: &str,
        evidence: &str,
    ) {
        let count = self.counts.entry(&about.id).or_insert(Count { about, noted: 0, more: None });
        if count.noted == MOST_OF_A_RULE {
            let (mut more, worst) = count.more.unwrap_or((Counts::default(), severity));
            more.add(severity);
            count.more = Some((more, worst.max(severity)));
            return;
        }
        count.noted += 1;
        let mut places = Counts::default();
        places.add(severity);
        let (rule_id, file) = (about.id.clone(), self.path.to_owned());
        let (message, evidence) = (message.to_owned(), shown(evidence));
        self.push(about, Finding { rule_id, severity, file, line, message, evidence }, places);
    }

    fn push(&mut self, about: &About, finding: Finding, places: Counts) {
        let convicts = about.is_malicious() && about.verdict_in.holds(self.is_program);
        let malicious = convicts && finding.severity == about.severity;
        self.hits.push(Hit { finding, malicious, places });
    }
}

impl Drop for Notes<'_> {
    /// What was only counted is said once.
    fn drop(&mut self) {
        for Count { about, more, .. } in std::mem::take(&mut self.counts).into_values() {
            let Some((more, worst)) = more else { continue };
            let message = format!("{}: {} more places in this file", about.title(), more.total());
            let (rule_id, file) = (about.id.clone(), self.path.to_owned());
            let finding =
                Finding { rule_id, severity: worst, file, line: 0, message, evidence: String::new() };
            self.push(about, finding, more);
        }
    }
}
