//! Releases that their owner took back: an exact lock restores them from what is here, and says so.

use insta::assert_snapshot;

use crate::support::{Output, Registry, Sandbox, Skill};

const WITHDRAWN: &str = "github@3.4.1";
const DELETED: &str = "github";

/// A user with github 3.4.1 installed, which its author then takes back.
fn closed(what: &str) -> (Registry, Sandbox) {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("github").script("run.sh", "#!/bin/sh\n").publish(&author, "3.4.1").success();
    let user = Sandbox::with(&registry);
    user.skill(["install", "github"]).success();
    author.skill(["delete", what, "--yes"]).success();
    (registry, user)
}

/// Restores it with whatever is here besides skills.toml and skills.lock.
fn restored(user: &Sandbox) -> Output {
    let before = user.disk();
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    let out = user.skill(["install", "--frozen"]).success();
    assert_eq!(user.disk(), before);
    user.skill(["verify"]).success();
    out
}

#[test]
fn a_withdrawn_release_is_restored_from_the_cache_with_a_warning() {
    let (_registry, user) = closed(WITHDRAWN);
    assert_snapshot!(restored(&user).undated(), @r"
    -- stdout
    installed  acme/github 3.4.1   skills/github
    -- stderr
    warning[release-withdrawn]: acme/github 3.4.1 is withdrawn, restored from the lock
             acme gave no reason ([DATE])
    1 skill to install in skills/
      +  acme/github  ^3.4.1  3.4.1  clean  138 B  corp
    1 skill installed in [TIME] s
    -- exit 0
    ");
    // The envelope in the cache is as good as the one of the work directory.
    fs_err::remove_dir_all(user.path(".skill")).unwrap();
    user.skill(["install", "--frozen"]).success();
}

#[test]
fn a_deleted_skill_is_restored_from_the_cache_with_a_warning() {
    let (_registry, user) = closed(DELETED);
    assert_snapshot!(restored(&user).undated(), @r"
    -- stdout
    installed  acme/github 3.4.1   skills/github
    -- stderr
    warning[release-withdrawn]: acme/github 3.4.1 is no longer in registry corp, restored from the lock
    1 skill to install in skills/
      +  acme/github  ^3.4.1  3.4.1  clean  138 B  corp
    1 skill installed in [TIME] s
    -- exit 0
    ");
}

#[test]
fn what_is_not_in_the_cache_is_gone() {
    for how in [WITHDRAWN, DELETED] {
        let (_registry, user) = closed(how);
        for folder in [user.path("skills"), user.skill_home().join("cache")] {
            fs_err::remove_dir_all(folder).unwrap();
        }
        let before = user.disk();
        assert_eq!(
            user.skill(["install", "--frozen", "--json"]).code(3).error_code(),
            "release-gone",
            "{how}"
        );
        assert_eq!(user.disk(), before);
    }
}

#[test]
fn nobody_new_gets_it() {
    let (registry, _user) = closed(WITHDRAWN);
    let other = Sandbox::with(&registry);
    assert_eq!(other.skill(["install", "github@3.4.1", "--json"]).code(3).error_code(), "release-gone");
    let (registry, _user) = closed(DELETED);
    let other = Sandbox::with(&registry);
    assert_eq!(other.skill(["install", "acme/github", "--json"]).code(3).error_code(), "skill-not-found");
}
