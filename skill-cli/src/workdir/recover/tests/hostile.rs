//! A journal does not say where to write: whatever one says that comes with a checkout, nothing is done.

use serde_json::{Value, json};

use super::*;

/// The home of a user with things to lose, and a checkout below it.
fn checkout() -> Scene {
    let scene = scene(false);
    write(scene.disk.path(), "home/.ssh/id", "secret");
    write(scene.disk.path(), "precious/file", "precious");
    scene
}

fn entry(place: &str, new: Option<&str>, aside: &str, backup: Option<&str>) -> Value {
    let content = "0".repeat(64);
    json!({
        "place": place,
        "new": new.map(|new| json!([new, 1])),
        "aside": aside,
        "old": { "inode": 1, "content": content },
        "backup": backup,
    })
}

fn journal(stage: &str, staging: &[&str], made: &[&str], moves: &[Value]) -> Value {
    json!({ "stage": stage, "staging": staging, "made": made, "moves": moves })
}

/// Changes that this program never makes, each of which would touch something that is not its own.
fn hostile(scene: &Scene) -> Vec<Value> {
    let outside = scene.disk.path().join("precious");
    let outside = outside.to_str().unwrap();
    let ours = "skills/.skill-stage-0a";
    let aside = "skills/.skill-stage-0a/old-0.aside";
    let staged = "skills/.skill-stage-0a/new-0";
    let mut all = Vec::new();
    for path in [
        outside,
        "../precious",
        "skills/../../precious",
        ".",
        "..",
        "skills",
        "skills/changes",
        ".skill",
        ".skill/backup",
        ".skill/envelopes",
        "../.claude/skills/.skill-stage-0a",
        ".git",
        "skills/leaves/SKILL.md",
    ] {
        all.push(journal("preparing", &[path], &[], &[]));
        all.push(journal("committing", &[path], &[], &[]));
        all.push(journal("preparing", &[], &[path], &[]));
        all.push(journal("committing", &[], &[path], &[]));
        all.push(journal("committing", &[ours], &[], &[entry(path, Some(path), aside, None)]));
        all.push(journal("committing", &[ours], &[], &[entry("skills/changes", Some(path), aside, None)]));
        all.push(journal("committing", &[ours], &[], &[entry("skills/changes", None, path, None)]));
        all.push(journal(
            "committing",
            &[ours],
            &[],
            &[entry("skills/changes", Some(staged), aside, Some(path))],
        ));
    }
    // Every place well named, and out of its part.
    all.push(journal("committing", &[], &[], &[entry("skills/changes", Some(staged), aside, None)]));
    all.push(journal("committing", &[ours], &[], &[entry("skills/changes", Some(aside), aside, None)]));
    all.push(journal("committing", &[ours], &[], &[entry("skills.lock", Some(staged), aside, None)]));
    all.push(journal("committing", &[ours], &[], &[entry(staged, None, aside, None)]));
    all.push(journal("committing", &[ours], &[], &[entry("../.claude/skills/x", None, aside, None)]));
    all
}

fn refused(scene: &Scene, why: &str) {
    let before = (picture(scene.disk.path()), inode(&scene.root().join("skills/changes")));
    let error = settle(&scene.workdir, &scene.home()).unwrap_err();
    assert_eq!(error.code(), "journal-unreadable", "{why}");
    let error = Guard::take_settled(&scene.workdir, &scene.home()).unwrap_err();
    assert_eq!(error.code(), "journal-unreadable", "{why}");
    let after = (picture(scene.disk.path()), inode(&scene.root().join("skills/changes")));
    assert_eq!(without_lock(before), without_lock(after), "{why}");
}

fn without_lock((mut picture, number): (Picture, Option<u64>)) -> (Picture, Option<u64>) {
    picture.remove("work/.skill/lock");
    (picture, number)
}

fn sealed(change: &str, seal: &str) -> String {
    json!({ "schema": "skill.journal.v1", "seal": seal, "change": change }).to_string()
}

