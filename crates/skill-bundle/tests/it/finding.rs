//! The skills below a folder.

use skill_bundle::{BundleError, find_skills};

use crate::packing::folder;

#[test]
fn every_folder_with_a_skill_md_and_nothing_below_one() {
    let folder = folder(&[
        ("zeta/SKILL.md", ""),
        ("alpha/skill.md", ""),
        ("group/deep/er/SKILL.md", ""),
        ("outer/SKILL.md", ""),
        ("outer/inner/SKILL.md", ""),
        ("notes/README.md", ""),
        ("empty/", ""),
        (".hidden/SKILL.md", ""),
        ("node_modules/x/SKILL.md", ""),
        (".git/SKILL.md", ""),
        ("kept-out/SKILL.md", ""),
        ("group/also-out/SKILL.md", ""),
        (".skillignore", "kept-out/\n**/also-out/\n"),
        ("a-folder/SKILL.md/", ""),
    ]);
    // A link is not followed: what it ends at is found where it lies, or is not below.
    std::os::unix::fs::symlink("zeta", folder.path().join("linked")).unwrap();
    assert_eq!(find_skills(folder.path()).unwrap(), ["alpha", "group/deep/er", "outer", "zeta"]);
}

#[test]
fn a_skill_is_the_only_one_of_its_folder() {
    let folder = folder(&[("SKILL.md", ""), ("inner/SKILL.md", "")]);
    assert_eq!(find_skills(folder.path()).unwrap(), [""]);
}

/// A dot folder that `.skillignore` takes in is looked into, for what it names.
#[test]
fn what_an_ignore_file_takes_in() {
    let folder = folder(&[
        (".ours/one/SKILL.md", ""),
        (".ours/two/SKILL.md", ""),
        (".skillignore", "!.ours/one\n!.ours/one/**\n"),
    ]);
    assert_eq!(find_skills(folder.path()).unwrap(), [".ours/one"]);
}

#[test]
fn no_folder_and_too_many() {
    let folder = folder(&[("file", ""), (&format!("{}SKILL.md", "d/".repeat(40)), "")]);
    assert!(matches!(find_skills(&folder.path().join("absent")), Err(BundleError::NotFound { .. })));
    assert!(matches!(find_skills(&folder.path().join("file")), Err(BundleError::NotAFolder { .. })));
    assert!(matches!(find_skills(folder.path()), Err(BundleError::FilesMany { limit: 32, .. })));
}
