//! A change of everything at once, stopped after every single step.

mod hostile;
mod meanwhile;

use std::collections::BTreeMap;
use std::path::Path;

use fs_err as fs;
use skill_core::name::Slug;

use super::super::disk::fault::{Fault, Kind};
use super::super::{ChangeError, Seen, TargetRoot, Transaction, USUAL};
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
                into.insert(name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned());
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

/// A work directory, and the user's own folder, which stays beside it.
struct Scene {
    disk: tempfile::TempDir,
    workdir: Workdir,
}

impl Scene {
    fn root(&self) -> &Path {
        self.workdir.root()
    }

    fn home(&self) -> std::path::PathBuf {
        self.disk.path().join("home")
    }

    fn guard(&self) -> Guard {
        Guard::take(&self.workdir, &self.home()).unwrap()
    }

    fn settle(&self) -> Recovered {
        settle(&self.workdir, &self.home()).unwrap()
    }
}

fn scene(fresh: bool) -> Scene {
    let disk = tempfile::tempdir().unwrap();
    let root = disk.path().join("work");
    fs::create_dir(&root).unwrap();
    // Made once here, not synced anew for every one of the many scenes.
    write(disk.path(), "home/journal.key", "a key of this test, of 32 bytes.");
    if !fresh {
        write(&root, "skills/changes/SKILL.md", "old");
        write(&root, "skills/leaves/SKILL.md", "old");
        write(&root, "skills/edited/SKILL.md", "edited by hand");
        write(&root, "skills.lock", "old lock");
        write(&root, ".skill/envelopes/a.json", "old envelope");
        write(&root, ".skill/.gitignore", "ours");
    }
    Scene { disk, workdir: Workdir::at(root, false) }
}

fn slug(name: &str) -> Slug {
    name.parse().unwrap()
}

/// A change of everything, up to the decision.
fn planned<'a>(disk: Disk, workdir: &'a Workdir, guard: &'a Guard) -> std::io::Result<Transaction<'a>> {
    let root = TargetRoot::of(workdir, USUAL).unwrap();
    let mut transaction = Transaction::with(disk, workdir, guard, "7e57");
    let staging = transaction.stage_in(&root)?;
    for name in ["changes", "edited", "comes"] {
        let staged = staging.join(name);
        transaction.disk_for_test().make_dirs(&staged)?;
        transaction.disk_for_test().write(&staged.join("SKILL.md"), b"new")?;
        let backup = workdir.backup().join("edited-1");
        let backup = (name == "edited").then_some(backup.as_path());
        let seen = Seen::at(&root.real().join(name))?;
        transaction.put_skill(&root, &slug(name), seen, backup)?;
    }
    if let Some(seen) = Seen::at(&root.real().join("leaves"))? {
        transaction.take_skill(&root, &slug("leaves"), seen, None)?;
    }
    transaction.put_file(&workdir.lock(), b"new lock")?;
    transaction.put_file(&workdir.state().join("trees/b.tree"), b"tree")?;
    transaction.take_file(&workdir.state().join("envelopes/a.json"))?;
    Ok(transaction)
}

fn change(disk: Disk, workdir: &Workdir, guard: &Guard) -> Result<(), ChangeError> {
    planned(disk, workdir, guard)?.commit()
}

fn disk(kind: Kind, at: usize, without_exchange: bool) -> Disk {
    Disk { fault: Fault::new(kind, at), without_exchange, without_sync: kind != Kind::None }
}

