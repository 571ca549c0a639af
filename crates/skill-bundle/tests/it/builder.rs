use skill_bundle::{BundleBuilder, BundleError, BundlePath, Limits};

use crate::refusal;

fn build(paths: &[&str]) -> Result<skill_bundle::Bundle, BundleError> {
    build_within(paths, Limits::default())
}

fn build_within(paths: &[&str], limits: Limits) -> Result<skill_bundle::Bundle, BundleError> {
    let mut builder = BundleBuilder::new(limits);
    for path in paths {
        builder.add(BundlePath::parse(path).unwrap(), false, b"12345".to_vec())?;
    }
    builder.finish()
}

#[test]
fn duplicate() {
    insta::assert_snapshot!(refusal(build(&["SKILL.md", "a", "a"])), @"bundle-duplicate: `a` is there twice");
    insta::assert_snapshot!(refusal(build(&["SKILL.md", "é", "e\u{301}"])), @"bundle-duplicate: `é` is there twice");
}

#[test]
fn collision_of_files() {
    insta::assert_snapshot!(refusal(build(&["SKILL.md", "Read.md", "READ.md"])), @"bundle-path-collision: `Read.md` and `READ.md` are the same path on some systems");
    assert_eq!(build(&["SKILL.md", "straße", "STRASSE"]).unwrap_err().code(), "bundle-path-collision");
    assert_eq!(build(&["SKILL.md", "ﬁle", "file"]).unwrap_err().code(), "bundle-path-collision");
}

#[test]
fn collision_of_folders() {
    insta::assert_snapshot!(refusal(build(&["SKILL.md", "Docs/a", "docs/b"])), @"bundle-path-collision: `Docs` and `docs` are the same path on some systems");
}

#[test]
fn file_that_is_a_folder() {
    insta::assert_snapshot!(refusal(build(&["SKILL.md", "a", "a/b"])), @"bundle-file-folder: `a` is a file and also a folder");
    insta::assert_snapshot!(refusal(build(&["SKILL.md", "a/b", "a"])), @"bundle-file-folder: `a` is a file and also a folder");
}

#[test]
fn no_skill_md() {
    insta::assert_snapshot!(refusal(build(&["README.md"])), @"bundle-no-skill-md: there is no SKILL.md in the bundle");
    insta::assert_snapshot!(refusal(build(&["x/SKILL.md"])), @"bundle-no-skill-md: there is no SKILL.md in the bundle");
}

#[test]
fn skills_md() {
    insta::assert_snapshot!(refusal(build(&["Skills.md"])), @"bundle-skills-md: `Skills.md` is not read: rename it to SKILL.md");
    assert!(build(&["SKILL.md", "skills.md"]).is_ok());
}

#[test]
fn two_skill_md() {
    insta::assert_snapshot!(refusal(build(&["SKILL.md", "skill.md"])), @"bundle-two-skill-md: `SKILL.md` and `skill.md` are both the skill's main file");
}

#[test]
fn skill_md_in_another_letter_case_is_stored_as_skill_md() {
    let bundle = build(&["Skill.md"]).unwrap();
    assert_eq!(crate::listing(&bundle), "SKILL.md");
    assert_eq!(bundle.skill_md_renamed_from(), Some("Skill.md"));
    assert_eq!(build(&["SKILL.md"]).unwrap().skill_md_renamed_from(), None);
}

#[test]
fn empty() {
    insta::assert_snapshot!(refusal(build(&[])), @"bundle-empty: there is no file in the bundle");
}

#[test]
fn limits_are_reached_and_not_passed() {
    let limits = Limits { file_bytes: 5, bundle_bytes: 10, files: 2, path_bytes: 8, ..Limits::default() };
    assert!(build_within(&["SKILL.md", "12345678"], limits).is_ok());
    insta::assert_snapshot!(refusal(build_within(&["SKILL.md", "123456789"], limits)), @"bundle-path-long: `123456789` is longer than 8 bytes");
    insta::assert_snapshot!(refusal(build_within(&["SKILL.md", "a", "b"], limits)), @"bundle-files-many: there are more than 2 files");
    let small = Limits { file_bytes: 4, ..limits };
    insta::assert_snapshot!(refusal(build_within(&["SKILL.md"], small)), @"bundle-file-large: `SKILL.md` holds 5 bytes, 4 are allowed");
    let little = Limits { bundle_bytes: 9, ..limits };
    insta::assert_snapshot!(refusal(build_within(&["SKILL.md", "a"], little)), @"bundle-large: the files hold more than 9 bytes in all, at `a`");
}
