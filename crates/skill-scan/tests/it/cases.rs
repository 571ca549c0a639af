//! `tests/cases/<rule>.toml`: for each rule at least three texts that it must find, written
//! independently of each other, and three that look like it and are none.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use skill_core::verdict::{Finding, Severity};
use skill_scan::RuleSet;

use crate::world::{scan, shown};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    found: Vec<Found>,
    lookalike: Vec<Lookalike>,
}

#[derive(Deserialize)]
struct Sample {
    #[serde(default)]
    name: String,
    file: String,
    text: Option<String>,
    hex: Option<String>,
}

#[derive(Deserialize)]
struct Found {
    #[serde(flatten)]
    sample: Sample,
    line: u32,
    message: Option<String>,
    evidence: Option<String>,
}

#[derive(Deserialize)]
struct Lookalike {
    #[serde(flatten)]
    sample: Sample,
    /// Found all the same, with exactly this.
    severity: Option<Severity>,
}

impl Sample {
    fn findings(&self, rule: &str) -> Vec<Finding> {
        let bytes = match (&self.text, &self.hex) {
            (Some(text), None) => text.clone().into_bytes(),
            (None, Some(hex)) => hex
                .as_bytes()
                .chunks(2)
                .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
                .collect(),
            _ => panic!("{rule}: {}: `text` or `hex`", self.name),
        };
        let mut findings = scan(&[(&self.file, &bytes)]).findings;
        findings.retain(|finding| finding.rule_id == rule);
        findings
    }
}

fn cases() -> BTreeMap<String, Cases> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let files = fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| {
            let rule = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let cases = toml::from_str(&fs_err::read_to_string(&path).unwrap());
            let cases = cases.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (rule, cases)
        })
        .collect()
}

#[test]
fn every_rule_has_cases() {
    let cases = cases();
    let mut rules: Vec<_> = RuleSet::builtin().rules().map(|about| about.id.as_str()).collect();
    // What they find is too large for a file of cases, or takes two files: other tests have them.
    rules.retain(|id| !["too-much-to-read", "opaque-run"].contains(id));
    rules.sort_unstable();
    assert_eq!(cases.keys().collect::<Vec<_>>(), rules);
    for (rule, Cases { found, lookalike }) in cases {
        assert!(found.len() >= 3 && lookalike.len() >= 3, "{rule}: {} {}", found.len(), lookalike.len());
    }
}

#[test]
fn what_must_be_found() {
    let severities: BTreeMap<_, _> =
        RuleSet::builtin().rules().map(|about| (about.id.as_str(), about.severity)).collect();
    let mut missed = Vec::new();
    for (rule, cases) in &cases() {
        for (number, Found { sample, line, message, evidence }) in cases.found.iter().enumerate() {
            let findings = sample.findings(rule);
            let fits = findings.iter().any(|found| {
                found.line == *line
                    && found.file == sample.file
                    && found.severity == severities[rule.as_str()]
                    && message.as_ref().is_none_or(|message| &found.message == message)
                    && evidence.as_ref().is_none_or(|evidence| found.evidence.contains(evidence))
            });
            if !fits {
                let got: Vec<_> = findings.iter().map(shown).collect();
                missed.push(format!("{rule} {}. {} ({}): {got:#?}", number + 1, sample.file, sample.name));
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn what_must_not_be_found() {
    let mut wrong = Vec::new();
    for (rule, cases) in &cases() {
        for Lookalike { sample, severity } in &cases.lookalike {
            let findings = sample.findings(rule);
            let fits = match severity {
                None => findings.is_empty(),
                Some(lighter) => {
                    !findings.is_empty() && findings.iter().all(|found| found.severity == *lighter)
                }
            };
            if !fits {
                let got: Vec<_> = findings.iter().map(shown).collect();
                wrong.push(format!("{rule} {} ({}): {got:#?}", sample.file, sample.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} found:\n{}", wrong.len(), wrong.join("\n"));
}
