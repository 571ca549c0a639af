//! A link or a file where a skill's folder was: a changed copy, which is kept and can be replaced.

use crate::install_registry::github;
use crate::support::{Registry, Sandbox};

fn replaced(user: &Sandbox, by: impl Fn()) {
    let good = user.disk();
    fs_err::rename(user.path("skills/github"), user.path("moved")).unwrap();
    by();
    let before = user.disk();
    for command in
        [&["install", "--frozen"][..], &["install"], &["install", "github@^3"], &["remove", "github"]]
    {
        let out = user.skill(command.iter().chain(&["--json"])).code(4);
        assert_eq!(out.error_code(), "disk-differs", "{command:?}");
        assert_eq!(out.json()["error"]["files"], serde_json::json!(["skills/github"]));
    }
    user.skill(["verify"]).code(4);
    assert_eq!(user.disk(), before);
    let out = user.skill(["install", "--frozen", "--force"]).success();
    assert!(out.stderr.contains("the changed copy is kept in .skill/backup/github-"), "{out}");
    user.skill(["verify"]).success();
    let kept = fs_err::read_dir(user.path(".skill/backup")).unwrap().next().unwrap().unwrap().path();
    assert!(!kept.is_dir() || kept.is_symlink());
    fs_err::remove_dir_all(user.path(".skill/backup")).unwrap();
    let _ = fs_err::remove_dir_all(user.path("moved"));
    assert_eq!(user.disk(), good);
}

#[test]
fn by_a_link_to_the_same_files() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    replaced(&user, || fs_err::os::unix::fs::symlink("../moved", user.path("skills/github")).unwrap());
}

#[test]
fn by_a_file() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", "github@^3"]).success();
    replaced(&user, || user.write("skills/github", "a file"));
}
