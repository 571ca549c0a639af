use std::path::{Path, PathBuf};

use skill_bundle::{Bundle, BundleBuilder, BundlePath, Limits};
use skill_core::verdict::Finding;
use skill_scan::{RuleSet, ScanReport};

/// A bundle of these files; a `SKILL.md` is added if there is none.
pub fn bundle(files: &[(&str, &[u8])]) -> Bundle {
    let mut builder = BundleBuilder::new(Limits::default());
    let mut add = |path: &str, bytes: &[u8]| {
        builder.add(BundlePath::parse(path).unwrap(), false, bytes.to_vec()).unwrap();
    };
    for (path, bytes) in files {
        add(path, bytes);
    }
    if files.iter().all(|(path, _)| *path != "SKILL.md") {
        add("SKILL.md", b"---\nname: x\ndescription: y\n---\n");
    }
    builder.finish().unwrap()
}

pub fn scan(files: &[(&str, &[u8])]) -> ScanReport {
    skill_scan::scan(&bundle(files), RuleSet::builtin())
}

/// `severity file:line rule`, then the message and the evidence.
pub fn shown(finding: &Finding) -> String {
    let Finding { rule_id, severity, file, line, message, evidence } = finding;
    format!("{} {file}:{line} {rule_id}\n  {message}\n  {evidence}", severity.as_str())
}

/// The folders below `folder` that hold a SKILL.md.
pub fn skills(folder: &Path, found: &mut Vec<PathBuf>) {
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
