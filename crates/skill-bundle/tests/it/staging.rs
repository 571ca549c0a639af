use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use cap_std::fs::Dir;
use skill_bundle::Tree;
use skill_bundle::disk::{DiskError, read_installed, stage};

use crate::{bundle, sample};

fn open(path: &Path) -> Dir {
    Dir::open_ambient_dir(path, cap_std::ambient_authority()).unwrap()
}

fn names(path: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs_err::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn writes_the_bundle_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let dir = open(folder.path());
    let staged = stage(&sample(), &dir).unwrap();
    assert_eq!(staged.folders, ["a-b", "a", "scripts", "数据"]);
    let report = read_installed(folder.path()).unwrap();
    assert_eq!(report.tree, Tree::of(&sample()));
    assert!(report.findings.is_empty());
}

#[test]
fn modes_do_not_hang_on_the_umask() {
    let old = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    let folder = tempfile::tempdir().unwrap();
    let staged = stage(&sample(), &open(folder.path()));
    rustix::process::umask(old);
    staged.unwrap();
    let mode = |path: &str| fs_err::metadata(folder.path().join(path)).unwrap().permissions().mode() & 0o7777;
    assert_eq!([mode("SKILL.md"), mode("scripts"), mode("scripts/run.sh")], [0o644, 0o755, 0o755]);
}

#[test]
fn a_setgid_folder_passes_nothing_on() {
    let folder = tempfile::tempdir().unwrap();
    fs_err::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o2755)).unwrap();
    stage(&sample(), &open(folder.path())).unwrap();
    let found = fs_err::metadata(folder.path().join("scripts")).unwrap();
    assert_eq!(found.mode() & 0o7777, 0o755);
}

#[test]
fn nothing_that_is_there_is_replaced_and_what_was_written_is_taken_away() {
    let folder = tempfile::tempdir().unwrap();
    fs_err::create_dir(folder.path().join("scripts")).unwrap();
    fs_err::write(folder.path().join("scripts/mine"), "mine").unwrap();
    let error = stage(&sample(), &open(folder.path())).unwrap_err();
    assert_eq!(error.code(), "disk-io");
    assert_eq!(names(folder.path()), ["scripts"]);
    assert_eq!(names(&folder.path().join("scripts")), ["mine"]);
}

#[test]
fn a_link_in_the_way_is_not_written_through() {
    let outside = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("scripts")).unwrap();
    assert!(stage(&sample(), &open(folder.path())).is_err());
    assert!(names(outside.path()).is_empty());
    let target = outside.path().join("SKILL.md");
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(&target, folder.path().join("SKILL.md")).unwrap();
    assert!(stage(&sample(), &open(folder.path())).is_err());
    assert!(!target.exists());
}

#[test]
fn a_folder_that_does_not_let_us_write() {
    if rustix::process::geteuid().is_root() {
        eprintln!("not run: root may write everywhere");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let dir = open(folder.path());
    fs_err::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
    let error = stage(&sample(), &dir).unwrap_err();
    fs_err::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(error.code(), "disk-denied");
}

/// `/dev/full` has no folder to write in, so a full disk is tried where the test may mount one.
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mount = |arguments: &[&str]| {
        std::process::Command::new("mount")
            .args(arguments)
            .arg(folder.path())
            .output()
            .is_ok_and(|run| run.status.success())
    };
    if !mount(&["-t", "tmpfs", "-o", "size=64k", "tmpfs"]) {
        eprintln!("not run: may not mount a file system");
        return;
    }
    let large = "x".repeat(100_000);
    let error = stage(&bundle(&[("SKILL.md", false, "x"), ("a/b", false, &large)]), &open(folder.path()));
    let left = names(folder.path());
    assert!(std::process::Command::new("umount").arg(folder.path()).status().unwrap().success());
    assert!(matches!(error, Err(DiskError::Full { .. })), "{error:?}");
    assert!(left.is_empty(), "{left:?}");
}
