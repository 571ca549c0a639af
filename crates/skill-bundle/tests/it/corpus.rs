//! Real skills: whatever people publish is taken and comes out as it went in, or is refused with one code.
//! Set `CORPUS_DIR` to a folder of skills.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use skill_bundle::disk::{compare, read_installed, stage};
use skill_bundle::{Limits, PackRules, Tree, open_archive, pack_folder, write_canonical};

#[test]
fn every_skill_comes_out_as_it_went_in_or_is_refused_with_a_code() {
    #[expect(clippy::disallowed_methods, reason = "the corpus is named by the environment, here alone")]
    let Some(corpus) = std::env::var_os("CORPUS_DIR") else {
        eprintln!("not run: CORPUS_DIR is not set");
        return;
    };
    let mut skills = Vec::new();
    find(Path::new(&corpus), &mut skills);
    assert!(!skills.is_empty());
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for skill in &skills {
        for rules in [PackRules::Publish, PackRules::Source] {
            let outcome = round_trip(skill, rules);
            if outcome != "identical" {
                eprintln!("{}: {outcome}", skill.display());
            }
            let code = outcome.split(':').next().unwrap_or_default();
            *outcomes.entry(format!("{rules:?} {code}")).or_default() += 1;
        }
    }
    eprintln!("{} skills: {outcomes:#?}", skills.len());
}

fn round_trip(skill: &Path, rules: PackRules) -> String {
    let packed = match pack_folder(skill, rules, &Limits::default()) {
        Ok(packed) => packed,
        Err(error) => return format!("{}: {error}", error.code()),
    };
    let mut zip = Vec::new();
    write_canonical(&packed.bundle, &mut zip).unwrap();
    let (opened, skipped) = open_archive(&mut Cursor::new(zip), &Limits::default()).unwrap();
    assert!(skipped.is_empty(), "{}", skill.display());
    assert_eq!(Tree::of(&opened), Tree::of(&packed.bundle), "{}", skill.display());
    let folder = tempfile::tempdir().unwrap();
    stage(&opened, &Dir::open_ambient_dir(folder.path(), cap_std::ambient_authority()).unwrap()).unwrap();
    let report = read_installed(folder.path()).unwrap();
    assert_eq!(compare(&Tree::of(&packed.bundle), &report).findings, [], "{}", skill.display());
    "identical".to_owned()
}

/// Folders that hold a file `SKILL.md` in any letter case, and no skill above them.
fn find(folder: &Path, skills: &mut Vec<PathBuf>) {
    let entries: Vec<PathBuf> =
        fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let is_main = |path: &PathBuf| {
        path.file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"))
    };
    if entries.iter().any(is_main) {
        skills.push(folder.to_owned());
        return;
    }
    let mut folders: Vec<&PathBuf> = entries.iter().filter(|path| path.is_dir()).collect();
    folders.sort();
    for folder in folders {
        find(folder, skills);
    }
}
