//! A publisher appeals against what the registry closed, and hears what came of it.

use insta::assert_snapshot;
use serde_json::json;

use crate::closed::malicious;
use crate::support::{Output, Registry, Sandbox, Skill};

/// Days differ from run to run.
fn undated(out: &Output) -> String {
    let mut shown = String::new();
    for word in out.to_string().split_inclusive([' ', '\n']) {
        let bare = word.trim_end_matches([' ', '\n']);
        let is_day = bare.len() == 10 && bare.bytes().filter(u8::is_ascii_digit).count() == 8;
        shown += &if is_day { word.replace(bare, "[DAY]") } else { word.to_owned() };
    }
    shown
}

#[test]
fn what_was_closed_is_opened_by_an_appeal() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "octo");
    malicious("tags").publish(&author, "1.0.0").code(5);
    assert_snapshot!(author.skill(["appeal", "octo/tags@1.0.0"]).to_string(), @r"
    -- stderr
    nobody appealed for octo/tags 1.0.0
    -- exit 0
    ");
    let appeal = ["appeal", "octo/tags@1.0.0", "--reason", "it decodes a test"];
    assert_snapshot!(author.skill(appeal).to_string(), @r"
    -- stdout
    appealed  octo/tags 1.0.0
    -- stderr
    hint: run `skill appeal octo/tags@1.0.0` to see the answer
    -- exit 0
    ");
    assert_snapshot!(author.skill(appeal).to_string(), @r"
    -- stdout
    unchanged  octo/tags 1.0.0
    -- stderr
    octo appealed before, and still waits for an answer
    hint: run `skill appeal octo/tags@1.0.0` to see the answer
    -- exit 0
    ");

    registry.admin(&["user", "add", "mona", "--role", "moderator"]);
    let mona = registry.admin(&["token", "create", "--user", "mona", "--scope", "read,moderate"]);
    let told = author.skill(["appeal", "octo/tags@1.0.0", "--json"]).success().json();
    let id = told["appeals"][0]["id"].as_str().unwrap();
    let decide = format!("/api/registry/v1/moderation/appeals/{id}/decide");
    let said = json!({ "decision": "granted", "note": "a test, as its author says" });
    assert_eq!(registry.post(mona.trim(), &decide, &said).0, 200);
    assert_snapshot!(undated(&author.skill(["appeal", "octo/tags@1.0.0"])), @r"
    -- stdout
    [DAY]  octo  granted [DAY]  a test, as its author says
    -- exit 0
    ");
    let user = Sandbox::with(&registry);
    user.skill(["install", "octo/tags@1.0.0", "--accept", "octo/tags"]).success();
    assert!(registry.admin(&["audit", "verify"]).starts_with("ok    "));
}

#[test]
fn what_cannot_be_appealed_against_is_said() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("github").publish(&author, "1.0.0").success();
    malicious("tags").publish(&author, "1.0.0").code(5);
    let code = |user: &Sandbox, args: &[&str]| {
        let out = user.skill(args.iter().chain(&["--json"]));
        format!("{} {}", out.code, out.error_code())
    };
    let appeal =
        |user: &Sandbox, reference: &str, text: &str| code(user, &["appeal", reference, "--reason", text]);
    assert_eq!(appeal(&Sandbox::with(&registry), "acme/tags@1.0.0", "x"), "7 login-needed");
    assert_eq!(appeal(&Sandbox::publisher(&registry, "octo"), "acme/tags@1.0.0", "x"), "7 not-member");
    assert_eq!(appeal(&author, "acme/github@1.0.0", "x"), "1 release-not-closed");
    assert_eq!(appeal(&author, "acme/github@9.9.9", "x"), "3 version-not-found");
    assert_eq!(appeal(&author, "acme/none@1.0.0", "x"), "3 skill-not-found");
    assert_eq!(appeal(&author, "acme/tags@1.0.0", " "), "1 reason-missing");
    assert_eq!(appeal(&author, "acme/tags@1.0.0", &"a".repeat(501)), "1 reason-long");
    assert_eq!(appeal(&author, "acme/tags", "x"), "2 usage");
}
