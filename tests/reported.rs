//! Telling the moderators: what is malicious and was not found, and what was found and is not malicious.

use insta::assert_snapshot;

use crate::closed::malicious;
use crate::install_registry::github;
use crate::support::{Registry, Sandbox};

#[test]
fn a_skill_is_reported_once() {
    let registry = Registry::start();
    let _author = github(&registry);
    let user = Sandbox::publisher(&registry, "octo");
    let report = ["report", "acme/github", "--kind", "malicious", "--reason", "sends ~/.aws to a host"];
    assert_snapshot!(user.skill(report).to_string(), @r"
    -- stdout
    reported  acme/github 4.0.0
    -- exit 0
    ");
    assert_snapshot!(user.skill(["report", "github@3.0.0", "--reason", "odd"]).to_string(), @r"
    -- stdout
    unchanged  acme/github 4.0.0
    -- stderr
    this account reported it as malicious before, which still waits to be decided
    -- exit 0
    ");
    let again = user.skill(["report", "acme/github", "--reason", "odd", "--json"]).success().json();
    assert_eq!(
        (again["status"].as_str(), again["kind"].as_str()),
        (Some("already-reported"), Some("malicious"))
    );
    let log = registry.admin(&["audit", "export"]);
    let rows: Vec<serde_json::Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|row: &serde_json::Value| row["action"] == "report")
        .collect();
    assert_eq!(rows.len(), 1);
    assert_eq!(
        (rows[0]["actor"].as_str(), rows[0]["reason"].as_str()),
        (Some("octo"), Some("sends ~/.aws to a host"))
    );
    assert!(registry.admin(&["audit", "verify"]).starts_with("ok    "));
}

/// The hint of a refused publish is the command that tells of the false alarm, as it stands there.
#[test]
fn a_false_alarm_is_reported_with_the_command_of_the_hint() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    let refused = malicious("tags").publish(&author, "1.0.0").code(5);
    let hint = "hint: a false alarm goes to the moderators with `skill report acme/tags@1.0.0 --kind false-alarm --reason TEXT`";
    assert!(refused.stderr.contains(hint), "{refused}");
    let command = ["report", "acme/tags@1.0.0", "--kind", "false-alarm", "--reason", "it decodes a test"];
    assert_snapshot!(author.skill(command).to_string(), @r"
    -- stdout
    reported  acme/tags 1.0.0
    -- exit 0
    ");
}

#[test]
fn what_cannot_be_reported_is_said() {
    let registry = Registry::start();
    let _author = github(&registry);
    let stranger = Sandbox::with(&registry);
    let code = |user: &Sandbox, args: &[&str]| {
        let out = user.skill(args.iter().chain(&["--json"]));
        format!("{} {}", out.code, out.error_code())
    };
    assert_eq!(code(&stranger, &["report", "acme/github", "--reason", "odd"]), "7 login-needed");
    let user = Sandbox::publisher(&registry, "octo");
    assert_eq!(code(&user, &["report", "acme/none", "--reason", "odd"]), "3 skill-not-found");
    assert_eq!(code(&user, &["report", "acme/github@9.9.9", "--reason", "odd"]), "3 version-not-found");
    assert_eq!(code(&user, &["report", "acme/github@^3", "--reason", "odd"]), "2 usage");
    assert_eq!(code(&user, &["report", "acme/github"]), "2 usage");
    assert_eq!(code(&user, &["report", "acme/github", "--reason", " "]), "1 reason-missing");
    assert_eq!(code(&user, &["report", "acme/github", "--reason", &"a".repeat(501)]), "1 reason-long");
    assert_eq!(code(&user, &["report", "acme/github", "--reason", "odd", "--kind", "rude"]), "2 usage");
}