#[test]
fn a_journal_does_not_say_where_to_write() {
    for change in hostile(&checkout()) {
        let scene = checkout();
        let text = change.to_string();
        // As an earlier format had it, without a seal.
        let mut bare = change.clone();
        bare["schema"] = "skill.journal.v1".into();
        write(scene.root(), ".skill/journal", &bare.to_string());
        refused(&scene, &text);
        // With a seal that is none; the user has no key yet, then one.
        fs::remove_file(scene.home().join("journal.key")).unwrap();
        for with_key in [false, true] {
            if with_key {
                scene.guard().seal().make("").unwrap();
            }
            for seal in ["", "00", &"0".repeat(64)] {
                write(scene.root(), ".skill/journal", &sealed(&text, seal));
                refused(&scene, &text);
            }
        }
        // Even under the user's own seal it is not done.
        let seal = scene.guard().seal().make(&text).unwrap();
        write(scene.root(), ".skill/journal", &sealed(&text, &seal));
        refused(&scene, &text);
    }
}

#[test]
fn a_journal_of_this_user_from_another_folder_is_not_carried_out() {
    let one = scene(false);
    let text = (0..).find_map(|at| {
        stopped(&one, Kind::Killed, at, false);
        fs::read_to_string(Journal::path(&one.workdir)).ok()
    });
    let other = Workdir::at(one.disk.path().join("other"), false);
    write(other.root(), "skills/leaves/SKILL.md", "old");
    write(other.root(), ".skill/journal", &text.unwrap());
    let error = settle(&other, &one.home()).unwrap_err();
    assert_eq!(error.code(), "journal-unreadable");
    assert_eq!(one.settle(), Recovered::TakenBack);
}

#[test]
fn a_journal_of_a_newer_build_is_not_guessed_at() {
    let scene = scene(false);
    for text in [
        "{\"schema\":\"skill.journal.v9\",\"seal\":\"\",\"change\":\"\"}",
        "{\"schema\":\"skill.journal.v1\",\"seal\":\"\",\"change\":\"\",\"more\":1}",
        "{",
        "",
    ] {
        write(scene.root(), ".skill/journal", text);
        refused(&scene, text);
    }
}

#[test]
fn what_is_no_hostile_change_is_taken() {
    let scene = scene(false);
    let change = journal("committing", &["skills/.skill-stage-0a"], &[], &[]).to_string();
    let seal = scene.guard().seal().make(&change).unwrap();
    write(scene.root(), ".skill/journal", &sealed(&change, &seal));
    write(scene.root(), "skills/.skill-stage-0a/x", "left");
    assert_eq!(scene.settle(), Recovered::Finished);
    assert!(!scene.root().join("skills/.skill-stage-0a").exists());
}

#[test]
fn no_link_of_a_checkout_is_followed() {
    for name in [
        ".skill",
        ".skill/journal",
        ".skill/journal.tmp",
        ".skill/lock",
        ".skill/envelopes",
        ".skill/trees",
        ".skill/trust",
        ".skill/trust/0a",
        ".skill/backup",
    ] {
        let scene = checkout();
        let link = scene.root().join(name);
        if link.is_dir() {
            fs::remove_dir_all(&link).unwrap();
        }
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        fs_err::os::unix::fs::symlink(scene.disk.path().join("precious"), &link).unwrap();
        let before = picture(&scene.disk.path().join("precious"));
        assert_eq!(settle(&scene.workdir, &scene.home()).unwrap_err().code(), "workdir-absent", "{name}");
        let taken = Guard::take_settled(&scene.workdir, &scene.home());
        assert_eq!(taken.unwrap_err().code(), "workdir-absent", "{name}");
        assert_eq!(picture(&scene.disk.path().join("precious")), before, "{name}");
    }
}

#[test]
fn what_lies_where_the_journal_is_written_first_is_not_opened() {
    let scene = checkout();
    let guard = scene.guard();
    let precious = scene.disk.path().join("precious/file");
    let link = Journal::unfinished(&scene.workdir);
    fs_err::os::unix::fs::symlink(&precious, &link).unwrap();
    change(disk(Kind::None, 0, false), &scene.workdir, &guard).unwrap();
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
}
