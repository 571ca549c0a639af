//! Git sources on this machine: what is taken, from where, and what the lock says.

use insta::assert_snapshot;

use crate::support::git::Repo;
use crate::support::{Output, Sandbox};

/// Commits and digests differ from run to run, and so does the folder of the repository.
fn shown(out: &Output, repo: &Repo) -> String {
    let name = repo.root().file_name().unwrap().to_str().unwrap();
    let text = out.to_string().replace(&repo.root().display().to_string(), "[REPO]").replace(name, "[REPO]");
    let mut words = Vec::new();
    for word in text.split(' ') {
        let hex = word.trim_end().len() == 12 && word.trim_end().bytes().all(|b| b.is_ascii_hexdigit());
        words.push(if hex { word.replace(word.trim_end(), "[COMMIT]") } else { word.to_owned() });
    }
    words.join(" ")
}

/// Case 54, for git.
#[test]
fn a_repository_with_one_skill_is_installed_verified_and_changed() {
    let repo = Repo::with(&["skills/gitty"]);
    let user = Sandbox::new();
    let out = user.skill(["install", &repo.reference()]);
    assert_snapshot!(shown(&out, &repo), @r"
    -- stdout
    installed  gitty   skills/gitty
    -- stderr
    1 skill to install in skills/
      +  gitty  -  -  clean  88 B  git:../../[REPO]/r.git
    1 skill installed in [TIME] s; skills.toml and skills.lock written
    -- exit 0
    ");
    assert_snapshot!(shown(&user.skill(["verify"]), &repo), @r"
    -- stdout
    gitty   skills/gitty
      ok    disk       1 file, 88 B, sha256:87c8c8c8bed3
      ok    lock       git:../../[REPO]/r.git at [COMMIT]
      skip  signature  a git source has no registry signature
      ok    verdict    clean, scanned here

    1 skill: 1 passes; 4 checks: 3 ok, 1 skip
    -- exit 0
    ");
    let lock = user.read("skills.lock");
    assert!(lock.contains(&format!("commit = \"{}\"", repo.git(&["rev-parse", "HEAD"]))), "{lock}");
    assert!(lock.contains("path = \"skills/gitty\""), "{lock}");
    let before = user.disk();
    let out = user.skill(["install", &repo.reference()]).success();
    assert!(out.stderr.contains("nothing to do: 1 skill is as wanted"), "{out}");
    assert_eq!(user.disk(), before);

    repo.skill("skills/gitty", "More.\n");
    let second = repo.commit("second");
    user.skill(["install"]).success();
    assert_eq!(user.disk(), before, "the lock holds what was installed until somebody asks anew");
    let out = user.skill(["install", &repo.reference()]).success();
    assert!(out.stdout.contains("changed  gitty"), "{out}");
    assert!(user.read("skills.lock").contains(&second));
    assert!(user.read("skills/gitty/SKILL.md").ends_with("More.\n"));
    user.skill(["verify"]).success();
}

#[test]
fn several_skills_are_listed_and_one_is_chosen() {
    let repo = Repo::with(&["skills/review", "skills/summary"]);
    repo.write("skills/天气/SKILL.md", "---\nname: weather\ndescription: 查询天气并给出穿衣建议\n---\n");
    repo.commit("weather");
    let user = Sandbox::new();
    let out = user.skill(["install", &repo.reference()]);
    assert_snapshot!(shown(&out, &repo), @r"
    -- stderr
    error[source-several]: git:[REPO]/r.git holds 3 skills
         skills/review   Helps with review. Use it when review comes up.
         skills/summary  Helps with summary. Use it when summary comes up.
         skills/天气     查询天气并给出穿衣建议
      because: nothing was changed
    hint: add `--path skills/review` to choose one
    -- exit 3
    ");
    assert_eq!(user.disk(), "");
    let out = user.skill(["install", &repo.reference(), "--json"]);
    assert_eq!(out.json()["error"]["candidates"][1], "skills/summary");
    user.skill(["install", &repo.reference(), "--path", "skills/review"]).success();
    user.skill(["install", &format!("{}//skills/天气", repo.reference())]).success();
    user.skill(["verify"]).success();
    assert!(user.read("skills.toml").contains("path = \"skills/review\""));
    let out = user.skill(["install", &repo.reference(), "--path", "docs", "--json"]).code(3);
    assert_eq!(out.error_code(), "source-empty");
    assert_eq!(
        user.skill(["install", &repo.reference(), "--path", "../x", "--json"]).code(2).error_code(),
        "subpath-parent"
    );
}

/// Cases 42, 44 and 45, for git.
#[test]
fn a_skill_at_the_root_is_the_whole_repository() {
    let repo = Repo::with(&[""]);
    repo.write("notes/deep/more.md", "more");
    repo.script("run.sh", "#!/bin/sh\n");
    repo.write(".hidden", "kept");
    repo.write("a/.DS_Store", "junk");
    repo.commit("more");
    let user = Sandbox::new();
    let out = user.skill(["install", &repo.reference()]).success();
    assert!(out.stderr.contains("warning[file-skipped]: 1 entry of"), "{out}");
    assert!(out.stderr.contains("a/.DS_Store  left by the operating system, always"), "{out}");
    let disk = user.disk();
    assert!(disk.lines().any(|line| line.starts_with("file 0755") && line.ends_with("skills/rooty/run.sh")));
    assert!(
        disk.lines().any(|line| line.starts_with("file 0644") && line.ends_with("rooty/notes/deep/more.md"))
    );
    assert!(user.path("skills/rooty/.hidden").is_file());
    assert!(!user.path("skills/rooty/a").exists());
    user.skill(["verify"]).success();
}

#[test]
fn a_repository_without_a_skill_says_what_was_searched() {
    let repo = Repo::new();
    let user = Sandbox::new();
    let out = user.skill(["install", &repo.reference(), "--json"]).code(3);
    assert_eq!(out.error_code(), "git-ref-not-found");
    repo.write("README.md", "nothing here");
    repo.commit("readme");
    let out = user.skill(["install", &repo.reference()]);
    assert_snapshot!(shown(&out, &repo), @r"
    -- stderr
    error[source-empty]: there is no SKILL.md in git:[REPO]/r.git
      because: searched: every folder
      because: nothing was changed
    -- exit 3
    ");
}

#[test]
fn a_place_without_a_repository_is_not_one() {
    let user = Sandbox::new();
    user.write("plain/file", "x");
    for reference in ["git:./plain", "git:./nowhere"] {
        let out = user.skill(["install", reference, "--json"]).code(3);
        assert_eq!(out.error_code(), "git-not-found", "{out}");
    }
    for reference in
        ["git:ext::sh -c touch% /tmp/x", "git:--upload-pack=evil", "git:ssh://-oProxyCommand=x/y"]
    {
        user.skill(["install", reference]).code(2);
    }
}

#[test]
fn without_the_git_program_it_is_said() {
    let repo = Repo::with(&["gitty"]);
    let user = Sandbox::new();
    let out =
        user.run(user.command().args(["install", &repo.reference(), "--json"]).env("PATH", "/nonexistent"));
    assert_eq!(out.code(1).error_code(), "git-absent");
}

#[test]
fn what_is_written_as_a_path_is_kept_relative() {
    let repo = Repo::with(&["gitty"]);
    let user = Sandbox::new();
    fs_err::rename(repo.root().join("work"), user.path("upstream")).unwrap();
    user.skill(["install", "git:./upstream"]).success();
    assert!(user.read("skills.lock").contains("url = \"./upstream\""));
    fs_err::create_dir(user.path("below")).unwrap();
    let out = user.run(user.command().args(["install", "--frozen"]).current_dir(user.path("below")));
    out.success();
    user.skill(["install", "--frozen"]).success();
}
