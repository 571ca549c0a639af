//! Branches, tags and commits of git sources.

use insta::assert_snapshot;

use crate::support::Sandbox;
use crate::support::git::{GitServer, Manner, Repo};

/// A repository with a commit for each kind of ref; the skill ends in the name of its ref.
fn repo() -> Repo {
    let repo = Repo::with(&["libs/s"]);
    for (reference, command) in [
        ("v1", "tag"),
        ("pkg@1.0.0", "tag"),
        ("pkg/v2", "tag"),
        ("fix/ABC/one", "branch"),
        ("main2", "branch"),
    ] {
        repo.skill("libs/s", &format!("{reference}\n"));
        repo.commit(reference);
        match command {
            "tag" => repo.git(&["tag", "--annotate", "--message", "x", reference]),
            command => repo.git(&[command, reference]),
        };
    }
    repo.skill("libs/s", "main\n");
    repo.commit("main");
    repo
}

#[track_caller]
fn installed(user: &Sandbox, args: &[&str]) -> String {
    let _ = fs_err::remove_dir_all(user.path("skills"));
    let _ = fs_err::remove_file(user.path("skills.lock"));
    let _ = fs_err::remove_file(user.path("skills.toml"));
    user.skill(["install"].iter().chain(args)).success();
    user.skill(["verify"]).success();
    user.read("skills/s/SKILL.md").lines().last().unwrap().to_owned()
}

/// Case 81: a branch, a tag or a commit can be asked for.
#[test]
fn every_kind_of_ref_is_found() {
    let repo = repo();
    let user = Sandbox::new();
    let base = repo.reference();
    for reference in ["v1", "pkg@1.0.0", "pkg/v2", "fix/ABC/one", "main", "refs/heads/main2", "HEAD"] {
        let expected = match reference {
            "refs/heads/main2" => "main2",
            "HEAD" => "main",
            reference => reference,
        };
        assert_eq!(installed(&user, &[&format!("{base}@{reference}//libs/s")]), expected, "{reference}");
        assert_eq!(installed(&user, &[&format!("{base}#{reference}")]), expected, "{reference}");
        assert_eq!(installed(&user, &[&base, "--ref", reference]), expected, "{reference}");
        assert!(user.read("skills.toml").contains(&format!("ref = \"{reference}\"")));
    }
    let commit = repo.git(&["rev-parse", "v1^{commit}"]);
    assert_eq!(installed(&user, &[&base, "--ref", &commit]), "v1");
    assert_eq!(installed(&user, &[&base, "--ref", &commit[..9]]), "v1");
    assert!(user.read("skills.lock").contains(&format!("commit = \"{commit}\"")));
}

#[test]
fn a_ref_that_is_not_there_is_told_with_what_is_near() {
    let repo = repo();
    let user = Sandbox::new();
    for reference in ["fix/ABC/on", "nothing", "0123456789abcdef0123456789abcdef01234567", "deadbeef"] {
        let out = user.skill(["install", &repo.reference(), "--ref", reference, "--json"]).code(3);
        assert_eq!(out.error_code(), "git-ref-not-found", "{reference}");
    }
    let out = user.skill(["install", &repo.reference(), "--ref", "fix/ABC/on"]).to_string();
    assert_snapshot!(out.replace(&repo.root().display().to_string(), "[REPO]"), @r"
    -- stderr
    error[git-ref-not-found]: git:[REPO]/r.git has no branch, tag or commit fix/ABC/on
      because: similar names there: fix/ABC/one
      because: nothing was changed
    hint: add `--ref fix/ABC/one`
    -- exit 3
    ");
    assert_eq!(
        user.skill(["install", &repo.reference(), "--ref=-x", "--json"]).code(2).error_code(),
        "ref-dash"
    );
    assert_eq!(user.disk(), "");
}

/// Cases 74 and 75.
#[test]
fn the_page_of_a_folder_is_cut_where_the_remote_knows_a_ref() {
    let repo = repo();
    let server = GitServer::start(repo.root(), Manner::Open);
    // `o/r` is what a forge calls a repository.
    fs_err::create_dir(repo.root().join("o")).unwrap();
    std::os::unix::fs::symlink("../r.git", repo.root().join("o/r")).unwrap();
    let user = Sandbox::new();
    for (page, reference) in [
        ("/o/r/tree/fix/ABC/one/libs/s", "fix/ABC/one"),
        ("/o/r/-/tree/fix%2FABC%2Fone/libs/s?ref_type=heads", "fix/ABC/one"),
        ("/o/r/-/tree/main/libs/s?ref_type=heads#readme", "main"),
        ("/o/r/tree/pkg@1.0.0", "pkg@1.0.0"),
        ("/o/r/tree/main", "main"),
    ] {
        assert_eq!(installed(&user, &[&server.url(page)]), reference, "{page}");
        let lock = user.read("skills.lock");
        assert!(lock.contains(&format!("ref = \"{reference}\"")), "{page}: {lock}");
        assert!(lock.contains("path = \"libs/s\""), "{page}: {lock}");
        assert!(lock.contains(&format!("url = \"{}\"", server.url("/o/r"))), "{page}: {lock}");
    }
    let out = user.skill(["install", &server.url("/o/r/tree/gone/libs/s"), "--json"]).code(3);
    assert_eq!(out.error_code(), "git-ref-not-found");
}

#[test]
fn the_beginning_of_a_commit_is_looked_for_and_said() {
    let repo = repo();
    let commit = repo.git(&["rev-parse", "HEAD"]);
    let user = Sandbox::new();
    let out = user.skill(["install", &repo.reference(), "--ref", &commit[..8]]).success();
    let note = format!("{} is no branch or tag; it is looked for among all commits", &commit[..8]);
    assert!(out.stderr.contains(&note), "{out}");
    let out = user.skill(["install", &repo.reference(), "--ref", "no-hex-at-all"]).code(3);
    assert!(!out.stderr.contains("looked for"), "{out}");
}

#[test]
fn github_is_a_base_url_that_can_be_configured() {
    let repo = repo();
    let server = GitServer::start(repo.root(), Manner::Open);
    fs_err::create_dir(repo.root().join("o")).unwrap();
    std::os::unix::fs::symlink("../r.git", repo.root().join("o/r.git")).unwrap();
    let user = Sandbox::new();
    fs_err::write(user.skill_home().join("config.toml"), format!("github = \"{}\"\n", server.url("")))
        .unwrap();
    assert_eq!(installed(&user, &["github:o/r"]), "main");
    assert_eq!(installed(&user, &["github:o/r/libs/s@fix/ABC/one"]), "fix/ABC/one");
    assert_eq!(installed(&user, &["github:o/r@pkg@1.0.0//libs/s"]), "pkg@1.0.0");
}

/// A remote may call a branch after a commit that somebody read and trusts.
#[test]
fn a_branch_that_is_called_like_a_commit_is_not_that_commit() {
    let repo = Repo::with(&["gitty"]);
    repo.write("gitty/which.txt", "read");
    let read = repo.commit("read");
    repo.write("gitty/which.txt", "evil");
    let evil = repo.commit("evil");
    repo.git(&["update-ref", &format!("refs/heads/{read}"), &evil]);
    let user = Sandbox::new();
    user.skill(["install", &format!("{}@{read}", repo.reference())]).success();
    assert_eq!(user.read("skills/gitty/which.txt"), "read");
    assert!(user.read("skills.lock").contains(&format!("commit = \"{read}\"")));
}
