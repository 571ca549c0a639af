//! `--frozen`: exactly the lock, or an error that says how it differs.

use insta::assert_snapshot;

use crate::install_registry::github;
use crate::support::{Registry, Sandbox, Skill};

#[test]
fn the_same_bytes_come_back() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    let before = user.disk();
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    user.skill(["install", "--frozen"]).success();
    assert_eq!(user.disk(), before);
    fs_err::remove_dir_all(user.path(".skill")).unwrap();
    user.skill(["install", "--frozen"]).success();
    assert_eq!(user.disk(), before);
}

#[test]
fn a_machine_that_never_met_the_registry_trusts_the_lock() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    let other = Sandbox::new();
    for file in ["skills.toml", "skills.lock"] {
        other.write(file, user.read(file));
    }
    let out = other.skill(["install", "--frozen"]).success();
    assert!(!out.stderr.contains("first contact"), "{out}");
    other.skill(["verify"]).success();
}

#[test]
fn a_yanked_release_is_restored_with_a_warning() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("github").publish(&author, "3.4.2").success();
    let user = Sandbox::with(&registry);
    user.skill(["install", "github"]).success();
    author.skill(["yank", "github@3.4.2", "--reason", "drops labels"]).success();
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    let out = user.skill(["install", "--frozen"]).success();
    assert!(
        out.stderr.contains("warning[release-yanked]: acme/github 3.4.2 is yanked, restored from the lock"),
        "{out}"
    );
    assert!(out.stderr.contains("acme says: \"drops labels\""), "{out}");
    user.skill(["verify"]).success();
}

#[test]
fn a_lock_that_does_not_answer_is_told_skill_by_skill() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    user.write("skills.toml", "[skills]\n\"acme/github\" = \"^4\"\n\"acme/notes\" = \"^1\"\n");
    let before = user.disk();
    assert_snapshot!(user.skill(["install", "--frozen"]).to_string(), @r"
    -- stderr
    error[lock-stale]: skills.lock does not answer skills.toml
         acme/github  wanted ^4, locked 3.4.1
         acme/notes   wanted ^1, not in the lock
      because: --frozen changes no lock; nothing was changed
    hint: run `skill install` without `--frozen` and commit skills.lock
    -- exit 8
    ");
    assert_eq!(user.disk(), before);
}

#[test]
fn a_locked_number_outside_of_what_is_wanted_does_not_answer() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@2.9.0"]).success();
    // Both files say ^3, as after a hand on the lock; the number in it does not.
    let requirement = |text: String| {
        text.replace("\"2.9.0\"\nversion", "\"^3\"\nversion")
            .replace("requirement = \"2.9.0\"", "requirement = \"^3\"")
    };
    user.write("skills.lock", requirement(user.read("skills.lock")));
    assert!(user.read("skills.lock").contains("\"^3\""), "{}", user.read("skills.lock"));
    user.write("skills.toml", "[skills]\n\"acme/github\" = \"^3\"\n");
    let before = user.disk();
    assert_snapshot!(user.skill(["install", "--frozen"]).to_string(), @r"
    -- stderr
    error[lock-stale]: skills.lock does not answer skills.toml
         acme/github  wanted ^3, locked 2.9.0
      because: --frozen changes no lock; nothing was changed
    hint: run `skill install` without `--frozen` and commit skills.lock
    -- exit 8
    ");
    assert_eq!(user.disk(), before);
    // Without the flag it is brought in order.
    user.skill(["install"]).success();
    assert_eq!(user.read("skills/github/data/version.txt"), "3.4.1");
}

#[test]
fn a_lock_from_another_registry_than_is_wanted_does_not_answer() {
    let (corp, other) = (Registry::start(), Registry::start());
    let _authors = (github(&corp), github(&other));
    let user = Sandbox::with(&corp);
    user.skill(["registry", "add", &other.url(), "--name", "other"]).success();
    user.skill(["install", "github@^3"]).success();
    let named = "[skills]\n\"acme/github\" = { version = \"^3\", registry = \"other\" }\n";
    let before = user.read("skills.lock");
    user.write("skills.toml", named);
    assert_snapshot!(user.skill(["install", "--frozen"]).to_string(), @r"
    -- stderr
    error[lock-stale]: skills.lock does not answer skills.toml
         acme/github  wanted ^3 from other, locked 3.4.1 from corp
      because: --frozen changes no lock; nothing was changed
    hint: run `skill install` without `--frozen` and commit skills.lock
    -- exit 8
    ");
    // A name that nobody here knows is no answer either.
    user.write("skills.toml", named.replace("other", "elsewhere"));
    assert_eq!(user.skill(["install", "--frozen", "--json"]).code(8).error_code(), "lock-stale");
    user.write("skills.toml", named.replace("other", "corp"));
    user.skill(["install", "--frozen"]).success();
    // The default is a registry like any other.
    let third = Sandbox::with(&other);
    third.write("skills.toml", "[skills]\n\"acme/github\" = \"^3\"\n");
    third.write("skills.lock", &before);
    assert_eq!(third.skill(["install", "--frozen", "--json"]).code(8).error_code(), "lock-stale");
}

#[test]
fn a_folder_with_other_bytes_than_locked_is_told() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    user.write("dirry/SKILL.md", "---\nname: dirry\ndescription: Another one.\n---\n");
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    let before = user.disk();
    assert_eq!(user.skill(["install", "--frozen", "--json"]).code(8).error_code(), "lock-source-changed");
    assert_eq!(user.disk(), before);
    user.skill(["install", "./dirry"]).success();
    user.skill(["verify"]).success();
}

#[test]
fn a_folder_that_is_gone_is_restored_from_the_cache() {
    let user = Sandbox::new();
    Skill::new("dirry").script("run.sh", "#!/bin/sh\n").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    fs_err::remove_dir_all(user.path("dirry")).unwrap();
    let before = user.disk();
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    user.skill(["install", "--frozen"]).success();
    assert_eq!(user.disk(), before);
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    fs_err::remove_dir_all(user.skill_home().join("cache")).unwrap();
    assert_eq!(user.skill(["install", "--frozen", "--json"]).code(3).error_code(), "path-not-found");
}

#[test]
fn no_lock_is_no_success() {
    let user = Sandbox::new();
    assert_eq!(user.skill(["install", "--frozen", "--json"]).code(3).error_code(), "lock-absent");
    assert_eq!(user.skill(["verify", "--json"]).code(3).error_code(), "lock-absent");
    assert_eq!(user.disk(), "");
}

#[test]
fn conflict_markers_are_no_empty_lock() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    user.write("skills.lock", format!("<<<<<<< ours\n{}", user.read("skills.lock")));
    for command in ["install", "verify", "list"] {
        assert_eq!(user.skill([command, "--json"]).code(1).error_code(), "lock-conflict", "{command}");
    }
}

#[test]
fn a_lock_does_not_say_where_on_the_disk_to_write() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    for target in ["..", "../elsewhere", "/tmp", ".git/hooks", "skills/../.."] {
        let lock =
            user.read("skills.lock").replace("targets = [\"skills\"]", &format!("targets = [\"{target}\"]"));
        let kept = user.read("skills.lock");
        user.write("skills.lock", lock);
        let before = user.disk();
        for command in [["install", "--frozen"], ["remove", "dirry"]] {
            assert_eq!(
                user.skill(command.into_iter().chain(["--json"])).code(1).error_code(),
                "lock-unreadable",
                "{target}"
            );
        }
        assert_eq!(user.disk(), before, "{target}");
        user.write("skills.lock", kept);
    }
}
