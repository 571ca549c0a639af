//! What somebody changes while a command works, or between two commands, is never overwritten.

use crate::install_registry::github;
use crate::support::policy::{ALLOW, program};
use crate::support::{Output, Registry, Sandbox, Skill};

/// acme/github 3.0.0 is installed; then 4.0.0 is, and `meddle` runs while its policy is asked.
fn updated_while(meddle: &str) -> (Sandbox, Output) {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@3.0.0"]).success();
    let work = user.work();
    program(&user, &format!("cd {}\n{meddle}\n{ALLOW}", work.display()), "");
    let out = user.skill(["install", "github@4.0.0", "--json"]);
    (user, out)
}

/// Refused, with nothing but what was meddled with changed.
#[track_caller]
fn refused(user: &Sandbox, out: Output, place: &str) {
    let out = out.code(4);
    assert_eq!(out.error_code(), "disk-differs");
    assert_eq!(out.json()["error"]["files"][0], place);
    assert!(user.read("skills.lock").contains("version = \"3.0.0\""));
    assert!(!user.disk().contains("stage-"), "{}", user.disk());
}

#[test]
fn a_copy_that_is_edited_during_the_download_is_kept() {
    let (user, out) = updated_while("printf mine > skills/github/data/version.txt");
    refused(&user, out, "skills/github");
    assert_eq!(user.read("skills/github/data/version.txt"), "mine");
}

#[test]
fn a_file_that_is_added_during_the_download_is_kept() {
    let (user, out) = updated_while("printf mine > skills/github/notes.md");
    refused(&user, out, "skills/github");
    assert_eq!(user.read("skills/github/notes.md"), "mine");
    assert_eq!(user.read("skills/github/data/version.txt"), "3.0.0");
}

#[test]
fn a_copy_that_is_exchanged_during_the_download_is_kept() {
    let (user, out) =
        updated_while("mv skills/github was; mkdir skills/github; printf mine > skills/github/x");
    refused(&user, out, "skills/github");
    assert_eq!(user.read("skills/github/x"), "mine");
}

#[test]
fn an_edit_of_skills_toml_during_the_download_is_kept() {
    let (user, out) = updated_while("printf '\\n# mine\\n' >> skills.toml");
    refused(&user, out, "skills.toml");
    assert!(user.read("skills.toml").contains("# mine"));
    assert_eq!(user.read("skills/github/data/version.txt"), "3.0.0");
}

#[test]
fn a_copy_that_appears_during_the_download_is_kept() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    let work = user.work();
    let meddle = "mkdir -p skills/dirry\nprintf mine > skills/dirry/x";
    program(&user, &format!("cd {}\n{meddle}\n{ALLOW}", work.display()), "");
    let out = user.skill(["install", "./dirry", "--json"]).code(4);
    assert_eq!(out.error_code(), "disk-differs");
    assert_eq!(user.read("skills/dirry/x"), "mine");
    assert!(!user.path("skills.lock").exists());
}

#[test]
fn an_edit_that_keeps_size_and_mode_is_not_called_unchanged() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    user.write("skills/github/data/version.txt", "9.9.9");
    let before = user.disk();
    for args in
        [&["install"][..], &["install", "--frozen"], &["install", "github@^3"], &["install", "github"]]
    {
        let out = user.skill(args.iter().chain(&["--json"])).code(4);
        assert_eq!(out.error_code(), "disk-differs", "{args:?}");
        assert_eq!(out.json()["error"]["files"][0], "data/version.txt", "{args:?}");
        assert_eq!(user.disk(), before, "{args:?}");
    }
    user.skill(["install", "--frozen", "--force"]).success();
    assert_eq!(user.read("skills/github/data/version.txt"), "3.4.1");
    let kept = fs_err::read_dir(user.path(".skill/backup")).unwrap().next().unwrap().unwrap().path();
    assert_eq!(fs_err::read_to_string(kept.join("data/version.txt")).unwrap(), "9.9.9");
    user.skill(["verify"]).success();
}

#[test]
fn two_backups_of_one_second_are_both_kept() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user.skill(["install", "./dirry"]).success();
    let texts = ["one", "two", "three", "four"];
    for text in texts {
        user.write("skills/dirry/SKILL.md", text);
        user.skill(["install", "--frozen", "--force"]).success();
    }
    let kept: Vec<String> = fs_err::read_dir(user.path(".skill/backup"))
        .unwrap()
        .map(|entry| fs_err::read_to_string(entry.unwrap().path().join("SKILL.md")).unwrap())
        .collect();
    for text in texts {
        assert!(kept.iter().any(|kept| kept == text), "{text} of {kept:?}");
    }
}

#[test]
fn what_a_locked_release_is_verified_by_comes_back_with_it() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    // Two releases with one tree: the second one's envelope has a name of its own.
    for slug in ["one", "two"] {
        let skill =
            Skill::new(slug).file("SKILL.md", "---\nname: both\ndescription: Same in both. Use it.\n---\n");
        skill.write(&author, slug);
        author.skill(["publish", slug, "--slug", slug, "--version", "1.0.0"]).success();
    }
    let user = Sandbox::with(&registry);
    user.skill(["install", "acme/one"]).success();
    user.skill(["install", "acme/two"]).success();
    let whole = user.disk();
    let out = user.skill(["install", "--frozen"]).success();
    assert_eq!(out.stdout.matches("unchanged").count(), 2, "{out}");
    for folder in [".skill/envelopes", ".skill/trees", ".skill/trust"] {
        fs_err::remove_dir_all(user.path(folder)).unwrap();
        user.skill(["install", "--frozen"]).success();
        assert_eq!(user.disk(), whole, "{folder}");
        user.skill(["verify"]).success();
    }
    for entry in fs_err::read_dir(user.path(".skill/envelopes")).unwrap() {
        fs_err::remove_file(entry.unwrap().path()).unwrap();
        user.skill(["install", "--frozen"]).success();
        assert_eq!(user.disk(), whole);
    }
}

#[test]
fn a_dry_run_remembers_nothing() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::new();
    let kept = |user: &Sandbox| {
        let disk = crate::support::disk(&user.skill_home());
        disk.lines().filter(|line| !line.contains(" cache")).map(str::to_owned).collect::<Vec<_>>()
    };
    let before = (user.disk(), kept(&user));
    let out = user.skill(["install", "acme/github", "--dry-run", "--registry", &registry.url()]).success();
    assert!(out.stderr.contains("a dry run does not pin this id"), "{out}");
    assert_eq!((user.disk(), kept(&user)), before);
    let out = user.skill(["install", "acme/github", "--registry", &registry.url()]).success();
    assert!(out.stderr.contains("this id is now pinned"), "{out}");
}
