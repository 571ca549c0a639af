//! A change of everything at once, stopped after every single step.

use std::collections::BTreeMap;
use std::path::Path;

use fs_err as fs;

use super::super::disk::fault::{Fault, Kind};
use super::super::{TargetRoot, Transaction};
use super::*;

type Picture = BTreeMap<String, String>;

/// Every path below the work directory with what it holds, except the lock file.
fn picture(root: &Path) -> Picture {
    fn walk(root: &Path, folder: &Path, into: &mut Picture) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().display().to_string();
            if path.is_dir() {
                walk(root, &path, into);
                into.insert(name, "folder".to_owned());
            } else if name != ".skill/lock" {
                into.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut into = Picture::new();
    walk(root, root, &mut into);
    into
}

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn scene(fresh: bool) -> (tempfile::TempDir, Workdir) {
    let disk = tempfile::tempdir().unwrap();
    let root = disk.path();
    if !fresh {
        write(root, "skills/changes/SKILL.md", "old");
        write(root, "skills/leaves/SKILL.md", "old");
        write(root, "skills/edited/SKILL.md", "edited by hand");
        write(root, "skills.lock", "old lock");
        write(root, ".skill/envelopes/a.json", "old envelope");
        write(root, ".skill/.gitignore", "ours");
    }
    let workdir = Workdir::at(root.to_owned(), false);
    (disk, workdir)
}

fn change(disk: Disk, workdir: &Workdir) -> std::io::Result<bool> {
    let root = TargetRoot::usual(workdir)?;
    let mut transaction = Transaction::with(disk, workdir, "test");
    let staging = transaction.stage_in(&root)?;
    for name in ["changes", "edited", "comes"] {
        let staged = staging.join(name);
        transaction.disk_for_test().make_dirs(&staged)?;
        transaction.disk_for_test().write(&staged.join("SKILL.md"), b"new")?;
        let backup = workdir.backup().join("edited-1");
        let backup = (name == "edited").then_some(backup.as_path());
        transaction.put(&staged, &root.real().join(name), backup)?;
    }
    transaction.take(&root.real().join("leaves"), Some(&root), None)?;
    transaction.put_file(&workdir.lock(), b"new lock")?;
    transaction.put_file(&workdir.state().join("trees/b.tree"), b"tree")?;
    transaction.take(&workdir.state().join("envelopes/a.json"), None, None)?;
    transaction.commit().map(|()| true)
}

fn disk(kind: Kind, at: usize, without_exchange: bool) -> Disk {
    Disk { fault: Fault::new(kind, at), without_exchange, without_sync: kind != Kind::None }
}

/// The disk before the change and after it.
fn ends(fresh: bool) -> (Picture, Picture) {
    let (folder, workdir) = scene(fresh);
    let before = picture(folder.path());
    let guard = Guard::take(&workdir).unwrap();
    change(disk(Kind::None, 0, false), &workdir).unwrap();
    drop(guard);
    let after = picture(folder.path());
    assert_eq!(after["skills/changes/SKILL.md"], "new");
    assert_eq!(after["skills/comes/SKILL.md"], "new");
    assert_eq!(after["skills.lock"], "new lock");
    assert!(!after.contains_key("skills/leaves"));
    assert!(!after.contains_key(".skill/envelopes/a.json"));
    assert!(!after.keys().any(|path| path.contains("stage") || path.contains("journal")), "{after:?}");
    if !fresh {
        assert_eq!(after[".skill/backup/edited-1/SKILL.md"], "edited by hand");
    }
    (before, after)
}

/// The change, stopped at step `at`; whether it came to its end nevertheless.
fn stopped(workdir: &Workdir, kind: Kind, at: usize, without_exchange: bool) -> (bool, bool) {
    let guard = Guard::take(workdir).unwrap();
    let done = change(disk(kind, at, without_exchange), workdir).is_ok();
    drop(guard);
    let clean = inode(&Journal::path(workdir)).is_none();
    (done, done && clean)
}

#[test]
fn killed_after_any_step_it_is_as_before_or_the_next_command_finishes_it() {
    for (fresh, without_exchange) in [(false, false), (false, true), (true, false), (true, true)] {
        let (before, after) = ends(fresh);
        let mut seen = (0, 0);
        for at in 0.. {
            let (folder, workdir) = scene(fresh);
            let (_, whole) = stopped(&workdir, Kind::Killed, at, without_exchange);
            settle(&workdir).unwrap();
            let now = picture(folder.path());
            assert!(now == before || now == after, "stopped at step {at}: {now:#?}");
            if now == before {
                seen.0 += 1;
            } else {
                seen.1 += 1;
            }
            if whole {
                break;
            }
        }
        assert!(seen.0 > 5 && seen.1 > 5, "{seen:?}");
    }
}

#[test]
fn killed_again_while_recovering_it_is_still_whole() {
    let (before, after) = ends(false);
    for at in 0.. {
        let mut whole = false;
        // Every fourth pair of steps, another fourth each time.
        for again in (at % 4..20).step_by(4) {
            let (folder, workdir) = scene(false);
            (_, whole) = stopped(&workdir, Kind::Killed, at, at % 2 == 0);
            let guard = Guard::take(&workdir).unwrap();
            let _ = settle_with(&disk(Kind::Killed, again, again % 2 == 0), &workdir, &guard);
            drop(guard);
            settle(&workdir).unwrap();
            let now = picture(folder.path());
            assert!(now == before || now == after, "stopped at steps {at} and {again}: {now:#?}");
        }
        if whole {
            break;
        }
    }
}

#[test]
fn a_step_that_the_disk_refuses_leaves_every_byte_as_it_was() {
    for (fresh, without_exchange) in [(false, false), (false, true), (true, false), (true, true)] {
        let (before, after) = ends(fresh);
        let mut done_in_a_row = 0;
        for at in 0.. {
            let (folder, workdir) = scene(fresh);
            let (done, _) = stopped(&workdir, Kind::Refused, at, without_exchange);
            if done {
                settle(&workdir).unwrap();
                assert_eq!(picture(folder.path()), after, "refused at step {at}, and done");
            } else {
                assert_eq!(picture(folder.path()), before, "refused at step {at}");
            }
            // The last steps only clean up; beyond them nothing is refused any more.
            done_in_a_row = if done { done_in_a_row + 1 } else { 0 };
            if done_in_a_row > 10 {
                break;
            }
        }
    }
}

#[test]
fn dropped_it_leaves_nothing() {
    let (folder, workdir) = scene(true);
    let guard = Guard::take(&workdir).unwrap();
    let root = TargetRoot::usual(&workdir).unwrap();
    let mut transaction = Transaction::begin(&workdir, &guard, "test");
    let staging = transaction.stage_in(&root).unwrap();
    fs::write(staging.join("half"), "x").unwrap();
    transaction.put_file(&workdir.lock(), b"new").unwrap();
    drop(transaction);
    drop(guard);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_linked_skills_folder_is_worked_in_and_stays_a_link() {
    let (folder, workdir) = scene(true);
    let real = tempfile::tempdir().unwrap();
    fs_err::os::unix::fs::symlink(real.path(), folder.path().join("skills")).unwrap();
    let guard = Guard::take(&workdir).unwrap();
    change(disk(Kind::None, 0, false), &workdir).unwrap();
    drop(guard);
    assert!(folder.path().join("skills").is_symlink());
    assert_eq!(fs::read_to_string(real.path().join("comes/SKILL.md")).unwrap(), "new");
    assert_eq!(fs::read_dir(real.path()).unwrap().count(), 3);
}

#[test]
fn a_journal_of_a_newer_build_is_not_guessed_at() {
    let (folder, workdir) = scene(false);
    write(
        folder.path(),
        ".skill/journal",
        "{\"schema\":\"skill.journal.v9\",\"stage\":\"preparing\",\"staging\":[],\"made\":[],\"moves\":[]}",
    );
    assert_eq!(settle(&workdir).unwrap_err().code(), "internal");
    write(folder.path(), ".skill/journal", "{");
    assert_eq!(settle(&workdir).unwrap_err().code(), "internal");
}
