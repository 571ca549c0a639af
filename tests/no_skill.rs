//! Folders, archives and URLs that are asked for as what they are not.

use insta::assert_snapshot;

use crate::support::git::Repo;
use crate::support::site::{Site, ok, status};
use crate::support::{Registry, Sandbox, Skill};

#[test]
fn a_folder_of_skills_is_chosen_from_by_its_own_paths() {
    let user = Sandbox::new();
    Skill::new("one").write(&user, "repo/one");
    assert_snapshot!(user.skill(["install", "./repo"]).to_string(), @r"
    -- stderr
    error[source-several]: ./repo holds 1 skill, and no SKILL.md of its own
         ./repo/one
      because: nothing was changed
    hint: run `skill install ./repo/one`
    -- exit 3
    ");
    Skill::new("two").write(&user, "repo/two");
    assert_snapshot!(user.skill(["install", "./repo/"]).to_string(), @r"
    -- stderr
    error[source-several]: ./repo/ holds 2 skills, and no SKILL.md of its own
         ./repo/one
         ./repo/two
      because: nothing was changed
    hint: run `skill install ./repo/one`
    -- exit 3
    ");
    user.skill(["install", "./repo/one"]).success();
}

/// Whether it is a skill at all comes before what a file far below it is like.
#[test]
fn a_folder_that_is_no_skill_is_no_matter_of_its_files() {
    let user = Sandbox::new();
    user.write("notes/deep/a:b", "x");
    user.write("notes/big.bin", vec![0; (10 << 20) + 1]);
    assert_snapshot!(user.skill(["install", "./notes"]).to_string(), @r"
    -- stderr
    error[bundle-no-skill-md]: there is no SKILL.md in ./notes
      because: nothing was changed
    hint: write the folder that holds it as REF
    -- exit 1
    ");
}

#[test]
fn an_archive_in_a_format_that_is_not_read_says_so() {
    let user = Sandbox::new();
    for name in ["x.tar.bz2", "x.tar.xz", "x.7z"] {
        user.write(name, "x");
        let out = user.skill(["install", &format!("./{name}")]).code(1);
        assert!(out.stderr.contains("error[bundle-unknown-format]: "), "{out}");
        assert!(out.stderr.contains("pack it as .skill, .zip, .tar or .tar.gz"), "{out}");
    }
    user.write("x.txt", "x");
    assert!(user.skill(["install", "./x.txt"]).stderr.contains("is not a folder"));
}

/// `.skillignore` is read in a folder of one's own and nowhere else.
#[test]
fn no_rule_is_proposed_that_is_not_read_there() {
    let user = Sandbox::new();
    let repo = Repo::with(&["x"]);
    repo.write("x/big.bin", vec![0; (10 << 20) + 1]);
    repo.commit("big");
    let out = user.skill(["install", &repo.reference()]).code(1);
    assert!(out.stderr.contains("ask its maker for a smaller one"), "{out}");
    assert!(!out.stderr.contains("skillignore"), "{out}");
    Skill::new("mine").file("big.bin", "x".repeat((10 << 20) + 1)).write(&user, "mine");
    assert!(user.skill(["install", "./mine"]).code(1).stderr.contains("leave it out with `.skillignore`"));
    Skill::new("rules").file(".skillignore", "x\n".repeat(6 << 20)).write(&user, "rules");
    let out = user.skill(["install", "./rules"]).code(1);
    assert!(!out.stderr.contains("leave it out with"), "{out}");
}

#[test]
fn a_path_that_is_not_there_lists_what_is() {
    let repo = Repo::with(&["skills/one", "skills/two"]);
    let user = Sandbox::new();
    let out = user.skill(["install", &repo.reference(), "--path", "nosuch"]).code(3);
    let shown = out.to_string().replace(&repo.root().display().to_string(), "[REPO]");
    assert_snapshot!(shown, @r"
    -- stderr
    error[source-empty]: there is no skill at nosuch in git:[REPO]/r.git
         skills/one  Helps with one. Use it when one comes up.
         skills/two  Helps with two. Use it when two comes up.
      because: nothing was changed
    hint: add `--path skills/one` to choose one
    -- exit 3
    ");
}

/// The fetched one and the one of the cache.
#[test]
fn a_source_gives_its_skill_the_same_name_each_time() {
    let repo = Repo::new();
    repo.write("skills/plain/SKILL.md", "# Plain\n\nA skill that does not say what it is called.\n");
    repo.commit("first");
    let user = Sandbox::new();
    for _ in 0..2 {
        user.skill(["install", &repo.reference(), "--path", "skills/plain"]).success();
    }
    assert_eq!(fs_err::read_dir(user.path("skills")).unwrap().count(), 1);
    assert!(user.path("skills/plain/SKILL.md").is_file());
}

#[test]
fn refs_and_paths_are_not_dropped_where_there_are_none() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("github").write(&author, "github");
    author.skill(["publish", "github"]).success();
    let page = format!("{}/acme/skills/github", registry.url());
    for (args, why) in [
        (vec!["https://skills.example/x.zip#v9"], "is an archive, which has no refs"),
        (vec![page.as_str(), "--path", "x"], "is the page of a registry's skill"),
        (vec![page.as_str(), "--ref", "v1"], "is the page of a registry's skill"),
    ] {
        let out = author.skill(["install"].into_iter().chain(args)).code(2);
        assert!(out.stderr.contains("error[usage]: ") && out.stderr.contains(why), "{out}");
    }
}

/// A web site is no registry, and is not spoken of as one.
#[test]
fn a_site_that_gives_no_archive_is_a_site() {
    let user = Sandbox::new();
    let away = Site::start(|_| status("302 Found", "Location: http://skills.example/x.zip\r\n"));
    let around = Site::start(|_| status("302 Found", "Location: /x.zip\r\n"));
    let plain = Site::start(|_| ok("x"));
    let tls = plain.url("/x.zip").replace("http:", "https:");
    for (url, code, exit) in [
        (away.url("/x.zip"), "registry-error", 6),
        (around.url("/x.zip"), "registry-error", 6),
        (tls, "registry-unreachable", 6),
    ] {
        let out = user.skill(["install", &url]).code(exit);
        assert!(out.stderr.contains(&format!("error[{code}]: ")), "{out}");
        assert!(out.stderr.contains("hint: check the URL, or try again later"), "{out}");
        assert!(!out.stderr.contains("registry does") && !out.stderr.contains("corrupt"), "{out}");
    }
}

#[test]
fn an_ignore_file_that_is_not_text_is_named() {
    let user = Sandbox::new();
    Skill::new("rules").file(".skillignore", b"\xff\n".to_vec()).write(&user, "rules");
    let out = user.skill(["install", "./rules"]);
    assert_ne!(out.code, 0);
    let said = "error[bundle-ignore-file]: ./rules: `.skillignore` is not UTF-8";
    assert!(out.stderr.contains(said), "{out}");
    assert!(out.stderr.contains("hint: save it as UTF-8, one pattern a line"), "{out}");
}

/// Where nothing is written, nothing can be pointed at.
#[test]
fn a_ref_that_is_empty_is_told_without_a_caret() {
    let user = Sandbox::new();
    let out = user.skill(["install", "github:a/b@"]).code(2);
    assert!(!out.stderr.contains('^'), "{out}");
}
