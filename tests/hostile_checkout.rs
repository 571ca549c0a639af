//! A clone brings files along that say where to write. Nothing outside of what is this program's own is touched.

use std::os::unix::fs::symlink;

use crate::support::{Sandbox, Skill, disk};

/// A checkout with an installed skill, beside which something precious lies.
fn checkout() -> (Sandbox, std::path::PathBuf) {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    let home = user.work().parent().unwrap().join("home");
    fs_err::create_dir_all(home.join("precious/__pycache__")).unwrap();
    fs_err::write(home.join("precious/__pycache__/file"), "precious").unwrap();
    (user, home)
}

const COMMANDS: [&[&str]; 5] = [
    &["verify"],
    &["verify", "--clean"],
    &["install", "--frozen"],
    &["install", "./dirry", "--force"],
    &["remove", "dirry"],
];

#[test]
fn a_journal_does_not_say_where_to_write() {
    let (user, home) = checkout();
    let precious = home.join("precious");
    let precious = precious.to_str().unwrap();
    let (work, kept) = (user.disk(), disk(&home));
    for staging in [precious, "../home/precious", "skills/../../home/precious", "skills/dirry", "."] {
        for stage in ["preparing", "committing"] {
            let text = format!(
                r#"{{"schema":"skill.journal.v1","stage":"{stage}","staging":["{staging}"],"made":["{staging}"],"moves":[]}}"#
            );
            user.write(".skill/journal", text);
            for command in COMMANDS {
                let out = user.skill(command.iter().chain(&["--json"])).code(1);
                assert_eq!(out.error_code(), "journal-unreadable", "{command:?}");
                assert_eq!(disk(&home), kept, "{command:?}");
            }
            fs_err::remove_file(user.path(".skill/journal")).unwrap();
            assert_eq!(user.disk(), work);
        }
    }
}

#[test]
fn no_link_in_the_folder_of_records_is_followed() {
    for name in [".skill", ".skill/backup", ".skill/trees", ".skill/lock", ".skill/journal.tmp"] {
        let (user, home) = checkout();
        let link = user.path(name);
        if link.is_dir() {
            fs_err::remove_dir_all(&link).unwrap();
        } else if link.exists() {
            fs_err::remove_file(&link).unwrap();
        }
        symlink(home.join("precious"), &link).unwrap();
        let (work, kept) = (user.disk(), disk(&home));
        user.write("dirry/SKILL.md", "---\nname: dirry\ndescription: Other. Use it.\n---\n");
        for command in COMMANDS {
            let out = user.skill(command.iter().chain(&["--json"])).code(1);
            assert_eq!(out.error_code(), "workdir-absent", "{name} {command:?}");
            assert_eq!(disk(&home), kept, "{name} {command:?}");
        }
        user.write("dirry/SKILL.md", "");
        Skill::new("dirry").write(&user, "dirry");
        assert_eq!(user.disk(), work, "{name}");
        fs_err::remove_file(&link).unwrap();
    }
}

#[test]
fn a_lock_does_not_say_where_to_clean() {
    let (user, home) = checkout();
    let lock = user.read("skills.lock");
    let kept = disk(&home);
    user.write("../home/precious/dirry/__pycache__/file", "precious");
    let kept_too = disk(&home);
    assert_ne!(kept, kept_too);
    for target in [home.join("precious").to_str().unwrap(), "../home/precious"] {
        user.write("skills.lock", lock.replace("[\"skills\"]", &format!("[\"{target}\"]")));
        assert_ne!(user.read("skills.lock"), lock);
        let out = user.skill(["verify", "--clean", "--json"]);
        assert_ne!(out.code, 0, "{out}");
        assert_eq!(disk(&home), kept_too, "{target}");
    }
}

#[test]
fn cleaning_leaves_what_was_published() {
    let user = Sandbox::new();
    Skill::new("dirry").file("__pycache__/published.pyc", "published").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    let whole = user.disk();
    user.write("skills/dirry/__pycache__/left.pyc", "left");
    user.skill(["verify"]).code(4);
    user.skill(["verify", "--clean"]).success();
    assert_eq!(user.disk(), whole);
}
