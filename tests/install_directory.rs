//! From a folder of this machine: no registry, no network, the same checks.

use insta::assert_snapshot;

use crate::support::{Sandbox, Skill};

#[test]
fn installed_checked_changed_and_removed() {
    let user = Sandbox::new();
    Skill::new("dirry").script("scripts/run.sh", "#!/bin/sh\necho hi\n").write(&user, "dirry");
    assert_snapshot!(user.skill(["install", "./dirry"]).to_string(), @r"
    -- stdout
    installed  dirry   skills/dirry
    -- stderr
    1 skill to install in skills/
      +  dirry  -  -  clean  142 B  ./dirry
    1 skill installed in [TIME] s; skills.toml and skills.lock written
    -- exit 0
    ");
    assert_eq!(user.read("skills.toml"), "[skills]\ndirry = { path = \"./dirry\" }\n");
    user.skill(["verify"]).success();
    user.write("dirry/more.md", "more");
    user.skill(["install", "./dirry"]).success();
    assert_eq!(user.read("skills/dirry/more.md"), "more");
    user.skill(["verify"]).success();
    assert_snapshot!(user.skill(["remove", "dirry", "--dry-run"]).to_string(), @r"
    -- stdout
    would remove  dirry   skills/dirry
    -- stderr
    dry run: nothing was removed
    -- exit 0
    ");
    assert!(user.path("skills/dirry").is_dir());
    user.skill(["remove", "dirry"]).success();
    assert!(!user.path("skills/dirry").exists());
    assert_eq!(user.read("skills.toml"), "[skills]\n");
}

#[test]
fn every_file_that_goes_in_is_checked_and_the_rest_is_named() {
    let user = Sandbox::new();
    Skill::new("dirry")
        .file("README.md", "readme")
        .file("metadata.json", "{}")
        .file("_draft.md", "draft")
        .file(".env", "SECRET=1")
        .write(&user, "dirry");
    let out = user.skill(["install", "./dirry"]).success();
    assert!(out.stderr.contains("warning[file-skipped]: 1 entry of ./dirry left out"), "{out}");
    assert!(out.stderr.contains(".env"), "{out}");
    assert!(!user.path("skills/dirry/.env").exists());
    for file in ["README.md", "metadata.json", "_draft.md"] {
        assert!(user.path(&format!("skills/dirry/{file}")).is_file(), "{file}");
    }
    user.skill(["verify"]).success();
}

#[test]
fn a_name_that_leaves_its_folder_is_not_one() {
    let user = Sandbox::new();
    let text = "---\nname: ../../evil\ndescription: Tries to get out. Use never.\n---\n";
    Skill::new("dirry").file("SKILL.md", text).write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    assert!(user.path("skills/dirry/SKILL.md").is_file());
    assert!(!user.path("../evil").exists());
    user.skill(["install", "./dirry", "--as", "../evil"]).code(2);
    user.skill(["install", "../../evil"]).code(3);
}

#[test]
fn no_registry_is_needed_and_none_is_asked() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    let out = user.run(
        user.command().args(["install", "./dirry", "--offline"]).env("SKILL_REGISTRY", "http://127.0.0.1:1"),
    );
    out.success();
    assert_eq!(user.skill(["install", "github", "--json"]).code(2).error_code(), "registry-not-set");
}

#[test]
fn what_no_lock_knows_is_shown_and_only_refused_if_asked() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    Skill::new("scratch").write(&user, "skills/scratch");
    assert_snapshot!(user.skill(["verify"]).to_string(), @r"
    -- stdout
    dirry   skills/dirry
      ok    disk       1 file, 124 B, sha256:8129f8d9e677
      ok    lock       ./dirry
      skip  signature  a folder has no registry signature
      ok    verdict    clean, scanned here

    scratch   skills/scratch
      ok    unmanaged  no lock knows this folder

    2 skills: 2 pass; 5 checks: 4 ok, 1 skip
    -- exit 0
    ");
    let failed = user.skill(["verify", "--require", "locked", "--json"]).code(4).failed_checks();
    assert_eq!(failed, ["unmanaged"]);
    assert_eq!(user.skill(["verify", "skills/scratch", "--json"]).code(3).error_code(), "not-locked");
    user.skill(["verify", "skills/dirry"]).success();
    user.skill(["verify", "--require", "signature"]).code(4);
    user.skill(["verify", "--require", "nonsense"]).code(2);
}

#[test]
fn what_python_leaves_is_told_and_cleaned() {
    let user = Sandbox::new();
    Skill::new("dirry").script("scripts/run.py", "print(1)\n").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    user.write("skills/dirry/scripts/__pycache__/run.pyc", "x");
    assert_eq!(user.skill(["verify", "--json"]).code(4).failed_checks(), ["disk-generated"]);
    user.skill(["verify", "--clean"]).success();
    assert!(!user.path("skills/dirry/scripts/__pycache__").exists());
}

#[test]
fn what_stock_tools_leave_is_a_row_of_its_own() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    user.write("skills/dirry/.clawhub/origin.json", "{}");
    let out = user.skill(["verify"]).success();
    assert!(out.stdout.contains("ok    foreign    .clawhub/origin.json, left by another tool"), "{out}");
    user.write("skills/dirry/.clawhub/origin.json", "no json");
    assert_eq!(user.skill(["verify", "--json"]).code(4).failed_checks(), ["foreign-unreadable"]);
}
