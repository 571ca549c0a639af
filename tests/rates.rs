//! A registry that answers only so often.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use insta::assert_snapshot;

use crate::support::site::{Site, status};
use crate::support::{Registry, Sandbox, Skill};

/// What the registry answers to a GET, to the byte.
fn passed_on(registry: &str, path: &str) -> Vec<u8> {
    let address = registry.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

/// Case 112: whatever is asked for is refused once, and asked for again when the registry said.
#[test]
fn a_limit_that_ends_soon_is_waited_for() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("github").publish(&author, "1.0.0").success();

    let (url, refused) = (registry.url(), Mutex::new(BTreeSet::new()));
    let front = Site::start(move |path| {
        if refused.lock().unwrap().insert(path.to_owned()) {
            return status("429 Too Many Requests", "Retry-After: 1\r\n");
        }
        passed_on(&url, path)
    });
    let user = Sandbox::new();
    user.skill(["registry", "add", &front.url(""), "--name", "corp"]).success();
    for args in [&["search", "github"][..], &["install", "acme/github"]] {
        let (began, before) = (Instant::now(), front.seen().len());
        user.skill(args).success();
        assert!(front.seen().len() > before && began.elapsed() >= Duration::from_secs(1), "{args:?}");
    }
    assert!(user.path("skills/github/SKILL.md").exists());
}

/// Case 112: where the wait is too long the command ends, says how long it is, and leaves all as it was.
#[test]
fn a_limit_that_lasts_is_told() {
    let mut registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    for slug in ["one", "two", "three"] {
        Skill::new(slug).publish(&author, "1.0.0").success();
    }
    registry.kill();
    fs_err::write(registry.data().join("config.toml"), "rate.read.user = 1\n").unwrap();
    registry.restart();
    let before = author.disk();

    // One a minute, and three that are asked for: one of them comes at least 20 seconds too early.
    let out = author.skill(["install", "acme/one", "acme/two", "acme/three"]).code(6);
    let wait = out.stderr.split(" requests for ").nth(1).unwrap().lines().next().unwrap();
    // Two may be told of, as they are asked for side by side.
    let first: Vec<&str> = out.stderr.lines().take(4).collect();
    assert_snapshot!(first.join("\n").replacen(wait, "[TIME]", 1), @r"
    error[rate-limited]: registry corp takes no more requests for [TIME]
      because: 1 of 1 requests a minute are used, with a token
      because: nothing was changed
    hint: wait, or ask the registry's operator for a higher limit
    ");
    let out = author.skill(["install", "acme/one", "acme/two", "acme/three", "--json"]).code(6).json();
    assert_eq!(out["error"]["code"], "rate-limited");
    assert!((20..=60).contains(&out["error"]["retryAfterSeconds"].as_u64().unwrap()), "{out}");
    assert_eq!(author.disk(), before);
}
