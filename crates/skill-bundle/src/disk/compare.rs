use std::collections::BTreeSet;

use super::{DiskCheck, DiskFinding, DiskReport, ForeignFile};
use crate::tree::{Mode, Tree, TreeEntry};

/// The folder in which Python keeps what it compiled.
const GENERATED: &str = "__pycache__";

/// How an installed skill differs from what was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Every difference, in order of check and path. Empty: byte for byte what was published.
    pub findings: Vec<DiskFinding>,
    /// Files that other tools left, which are no difference.
    pub foreign: Vec<ForeignFile>,
}

/// Compares an installed skill with the tree that was published: the report's own findings, and files that are
/// missing, added, or have other bytes or the other mode. A `__pycache__` is one finding, however many files it has.
pub fn compare(published: &Tree, disk: &DiskReport) -> Comparison {
    let emptied = |one: &&DiskFinding| {
        one.check == DiskCheck::Extra
            && published.entries().iter().any(|entry| entry.path.as_str().starts_with(&one.path))
    };
    // Where a published file is missing, that its folder is now empty says nothing new.
    let mut findings: Vec<DiskFinding> = disk.findings.iter().filter(|one| !emptied(one)).cloned().collect();
    for entry in published.entries() {
        findings.extend(changed(entry, disk));
    }
    let mut foreign = Vec::new();
    let mut generated = BTreeSet::new();
    for entry in disk.tree.entries() {
        let path = entry.path.as_str();
        if published.get(path).is_some() {
            continue;
        }
        if let Some(known) = disk.foreign.iter().find(|known| known.path == path) {
            if known.readable {
                foreign.push(known.clone());
            } else {
                let detail = format!("not what {} writes there", known.tool);
                findings.push(DiskFinding {
                    check: DiskCheck::ForeignUnreadable,
                    path: path.to_owned(),
                    detail,
                });
            }
        } else if let Some(folder) = entry.path.folders().find(|folder| is_generated(folder)) {
            generated.insert(format!("{folder}/"));
        } else {
            findings.push(finding(DiskCheck::Extra, path, "not published"));
        }
    }
    findings.extend(
        generated.iter().map(|folder| finding(DiskCheck::Generated, folder, "made by running Python")),
    );
    findings.sort();
    Comparison { findings, foreign }
}

fn is_generated(folder: &str) -> bool {
    folder.rsplit('/').next() == Some(GENERATED)
}

/// How one published file differs on disk.
fn changed(published: &TreeEntry, disk: &DiskReport) -> Vec<DiskFinding> {
    let path = published.path.as_str();
    let Some(here) = disk.tree.get(path) else {
        return vec![finding(DiskCheck::Missing, path, "published, and not there")];
    };
    let mut findings = Vec::new();
    if here.sha256 != published.sha256 {
        findings.push(finding(DiskCheck::Content, path, "other bytes than published"));
    }
    if disk.keeps_modes && here.mode != published.mode {
        let detail = match here.mode {
            Mode::Executable => "executable, published as plain",
            Mode::Plain => "plain, published as executable",
        };
        findings.push(finding(DiskCheck::Mode, path, detail));
    }
    findings
}

fn finding(check: DiskCheck, path: &str, detail: &str) -> DiskFinding {
    DiskFinding { check, path: path.to_owned(), detail: detail.to_owned() }
}
