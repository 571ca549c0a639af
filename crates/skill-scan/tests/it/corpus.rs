//! Every real skill under `CORPUS_DIR`, if there is one: none of them is known to be malicious.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skill_bundle::{Limits, PackRules, pack_folder};
use skill_core::verdict::{Severity, Verdict};
use skill_scan::RuleSet;

use crate::world::shown;

fn skills(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut folders = Vec::new();
    let mut here = false;
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            folders.push(path);
        } else {
            here |= name.eq_ignore_ascii_case("skill.md");
        }
    }
    if here {
        found.push(folder.to_owned());
        return;
    }
    for folder in folders {
        skills(&folder, found);
    }
}

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
    let mut verdicts: BTreeMap<Verdict, u32> = BTreeMap::new();
    let mut rules: BTreeMap<(Severity, String), u32> = BTreeMap::new();
    let mut malicious = Vec::new();
    for folder in &folders {
        let packed = match pack_folder(folder, PackRules::Source, &Limits::default()) {
            Ok(packed) => packed,
            Err(error) => {
                eprintln!("{}: {error}", folder.display());
                continue;
            }
        };
        let report = skill_scan::scan(&packed.bundle, RuleSet::builtin());
        *verdicts.entry(report.verdict).or_default() += 1;
        for finding in &report.findings {
            *rules.entry((finding.severity, finding.rule_id.clone())).or_default() += 1;
            eprintln!("{} {}", folder.display(), shown(finding));
        }
        if report.verdict == Verdict::Malicious {
            malicious.push(folder);
        }
    }
    eprintln!("{} skills: {verdicts:?}\n{rules:#?}", folders.len());
    assert!(malicious.is_empty(), "{malicious:?}");
}
