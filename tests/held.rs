//! A skill whose name is nearly that of another: held, seen by its publisher, let through by a moderator.

use insta::assert_snapshot;

use crate::support::{Registry, Sandbox, Skill};

#[test]
fn a_look_alike_is_held_and_passed() {
    let registry = Registry::start_with("names.protected = \"acme/github\"\n");
    let author = Sandbox::publisher(&registry, "octo");
    let out = Skill::new("githb").publish(&author, "1.0.0").success();
    assert_snapshot!(out, @r"
    -- stdout
    published  octo/githb 1.0.0   clean   pending
               sha256:339737c9dd60
               [REGISTRY]/octo/skills/githb
    -- stderr
    packed 1 file, 124 B (214 B zipped); slug githb from --slug
    warning[publish-pending]: octo/githb 1.0.0 waits for a moderator of registry corp
             its name is nearly acme/github: one letter differs
             nobody but octo sees it until then; it need not be sent again
    hint: run `skill info octo/githb@1.0.0` to see how it stands
    published in [TIME] s; log number 1
    -- exit 0
    ");
    let again = Skill::new("githb").publish(&author, "1.0.0").success();
    assert!(again.stderr.contains("warning[publish-pending]"), "{again}");
    assert_snapshot!(author.skill(["info", "octo/githb@1.0.0"]).success(), @r"
    -- stdout
    octo/githb 1.0.0   pending   clean
                       waits for a moderator: its name is nearly acme/github: one letter differs
    -- exit 0
    ");
    let told = author.skill(["info", "octo/githb", "--json"]).success().json();
    assert_eq!(
        (&told["releases"][0]["state"], &told["releases"][0]["waiting"][0]["kind"]),
        (&"pending".into(), &"look-alike".into())
    );
    let other = Sandbox::with(&registry);
    for args in [&["info", "octo/githb"][..], &["install", "octo/githb"]] {
        assert_eq!(other.skill(args.iter().chain(&["--json"])).code(3).error_code(), "skill-not-found");
    }
    assert_eq!(author.skill(["install", "octo/githb", "--json"]).code(3).error_code(), "skill-not-found");

    registry.admin(&["user", "add", "mona", "--role", "moderator"]);
    let token = registry.admin(&["token", "create", "--user", "mona", "--scope", "read,moderate"]);
    let token = token.trim();
    let (status, case) = registry.get_as(token, "/api/registry/v1/moderation/cases/octo/githb");
    assert_eq!(status, 200, "{case}");
    let id = case["holds"][0]["id"].as_str().unwrap();
    let pass = format!("/api/registry/v1/moderation/holds/{id}/pass");
    assert_eq!(registry.post(token, &pass, &serde_json::json!({})).0, 200);
    other.skill(["install", "octo/githb"]).success();
    assert_eq!(author.skill(["info", "octo/githb", "--json"]).success().json()["state"], "visible");
}
