//! Stars: given and taken back with the program.

use insta::assert_snapshot;

use crate::install_registry::github;
use crate::support::{Registry, Sandbox};

#[test]
fn a_skill_is_starred_and_not_any_more() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::publisher(&registry, "octo");
    assert_snapshot!(user.skill(["star", "acme/github"]).to_string(), @r"
    -- stdout
    starred  acme/github   1 star
    -- exit 0
    ");
    assert_snapshot!(user.skill(["star", "github"]).to_string(), @r"
    -- stdout
    unchanged  acme/github   1 star
    -- exit 0
    ");
    assert_snapshot!(user.skill(["unstar", "github"]).to_string(), @r"
    -- stdout
    unstarred  acme/github   0 stars
    -- exit 0
    ");
    let again = user.skill(["unstar", "@acme/github", "--json"]).success().json();
    assert_snapshot!(again.to_string(), @r#"{"owner":"acme","slug":"github","status":"unchanged","starred":false,"stars":0}"#);
}

#[test]
fn what_is_refused() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::publisher(&registry, "octo");
    for verb in ["star", "unstar"] {
        assert_eq!(user.skill([verb, "acme/github@1.0.0", "--json"]).code(2).error_code(), "usage");
        assert_eq!(user.skill([verb, "acme/none", "--json"]).code(3).error_code(), "skill-not-found");
        let nobody = Sandbox::with(&registry);
        assert_eq!(nobody.skill([verb, "acme/github", "--json"]).code(7).error_code(), "login-needed");
    }
}
