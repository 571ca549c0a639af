//! Remotes that are not as one would have them: no filters, other digests, too much, elsewhere.

use crate::support::git::{GitServer, Manner, Repo, noise};
use crate::support::site::{Site, status};
use crate::support::{Output, Sandbox};

#[test]
fn a_remote_that_leaves_nothing_out_gives_the_same_skill_and_one_commit_of_it() {
    let repo = Repo::with(&["skills/small"]);
    for version in 0..3_u8 {
        repo.write("assets.bin", [noise(1 << 20), vec![version]].concat());
        repo.commit("assets");
    }
    repo.git(&["config", "uploadpack.allowFilter", "false"]);
    let server = GitServer::start(repo.root(), Manner::Open);
    let user = Sandbox::new();
    user.skill(["install", &server.url("/r.git")]).success();
    user.skill(["verify"]).success();
    let sent = server.sent();
    assert!((1 << 20..2 << 20).contains(&sent), "{sent} bytes of three commits with 1 MiB each");
}

/// How large a file is no folder says; it is known when it has come, and more than fits does not come.
#[test]
fn a_file_that_never_fits_is_stopped_while_it_comes() {
    let repo = Repo::with(&["gitty"]);
    repo.write("gitty/big.bin", noise(80 << 20));
    repo.git(&["-c", "core.compression=0", "add", "--all"]);
    repo.git(&["commit", "--quiet", "--message", "big"]);
    let user = Sandbox::new();
    let out = user.skill(["install", &repo.reference()]).code(1);
    let shown = out.to_string().replace(&repo.root().display().to_string(), "[REPO]");
    insta::assert_snapshot!(shown, @r"
    -- stderr
    error[bundle-large]: git:[REPO]/r.git sends more than 66.0 MiB
      because: the download was stopped there
      because: nothing was changed
    hint: add `--path PATH` to take a smaller folder of it
    -- exit 1
    ");
    assert_eq!(user.disk(), "");
    assert_eq!(fs_err::read_dir(user.skill_home().join("cache/git")).unwrap().count(), 0);
}

#[test]
fn objects_named_by_sha256_are_as_good() {
    let repo = Repo::of_format("sha256");
    repo.skill("libs/s", "first\n");
    let first = repo.commit("first");
    repo.git(&["tag", "v1"]);
    repo.skill("libs/s", "second\n");
    repo.commit("second");
    assert_eq!(first.len(), 64);
    let server = GitServer::start(repo.root(), Manner::Open);
    for base in [repo.reference(), format!("git:{}", server.url("/r.git"))] {
        for reference in ["v1", &first, &first[..12]] {
            let user = Sandbox::new();
            user.skill(["install", &base, "--ref", reference]).success();
            assert!(user.read("skills/s/SKILL.md").ends_with("first\n"));
            assert!(user.read("skills.lock").contains(&format!("commit = \"{first}\"")));
            user.skill(["verify"]).success();
            fs_err::remove_dir_all(user.path("skills")).unwrap();
            fs_err::remove_dir_all(user.skill_home().join("cache")).unwrap();
            user.skill(["install", "--frozen"]).success();
        }
    }
}

/// A server of the first protocol gives a commit by its name only if a ref names it.
#[test]
fn a_commit_that_no_ref_names_comes_with_the_branch_that_leads_to_it() {
    let repo = Repo::with(&["libs/s"]);
    let first = repo.git(&["rev-parse", "HEAD"]);
    for step in 0..5 {
        repo.skill("libs/s", &format!("{step}\n"));
        repo.commit("more");
    }
    for key in ["allowReachableSHA1InWant", "allowTipSHA1InWant", "allowAnySHA1InWant"] {
        repo.git(&["config", &format!("uploadpack.{key}"), "false"]);
    }
    for manner in [Manner::Old, Manner::Open] {
        let server = GitServer::start(repo.root(), manner);
        let user = Sandbox::new();
        user.skill(["install", &server.url("/r.git"), "--ref", &first]).success();
        assert!(user.read("skills.lock").contains(&format!("commit = \"{first}\"")));
        user.skill(["verify"]).success();
    }
    let lost = repo.git(&["commit-tree", "-m", "lost", "HEAD^{tree}"]);
    let server = GitServer::start(repo.root(), Manner::Old);
    let user = Sandbox::new();
    let out = user.skill(["install", &server.url("/r.git"), "--ref", &lost, "--json"]).code(3);
    assert_eq!(out.error_code(), "git-ref-not-found");
}

/// Case 108, for git.
#[test]
fn credentials_of_a_url_do_not_follow_a_redirect() {
    for line in ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let elsewhere = Site::start(|_| status("404 Not Found", ""));
        let to = elsewhere.url("");
        let site = Site::start(move |path| status(line, &format!("Location: {to}{path}\r\n")));
        let user = Sandbox::new();
        let reference = format!("git:{}", site.url_with("ada:secret-p4ss", "/r.git"));
        let out: Output = user.skill(["install", &reference, "--json"]);
        assert_ne!(out.code, 0);
        assert!(site.seen()[0].contains("authorization: basic"), "{:?}", site.seen());
        assert!(
            elsewhere.seen().iter().all(|head| !head.contains("authorization")),
            "{:?}",
            elsewhere.seen()
        );
        assert!(!out.to_string().contains("secret-p4ss"), "{out}");
    }
}
