//! Links on this machine: in the way to the skills, and in the place of a SKILL.md.

use std::os::unix::fs::symlink;

use crate::support::{Registry, Sandbox, Skill};

/// Case 47: the folder of skills is itself a link, in the work directory and in the home.
#[test]
fn a_linked_folder_of_skills_is_resolved_once_and_worked_in() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    let home = user.path("../home");
    for (link, flags) in [
        (user.path("skills"), &[][..]),
        (home.join(".agents/skills"), &["--global"]),
        (user.path(".claude/skills"), &["--agent", "claude-code"]),
    ] {
        let real = home.join(format!("real{}", flags.len()));
        fs_err::create_dir_all(&real).unwrap();
        fs_err::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(&real, &link).unwrap();
        user.skill(["install", "./dirry"].iter().chain(flags)).success();
        let file = real.join("dirry/SKILL.md");
        assert!(fs_err::symlink_metadata(&file).unwrap().is_file(), "{flags:?}");
        assert!(link.is_symlink(), "{flags:?}");
        let made: Vec<_> = fs_err::read_dir(&real).unwrap().collect();
        assert_eq!(made.len(), 1, "{made:?}");
        let scope = flags.iter().filter(|flag| **flag == "--global");
        user.skill(["verify"].iter().chain(scope.clone())).success();
        user.skill(["remove", "dirry"].iter().chain(scope)).success();
        assert_eq!(fs_err::read_dir(&real).unwrap().count(), 0, "{flags:?}");
    }
    // One that points to itself, and one that points to nothing, are told and not replaced.
    for target in ["skills", "nowhere/at/all"] {
        fs_err::remove_file(user.path("skills")).unwrap();
        symlink(target, user.path("skills")).unwrap();
        let before = user.disk();
        let out = user.skill(["install", "./dirry"]);
        assert_ne!(out.code, 0, "{target}\n{out}");
        assert_eq!(user.disk(), before, "{target}");
    }
    fs_err::remove_file(user.path("skills")).unwrap();
}

/// Case 49: a SKILL.md that is a link is followed inside of its folder, and told with its target elsewhere.
#[test]
fn a_skill_md_that_is_a_link() {
    let registry = Registry::start();
    let user = Sandbox::publisher(&registry, "acme");
    Skill::new("x").write(&user, "x");
    fs_err::rename(user.path("x/SKILL.md"), user.path("x/real.md")).unwrap();
    symlink("real.md", user.path("x/SKILL.md")).unwrap();
    user.skill(["lint", "x"]).success();
    let out = user.skill(["install", "./x"]).success();
    assert!(out.stderr.contains("warning[link-followed]"), "{out}");
    assert!(out.stderr.contains("SKILL.md -> real.md"), "{out}");
    assert!(fs_err::symlink_metadata(user.path("skills/x/SKILL.md")).unwrap().is_file());
    assert!(user.skill(["list"]).success().stdout.contains("skills/x"));
    user.skill(["publish", "x"]).success();

    fs_err::rename(user.path("x/real.md"), user.path("elsewhere.md")).unwrap();
    fs_err::remove_file(user.path("x/SKILL.md")).unwrap();
    symlink("../elsewhere.md", user.path("x/SKILL.md")).unwrap();
    let before = user.disk();
    for args in [&["lint", "x"][..], &["install", "./x"], &["publish", "x"], &["pack", "x", "-o", "x.zip"]] {
        let out = user.skill(args.iter().chain(&["--json"])).code(1);
        assert_eq!(out.error_code(), "bundle-link-outside", "{args:?}");
        assert!(out.stdout.contains("../elsewhere.md"), "{out}");
    }
    assert_eq!(user.disk(), before);

    // One that takes the place of an installed file is not what was installed.
    fs_err::remove_file(user.path("skills/x/SKILL.md")).unwrap();
    symlink("../../elsewhere.md", user.path("skills/x/SKILL.md")).unwrap();
    assert!(user.skill(["list"]).success().stdout.contains("skills/x"));
    let out = user.skill(["verify", "x"]).code(4);
    assert!(out.stdout.contains("SKILL.md"), "{out}");
}

/// Case 54: what is new is found although something older was fetched before.
#[test]
fn what_appeared_a_moment_ago_is_found() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("first").publish(&author, "1.0.0").success();
    let user = Sandbox::with(&registry);
    user.skill(["install", "first"]).success();
    assert_eq!(user.skill(["install", "acme/second", "--json"]).code(3).error_code(), "skill-not-found");
    Skill::new("second").publish(&author, "1.0.0").success();
    user.skill(["install", "acme/second"]).success();
    // The same name and description, another body.
    Skill::new("first").file("more.md", "more").publish(&author, "1.0.1").success();
    user.skill(["install", "first"]).success();
    assert_eq!(user.read("skills/first/more.md"), "more");
    user.skill(["verify"]).success();
}
