//! A publish whose connection breaks is sent again, and is published once.

use std::sync::atomic::{AtomicBool, Ordering};

use insta::assert_snapshot;

use crate::support::wire::{Fate, Wire};
use crate::support::{Output, Registry, Sandbox, Skill};

/// Publishes over a wire on which the first publish meets `fate`.
fn published_over(fate: fn() -> Fate) -> (Registry, Output) {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("demo").publish(&author, "1.0.0").success();
    let met = AtomicBool::new(false);
    let wire = Wire::to(&registry, move |request| {
        let is_publish = request.starts_with("POST /api/registry/v1/publish ");
        if is_publish && !met.swap(true, Ordering::Relaxed) { fate() } else { Fate::Passes }
    });
    let far = Sandbox::new();
    far.skill(["registry", "add", &wire.url(), "--name", "corp"]).success();
    far.skill(["login", "--token", author.token()]).success();
    Skill::new("demo").file("more.txt", "more").write(&far, "demo");
    let out = far.skill(["publish", "./demo", "--bump", "minor", "--json"]);
    (registry, out)
}

/// The numbers that the registry has, oldest first.
fn numbers(registry: &Registry) -> Vec<String> {
    let page = registry.get("/api/v1/skills/demo/versions");
    let mut numbers: Vec<String> = page["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["version"].as_str().unwrap().to_owned())
        .collect();
    numbers.sort();
    numbers
}

#[test]
fn cut_after_its_body() {
    let (registry, out) = published_over(|| Fate::CutAfterBody);
    assert_eq!(out.success().json()["version"], "1.1.0");
    assert_eq!(numbers(&registry), ["1.0.0", "1.1.0"]);
}

#[test]
fn cut_after_its_answer() {
    let (registry, out) = published_over(|| Fate::CutAfterAnswer);
    let answer = out.success().json();
    assert_eq!((&answer["version"], &answer["unchanged"]), (&"1.1.0".into(), &true.into()));
    assert_eq!(numbers(&registry), ["1.0.0", "1.1.0"]);
}

#[test]
fn arrived_twice() {
    let (registry, out) = published_over(|| Fate::Doubled);
    let answer = out.success().json();
    assert_eq!((&answer["version"], &answer["unchanged"]), (&"1.1.0".into(), &true.into()));
    assert_eq!(numbers(&registry), ["1.0.0", "1.1.0"]);
}

/// It is not said that there was nothing to publish: there was, and it is done.
#[test]
fn what_became_of_it_is_told() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    let met = AtomicBool::new(false);
    let wire = Wire::to(&registry, move |request| {
        let is_publish = request.starts_with("POST /api/registry/v1/publish ");
        if is_publish && !met.swap(true, Ordering::Relaxed) { Fate::CutAfterAnswer } else { Fate::Passes }
    });
    let far = Sandbox::new();
    far.skill(["registry", "add", &wire.url(), "--name", "corp"]).success();
    far.skill(["login", "--token", author.token()]).success();
    Skill::new("demo").write(&far, "demo");
    let out = far.skill(["publish", "./demo"]).success();
    assert_snapshot!(out, @r"
    -- stdout
    unchanged  acme/demo 1.0.0   clean   visible
    -- stderr
    packed 1 file, 120 B (212 B zipped)
    the answer was lost on its way; acme/demo 1.0.0 is stored, by an earlier try or from before
    -- exit 0
    ");
}
