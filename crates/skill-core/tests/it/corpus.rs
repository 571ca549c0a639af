//! Real skills: each gives a manifest or one coded error, and every finding points into the file.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use skill_core::diagnostic::{Diagnostic, apply_edits, rule};
use skill_core::lint::{LintFile, LintInput, lint};
use skill_core::manifest::Manifest;

#[test]
fn every_real_skill_can_be_read() {
    #[expect(clippy::disallowed_methods, reason = "the corpus is no part of the project")]
    let Some(root) = env::var_os("CORPUS_DIR") else {
        eprintln!("skipped: CORPUS_DIR is not set");
        return;
    };
    let mut files = Vec::new();
    skill_files(Path::new(&root), &mut files);
    assert!(!files.is_empty(), "no SKILL.md below CORPUS_DIR");
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for path in &files {
        let bytes = fs_err::read(path).unwrap();
        let folder = path.parent().and_then(Path::file_name).unwrap().to_string_lossy();
        match Manifest::read(&bytes, &folder) {
            Ok((manifest, found)) => {
                assert!(!manifest.name.is_empty(), "{}", path.display());
                for diagnostic in &found {
                    *counts.entry(diagnostic.code).or_default() += 1;
                    points_into(&bytes, diagnostic, path);
                }
                for diagnostic in lint_alone(&bytes, &folder) {
                    points_into(&bytes, &diagnostic, path);
                }
                fixing_helps(&bytes, &folder, &manifest, &found, path);
            }
            Err(error) => {
                *counts.entry(error.code()).or_default() += 1;
                points_into(&bytes, &error.diagnostic(), path);
                println!("{}: {error}", path.display());
            }
        }
    }
    println!("{} files: {counts:#?}", files.len());
}

pub(crate) fn skill_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            skill_files(&path, files);
        } else if path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md")) {
            files.push(path);
        }
    }
}

/// The findings of the file without the rest of its folder, in both modes.
fn lint_alone(bytes: &[u8], folder: &str) -> Vec<Diagnostic> {
    let files = [LintFile { path: "SKILL.md", executable: false, content: bytes }];
    let found = |strict| lint(&LintInput { folder: Some(folder), files: &files, strict });
    [found(false), found(true)].concat()
}

/// The code is in the table, the excerpt is the line, the columns are inside it.
pub(crate) fn points_into(bytes: &[u8], diagnostic: &Diagnostic, path: &Path) {
    assert!(rule(diagnostic.code).is_some(), "{diagnostic:?}");
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{FEFF}').replace("\r\n", "\n").replace('\r', "\n");
    let line = text.split('\n').nth(diagnostic.line as usize - 1).unwrap_or_default();
    assert_eq!(line, diagnostic.excerpt, "{}: {diagnostic:?}", path.display());
    let columns = line.chars().count() as u32 + 1;
    assert!((1..=columns).contains(&diagnostic.column), "{}: {diagnostic:?}", path.display());
}

/// What `--fix` writes reads the same, and nothing is left to fix.
fn fixing_helps(bytes: &[u8], folder: &str, before: &Manifest, found: &[Diagnostic], path: &Path) {
    let edits = found.iter().filter_map(|found| found.edit.as_ref());
    let (fixed, count) = apply_edits(bytes, edits);
    if count > 0 {
        let (after, rest) = Manifest::read(&fixed, folder).unwrap();
        assert!(rest.iter().all(|found| found.edit.is_none()), "{}: {rest:#?}", path.display());
        assert_eq!((&after.name, &after.description), (&before.name, &before.description));
    }
}
