//! What was found, and no more of it than somebody reads.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Diagnostic, Level};

/// Findings of a rule in one file.
const IN_A_FILE: usize = 50;
/// Findings of a rule in all files. Each holds a line of up to 4 KiB, and a hostile bundle has room for millions.
const OF_A_RULE: usize = 500;

/// What was found: of a rule the first 50 in each file and the first 500 of all, and how many more there are.
#[derive(Debug, Default)]
pub(super) struct Findings {
    kept: Vec<Diagnostic>,
    of_rule: HashMap<&'static str, Count>,
}

#[derive(Debug, Default)]
struct Count {
    kept: usize,
    in_file: HashMap<String, usize>,
    more: usize,
}

impl Findings {
    pub(super) fn push(&mut self, found: Diagnostic) {
        let count = self.of_rule.entry(found.code).or_default();
        let in_file = match count.in_file.get_mut(&found.file) {
            Some(in_file) => in_file,
            None => count.in_file.entry(found.file.clone()).or_default(),
        };
        if *in_file >= IN_A_FILE || count.kept >= OF_A_RULE {
            count.more += 1;
            return;
        }
        *in_file += 1;
        count.kept += 1;
        self.kept.push(found);
    }

    /// Where the findings of a code stand in SKILL.md, as line and column.
    pub(super) fn places(&self, code: &str) -> HashSet<(u32, u32)> {
        self.kept.iter().filter(|found| found.code == code).map(|found| (found.line, found.column)).collect()
    }

    /// All that is kept, by file (`SKILL.md` first), then line, then column. The last of a rule says how many more there
    /// are. With `strict` every warning is an error.
    pub(super) fn sorted(self, strict: bool) -> Vec<Diagnostic> {
        let mut found = self.kept;
        found.sort_by(|one, other| place(one).cmp(&place(other)));
        for (code, count) in self.of_rule.into_iter().filter(|(_, count)| count.more > 0) {
            if let Some(last) = found.iter_mut().rev().find(|found| found.code == code) {
                last.message = format!("{}; {} more like it are not shown", last.message, count.more);
            }
        }
        if strict {
            for diagnostic in found.iter_mut().filter(|found| found.severity == Level::Warning) {
                diagnostic.severity = Level::Error;
            }
        }
        found
    }
}

impl Extend<Diagnostic> for Findings {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, found: I) {
        for found in found {
            self.push(found);
        }
    }
}

fn place(found: &Diagnostic) -> (bool, &str, u32, u32) {
    (found.file != "SKILL.md", &found.file, found.line, found.column)
}
