use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use cap_std::fs::Dir;
use skill_bundle::Tree;
use skill_bundle::disk::{Comparison, compare, read_installed, stage};
use tempfile::TempDir;

use crate::sample;

fn installed() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    stage(&sample(), &Dir::open_ambient_dir(folder.path(), cap_std::ambient_authority()).unwrap()).unwrap();
    folder
}

fn compared(folder: &Path) -> Comparison {
    compare(&Tree::of(&sample()), &read_installed(folder).unwrap())
}

fn differences(folder: &Path) -> String {
    let line =
        |one: &skill_bundle::disk::DiskFinding| format!("{} {} ({})", one.check.id(), one.path, one.detail);
    compared(folder).findings.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn as_published() {
    let folder = installed();
    assert_eq!(differences(folder.path()), "");
    assert_eq!(read_installed(folder.path()).unwrap().tree.digest(), Tree::of(&sample()).digest());
}

#[test]
fn content_missing_extra_and_mode() {
    let folder = installed();
    let at = |path: &str| folder.path().join(path);
    fs_err::write(at("SKILL.md"), "other").unwrap();
    fs_err::remove_file(at("a/c")).unwrap();
    fs_err::write(at("scripts/extra.py"), "x").unwrap();
    fs_err::create_dir_all(at("new/folder")).unwrap();
    fs_err::set_permissions(at("empty"), std::fs::Permissions::from_mode(0o755)).unwrap();
    fs_err::set_permissions(at("scripts/run.sh"), std::fs::Permissions::from_mode(0o644)).unwrap();
    insta::assert_snapshot!(differences(folder.path()), @r"
    disk-content SKILL.md (other bytes than published)
    disk-missing a/c (published, and not there)
    disk-extra new/folder/ (an empty folder)
    disk-extra scripts/extra.py (not published)
    disk-mode empty (executable, published as plain)
    disk-mode scripts/run.sh (plain, published as executable)
    ");
}

#[test]
fn same_size_other_bytes() {
    let folder = installed();
    fs_err::write(folder.path().join("a/c"), "3").unwrap();
    insta::assert_snapshot!(differences(folder.path()), @"disk-content a/c (other bytes than published)");
}

#[test]
fn links_and_special_files_are_findings_and_not_opened() {
    let folder = installed();
    let at = |path: &str| folder.path().join(path);
    fs_err::rename(at("a/c"), at("a/d")).unwrap();
    symlink("d", at("a/c")).unwrap();
    fs_err::remove_file(at("a/d")).unwrap();
    symlink("/", at("root")).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .unwrap();
    insta::assert_snapshot!(differences(folder.path()), @r"
    disk-missing a/c (published, and not there)
    disk-link a/c (a link to d)
    disk-link root (a link to /)
    disk-special pipe (a named pipe)
    ");
}

#[test]
fn names_no_bundle_has() {
    let folder = installed();
    fs_err::write(folder.path().join("a:b"), "x").unwrap();
    fs_err::write(folder.path().join(std::ffi::OsStr::from_bytes(b"\xff")), "x").unwrap();
    fs_err::create_dir(folder.path().join("nul")).unwrap();
    fs_err::write(folder.path().join("nul/x"), "x").unwrap();
    insta::assert_snapshot!(differences(folder.path()), @r"
    disk-name a:b (names a drive)
    disk-name nul (is the name of a device on Windows)
    disk-name � (is not UTF-8)
    ");
}

#[test]
fn a_second_spelling_in_unicode() {
    let folder = installed();
    fs_err::write(folder.path().join("é"), "x").unwrap();
    fs_err::write(folder.path().join("e\u{301}"), "x").unwrap();
    insta::assert_snapshot!(differences(folder.path()), @r"
    disk-extra é (not published)
    disk-name é (the name of another file, in other code points)
    ");
}

#[test]
fn generated() {
    let folder = installed();
    fs_err::create_dir(folder.path().join("scripts/__pycache__")).unwrap();
    for name in ["a.pyc", "b.pyc"] {
        fs_err::write(folder.path().join("scripts/__pycache__").join(name), "x").unwrap();
    }
    insta::assert_snapshot!(differences(folder.path()), @"disk-generated scripts/__pycache__/ (made by running Python)");
}

#[test]
fn foreign_files() {
    let folder = installed();
    let at = |path: &str| folder.path().join(path);
    fs_err::create_dir(at(".clawhub")).unwrap();
    fs_err::write(at(".clawhub/origin.json"), r#"{"version":1}"#).unwrap();
    let comparison = compared(folder.path());
    assert!(comparison.findings.is_empty());
    assert_eq!(
        (comparison.foreign[0].path.as_str(), comparison.foreign[0].tool),
        (".clawhub/origin.json", "clawhub")
    );
    fs_err::write(at(".clawhub/origin.json"), "[]").unwrap();
    fs_err::write(at(".clawhub/run.sh"), "x").unwrap();
    insta::assert_snapshot!(differences(folder.path()), @r"
    disk-extra .clawhub/run.sh (not published)
    foreign-unreadable .clawhub/origin.json (not what clawhub writes there)
    ");
}

#[test]
fn a_root_that_is_not_a_folder() {
    let folder = installed();
    let at = |path: &str| folder.path().join(path);
    symlink("a", at("link")).unwrap();
    let message = |path: &str| {
        let error = read_installed(&at(path)).unwrap_err();
        format!(
            "{}: {}",
            error.code(),
            error.to_string().replace(&folder.path().display().to_string(), "FOLDER")
        )
    };
    insta::assert_snapshot!(message("link"), @"disk-absent: FOLDER/link is a link, not a folder");
    insta::assert_snapshot!(message("SKILL.md"), @"disk-absent: FOLDER/SKILL.md is a file, not a folder");
    insta::assert_snapshot!(message("absent"), @"disk-absent: there is nothing at FOLDER/absent");
}

#[test]
fn a_thousand_folders_deep() {
    let folder = installed();
    let mut dir = Dir::open_ambient_dir(folder.path(), cap_std::ambient_authority()).unwrap();
    for _ in 0..1000 {
        dir.create_dir("deeper").unwrap();
        dir = dir.open_dir("deeper").unwrap();
    }
    assert!(differences(folder.path()).starts_with("disk-name deeper/"));
}
