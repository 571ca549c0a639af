//! Archives and single skills from web sites that are not at their best, and discovery.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::site::{Site, ok, status};
use crate::support::{Sandbox, Skill};

/// A skill's archive, as `skill pack` makes it.
fn archive() -> Vec<u8> {
    let user = Sandbox::new();
    Skill::new("tarry").write(&user, "tarry");
    user.skill(["pack", "tarry", "-o", "tarry.zip"]).success();
    fs_err::read(user.path("tarry.zip")).unwrap()
}

/// Case 112.
#[test]
fn a_site_that_is_busy_for_a_moment_is_asked_again() {
    let archive = archive();
    let count = AtomicUsize::new(0);
    let site = Site::start(move |_| match count.fetch_add(1, Ordering::SeqCst) {
        0 | 1 => status("503 Service Unavailable", "Retry-After: 0\r\n"),
        _ => ok(&archive),
    });
    let user = Sandbox::new();
    user.skill(["install", &site.url("/tarry.zip")]).success();
    assert_eq!(site.seen().len(), 3);

    let down = Site::start(|_| status("503 Service Unavailable", "Retry-After: 0\r\n"));
    let user = Sandbox::new();
    let out = user.skill(["install", &down.url("/tarry.zip")]);
    assert_ne!(out.code, 0);
    assert!(out.stderr.contains("answered with status 503"), "{out}");
    assert_eq!(down.seen().len(), 3);
    assert_eq!(user.disk(), "");
}

/// Case 108, for archives.
#[test]
fn credentials_of_a_url_stay_at_its_own_origin() {
    for line in
        ["301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"]
    {
        let archive = archive();
        let elsewhere = Site::start(move |_| ok(&archive));
        let to = elsewhere.url("/tarry.zip");
        let site = Site::start(move |_| status(line, &format!("Location: {to}\r\n")));
        let user = Sandbox::new();
        user.skill(["install", &site.url_with("ada:secret-p4ss", "/tarry.zip")]).success();
        assert!(site.seen()[0].contains("authorization: basic"), "{line}: {:?}", site.seen());
        assert_eq!(elsewhere.seen().len(), 1);
        assert!(!elsewhere.seen()[0].contains("authorization"), "{line}: {:?}", elsewhere.seen());
    }
}

const SINGLE: &str = "---\nname: single\ndescription: One file. Use it alone.\n---\n";

/// An index of one skill-md at a URL that no suffix tells apart.
fn discovery(skill: &'static str) -> Site {
    Site::start(move |path| match path {
        "/.well-known/agent-skills/index.json" => ok(serde_json::json!({
            "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
            "skills": [{"name": "single", "type": "skill-md", "description": "One", "url": "/raw/single?v=1",
                        "digest": format!("sha256:{}", skill_core::digest::Sha256::of(skill))}],
        })
        .to_string()),
        "/raw/single?v=1" | "/raw/single" => ok(skill),
        "/page" => ok("<!doctype html><title>Log in</title>"),
        _ => status("404 Not Found", ""),
    })
}

#[test]
fn a_single_skill_at_any_url_is_restored_from_there() {
    for skill in [SINGLE, "# Single\n\nA skill without frontmatter, which says what it is for.\n"] {
        let site = discovery(skill);
        let user = Sandbox::new();
        user.skill(["install", &site.url("")]).success();
        let before = user.disk();
        for args in [&["install", "--frozen"][..], &["install"]] {
            fs_err::remove_dir_all(user.path("skills")).unwrap();
            fs_err::remove_dir_all(user.skill_home().join("cache")).unwrap();
            user.skill(args).success();
            assert_eq!(user.disk(), before, "{args:?}");
        }
        user.skill(["verify"]).success();
    }
    // Without a lock the manifest alone leads there, too.
    let site = discovery(SINGLE);
    let user = Sandbox::new();
    user.skill(["install", &site.url("")]).success();
    fs_err::remove_file(user.path("skills.lock")).unwrap();
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    user.skill(["install"]).success();
    user.skill(["verify"]).success();
}

#[test]
fn a_page_for_people_is_no_skill() {
    let site = discovery(SINGLE);
    let user = Sandbox::new();
    user.write("skills.toml", format!("[skills]\nsingle = {{ archive = \"{}\" }}\n", site.url("/page")));
    let before = user.disk();
    let out = user.skill(["install", "--json"]).code(1);
    assert_eq!(out.error_code(), "bundle-unknown-format");
    assert_eq!(user.disk(), before);
}

#[test]
fn an_index_that_cannot_be_used_is_told_apart() {
    let listed = r#"{"skills":[{"name":"single","description":"One","files":["SKILL.md"]}]}"#;
    let newer = r#"{"$schema":"https://schemas.agentskills.io/discovery/9.0.0/schema.json","skills":[]}"#;
    for (index, why) in [
        (listed, "is of version 0.1.0, which gives no digests"),
        (newer, "has the unknown schema https://schemas.agentskills.io/discovery/9.0.0/schema.json"),
        (r#"{"skills":[]}"#, "lists no such skill"),
        ("<!doctype html>", "is no index"),
    ] {
        let site = Site::start(move |path| match path {
            "/.well-known/agent-skills/index.json" => ok(index),
            _ => status("404 Not Found", ""),
        });
        let user = Sandbox::new();
        let out = user.skill(["install", &site.url("")]).code(3);
        assert!(out.stderr.contains("error[source-unclear]") && out.stderr.contains(why), "{why}\n{out}");
        assert_eq!(user.disk(), "");
    }
}
