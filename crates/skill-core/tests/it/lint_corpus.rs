//! What `skill lint` says about real skills: a table of codes, every finding in a file to read, and laws that hold for all.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use skill_core::diagnostic::{Diagnostic, Edit, apply_edits, rule};
use skill_core::lint::{LintFile, LintInput, lint, rules};

use crate::corpus::{points_into, skill_files};

struct Bundle {
    folder: PathBuf,
    files: Vec<(String, bool, Vec<u8>)>,
}

impl Bundle {
    fn read(folder: &Path) -> Self {
        let mut files = Vec::new();
        collect(folder, folder, &mut files);
        Self { folder: folder.to_owned(), files }
    }

    fn lint(&self, strict: bool) -> Vec<Diagnostic> {
        let name = self.folder.file_name().unwrap().to_string_lossy();
        let files: Vec<LintFile<'_>> = self
            .files
            .iter()
            .map(|(path, executable, content)| LintFile { path, executable: *executable, content })
            .collect();
        lint(&LintInput { folder: Some(&name), files: &files, strict })
    }

    /// The bundle with every fix made.
    fn fixed(&self, found: &[Diagnostic]) -> Self {
        let mut fixed = Self { folder: self.folder.clone(), files: self.files.clone() };
        for (path, executable, content) in &mut fixed.files {
            let name = if path.eq_ignore_ascii_case("SKILL.md") { "SKILL.md" } else { path.as_str() };
            let of_file: Vec<&Diagnostic> = found.iter().filter(|found| found.file == name).collect();
            let edits: Vec<&Edit> = of_file.iter().filter_map(|found| found.edit.as_ref()).collect();
            *content = apply_edits(content, edits).0;
            *executable |= of_file.iter().any(|found| found.sets_executable);
        }
        fixed
    }
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, bool, Vec<u8>)>) {
    use std::os::unix::fs::PermissionsExt as _;
    for entry in fs_err::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let executable = fs_err::metadata(&path).unwrap().permissions().mode() & 0o100 != 0;
            let inside = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            files.push((inside, executable, fs_err::read(&path).unwrap()));
        }
    }
}

#[test]
fn real_skills_by_code() {
    #[expect(clippy::disallowed_methods, reason = "the corpus is no part of the project")]
    let Some(root) = env::var_os("CORPUS_DIR") else {
        eprintln!("skipped: CORPUS_DIR is not set");
        return;
    };
    let mut pages = Vec::new();
    skill_files(Path::new(&root), &mut pages);
    let mut counts: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    let mut lines = String::new();
    for page in &pages {
        let bundle = Bundle::read(page.parent().unwrap());
        let found = bundle.lint(false);
        let mut seen = std::collections::HashSet::new();
        for found in &found {
            let count = counts.entry(found.code).or_default();
            count.0 += 1;
            count.1 += u32::from(seen.insert(found.code));
            holds(&bundle, found);
            let at = bundle.folder.strip_prefix(&root).unwrap().display();
            let _ = writeln!(
                lines,
                "{}\t{at}/{}:{}:{}\t{}\t{}",
                found.code, found.file, found.line, found.column, found.message, found.excerpt
            );
        }
        fixing_leaves_nothing_to_fix(&bundle, &found);
        bundle.lint(true);
    }
    println!("{} bundles; findings, bundles:", pages.len());
    for rule in rules() {
        let (findings, bundles) = counts.get(rule.code).copied().unwrap_or_default();
        println!("| {:?} | {} | {findings} | {bundles} |", rule.level, rule.code);
    }
    fs_err::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("lint-findings.tsv"), lines).unwrap();
}

/// The finding is one of the table and points at what it shows.
fn holds(bundle: &Bundle, found: &Diagnostic) {
    assert!(rule(found.code).is_some(), "{found:?}");
    let same =
        |path: &str| path == found.file || found.file == "SKILL.md" && path.eq_ignore_ascii_case("SKILL.md");
    let file = bundle.files.iter().find(|(path, ..)| same(path));
    let (_, _, content) = file.unwrap_or_else(|| panic!("{}: {found:?}", bundle.folder.display()));
    if found.line > 1 || !found.excerpt.is_empty() {
        points_into(content, found, &bundle.folder);
    }
}

/// Fixes are made once: what they write has none left, and what cannot be fixed by a program stays said.
fn fixing_leaves_nothing_to_fix(bundle: &Bundle, found: &[Diagnostic]) {
    if !found.iter().any(Diagnostic::is_fixable) {
        return;
    }
    let after = bundle.fixed(found).lint(false);
    let left: Vec<&Diagnostic> = after.iter().filter(|found| found.is_fixable()).collect();
    assert!(left.is_empty(), "{}: {left:#?}", bundle.folder.display());
}
