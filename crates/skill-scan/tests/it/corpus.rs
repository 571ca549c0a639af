//! Every real skill under `CORPUS_DIR`, if that is set: none of them is known to be malicious.

use std::collections::BTreeMap;
use std::path::Path;

use skill_bundle::{Limits, PackRules, pack_folder};
use skill_core::verdict::{Severity, Verdict};
use skill_scan::RuleSet;

use crate::world::{shown, skills};

/// How many real skills say enough.
const LEAST: usize = 363;

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "where the real skills lie is said to the test, not to the library"
)]
fn real_skills() {
    let Some(corpus) = std::env::var_os("CORPUS_DIR") else {
        eprintln!("CORPUS_DIR is not set: no real skills were scanned");
        return;
    };
    let mut folders = Vec::new();
    skills(Path::new(&corpus), &mut folders);
    folders.sort();
    assert!(folders.len() >= LEAST, "{} skills below {}", folders.len(), Path::new(&corpus).display());
    let mut verdicts: BTreeMap<Verdict, u32> = BTreeMap::new();
    let mut rules: BTreeMap<(Severity, String), u32> = BTreeMap::new();
    let mut most_work = 0;
    let (mut malicious, mut weighs) = (Vec::new(), Vec::new());
    for folder in &folders {
        let packed = pack_folder(folder, PackRules::Source, &Limits::default());
        let packed = packed.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let report = skill_scan::scan(&packed.bundle, RuleSet::builtin());
        most_work = most_work.max(report.examined);
        *verdicts.entry(report.verdict).or_default() += 1;
        for finding in &report.findings {
            *rules.entry((finding.severity, finding.rule_id.clone())).or_default() += 1;
            eprintln!("{} {}", folder.display(), shown(finding));
        }
        match report.verdict {
            Verdict::Clean => {}
            Verdict::Malicious => malicious.push(folder),
            Verdict::Suspicious | Verdict::NotAnalysable => weighs.push(folder),
        }
    }
    eprintln!("{} skills: {verdicts:?}, at most {most_work} bytes examined\n{rules:#?}", folders.len());
    let at_most = |permille: usize| folders.len() * permille / 1000;
    assert!(malicious.len() <= at_most(5), "{malicious:?}");
    assert!(weighs.len() <= at_most(50), "{} of {}: {weighs:#?}", weighs.len(), folders.len());
}