/// The disk before the change and after it.
fn ends(fresh: bool) -> (Picture, Picture) {
    let scene = scene(fresh);
    let before = picture(scene.root());
    change(disk(Kind::None, 0, false), &scene.workdir, &scene.guard()).unwrap();
    let after = picture(scene.root());
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
fn stopped(scene: &Scene, kind: Kind, at: usize, without_exchange: bool) -> (bool, bool) {
    let done = change(disk(kind, at, without_exchange), &scene.workdir, &scene.guard()).is_ok();
    let clean = inode(&Journal::path(&scene.workdir)).is_none();
    (done, done && clean)
}

#[test]
fn killed_after_any_step_it_is_as_before_or_the_next_command_finishes_it() {
    for (fresh, without_exchange) in [(false, false), (false, true), (true, false), (true, true)] {
        let (before, after) = ends(fresh);
        let mut seen = (0, 0);
        for at in 0.. {
            let scene = scene(fresh);
            let (_, whole) = stopped(&scene, Kind::Killed, at, without_exchange);
            scene.settle();
            let now = picture(scene.root());
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
            let scene = scene(false);
            (_, whole) = stopped(&scene, Kind::Killed, at, at % 2 == 0);
            let disk = disk(Kind::Killed, again, again % 2 == 0);
            let _ = settle_with(&disk, &scene.workdir, &scene.guard());
            scene.settle();
            let now = picture(scene.root());
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
            let scene = scene(fresh);
            let (done, _) = stopped(&scene, Kind::Refused, at, without_exchange);
            if done {
                scene.settle();
                assert_eq!(picture(scene.root()), after, "refused at step {at}, and done");
            } else {
                assert_eq!(picture(scene.root()), before, "refused at step {at}");
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
    let scene = scene(true);
    let guard = scene.guard();
    let root = TargetRoot::of(&scene.workdir, USUAL).unwrap();
    let mut transaction = Transaction::begin(&scene.workdir, &guard, "7e57");
    let staging = transaction.stage_in(&root).unwrap();
    fs::write(staging.join("half"), "x").unwrap();
    transaction.put_file(&scene.workdir.lock(), b"new").unwrap();
    drop(transaction);
    drop(guard);
    assert_eq!(fs::read_dir(scene.root()).unwrap().count(), 0);
}

#[test]
fn a_file_that_is_put_twice_is_put_once() {
    let scene = scene(true);
    let guard = scene.guard();
    let mut transaction = Transaction::begin(&scene.workdir, &guard, "7e57");
    for text in ["one", "other"] {
        transaction.put_file(&scene.workdir.lock(), text.as_bytes()).unwrap();
    }
    transaction.commit().unwrap();
    assert_eq!(fs::read_to_string(scene.workdir.lock()).unwrap(), "other");
}

#[test]
fn a_linked_skills_folder_is_worked_in_and_stays_a_link() {
    let scene = scene(true);
    let real = tempfile::tempdir().unwrap();
    fs_err::os::unix::fs::symlink(real.path(), scene.root().join("skills")).unwrap();
    change(disk(Kind::None, 0, false), &scene.workdir, &scene.guard()).unwrap();
    assert!(scene.root().join("skills").is_symlink());
    assert_eq!(fs::read_to_string(real.path().join("comes/SKILL.md")).unwrap(), "new");
    assert_eq!(fs::read_dir(real.path()).unwrap().count(), 3);
}

#[test]
fn a_change_that_another_command_finishes_in_a_linked_folder_is_whole() {
    for at in 0.. {
        let scene = scene(true);
        let real = tempfile::tempdir().unwrap();
        fs_err::os::unix::fs::symlink(real.path(), scene.root().join("skills")).unwrap();
        let (_, whole) = stopped(&scene, Kind::Killed, at, false);
        scene.settle();
        let count = fs::read_dir(real.path()).unwrap().count();
        assert!(count == 0 || count == 3, "stopped at step {at}: {count}");
        assert_eq!(count == 3, scene.root().join("skills.lock").exists(), "stopped at step {at}");
        if whole {
            break;
        }
    }
}

/// What an error says is so: nothing was changed, or the next command finishes it.
#[test]
fn an_error_says_whether_anything_was_changed() {
    let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else {
        eprintln!("not run: there is no second file system at /dev/shm");
        return;
    };
    let (mut taken_back, mut unfinished) = (0, 0);
    for kind in [Kind::Refused, Kind::Killed] {
        for at in 0.. {
            let scene = scene(true);
            let real = tempfile::tempdir_in(elsewhere.path()).unwrap();
            fs_err::os::unix::fs::symlink(real.path(), scene.root().join("skills")).unwrap();
            let before = picture(scene.root());
            let outcome = change(disk(kind, at, false), &scene.workdir, &scene.guard());
            let whole = outcome.is_ok() && inode(&Journal::path(&scene.workdir)).is_none();
            if kind == Kind::Refused && outcome.is_err() {
                assert_eq!(picture(scene.root()), before, "{kind:?} at step {at}: {outcome:?}");
            }
            scene.settle();
            let changed = picture(scene.root()) != before;
            match outcome {
                Ok(()) => assert!(changed),
                Err(ChangeError::Unfinished(_)) => {
                    unfinished += 1;
                    assert!(changed, "{kind:?} at step {at}");
                }
                Err(_) => {
                    taken_back += 1;
                    assert!(!changed, "{kind:?} at step {at}");
                }
            }
            if whole {
                break;
            }
        }
    }
    assert!(taken_back > 10 && unfinished > 5, "{taken_back} {unfinished}");
}
