//! The page of a registry as a reference.

use crate::install_registry::github;
use crate::support::{Registry, Sandbox};

#[test]
fn the_page_of_a_known_registry_is_its_skill() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::with(&registry);
    user.skill(["install", &format!("{}/acme/skills/github/versions/3.4.1", registry.url())]).success();
    let lock = user.read("skills.lock");
    assert!(lock.contains("version = \"3.4.1\"") && lock.contains("source = \"registry\""), "{lock}");
    user.skill(["install", &format!("{}/acme/skills/github", registry.url())]).success();
    assert!(user.read("skills.lock").contains("version = \"4.0.0\""));
    user.skill(["verify"]).success();
}

#[test]
fn the_page_of_an_unknown_registry_is_told_with_the_way_to_it() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::new();
    let out = user.skill(["install", &format!("{}/acme/skills/github", registry.url()), "--json"]).code(3);
    assert_eq!(out.error_code(), "source-unclear");
    let hint = format!("skill registry add {}", registry.url());
    assert!(out.json()["error"]["hints"].to_string().contains(&hint), "{out}");
    assert_eq!(user.disk(), "");
}
