//! The skills that come with the program are what a clean skill looks like.

use std::path::Path;

use skill_bundle::{Limits, PackRules, pack_folder};
use skill_core::verdict::Verdict;
use skill_scan::RuleSet;

use crate::world::{shown, skills};

#[test]
fn every_example_is_clean() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/skills");
    let mut folders = Vec::new();
    skills(&folder, &mut folders);
    for path in &folders {
        let packed = pack_folder(path, PackRules::Publish, &Limits::default()).unwrap();
        let report = skill_scan::scan(&packed.bundle, RuleSet::builtin());
        let findings: Vec<_> = report.findings.iter().map(shown).collect();
        assert_eq!(report.verdict, Verdict::Clean, "{}: {findings:#?}", path.display());
    }
    assert!(folders.len() >= 8, "{folders:?}");
}
