//! The install policy's program: each row of the protocol, on a real one.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

use insta::assert_snapshot;
use serde_json::Value;

use crate::support::policy::{ALLOW, Nobody, failed_closed, program, refused, security, table, unchanged};
use crate::support::{Sandbox, Skill};

/// A user with a folder to install.
fn user() -> Sandbox {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user
}

const INSTALL: &[&str] = &["install", "./dirry"];

/// Shell words that print an answer.
fn print(answer: &str) -> String {
    format!("cat > /dev/null\nprintf '%s' '{answer}'")
}

#[test]
fn an_allow_installs() {
    let user = user();
    program(&user, ALLOW, "");
    user.skill(INSTALL).success();
    user.skill(["verify"]).success();
}

#[test]
fn what_is_sent_is_the_protocol() {
    let user = user();
    let seen = user.skill_home().join("seen");
    program(&user, &format!("cat > {}\n{ALLOW}", seen.display()), "");
    user.skill(INSTALL).success();
    let text = fs_err::read_to_string(&seen).unwrap();
    assert!(!text.ends_with('\n'));
    let request: Value = serde_json::from_str(&text).unwrap();
    let keys: Vec<&String> = request.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "protocolVersion",
            "openclawVersion",
            "host",
            "targetType",
            "targetName",
            "sourcePath",
            "sourcePathKind",
            "source",
            "origin",
            "request",
            "skill"
        ]
    );
    assert_eq!(request["protocolVersion"], 1);
    assert_eq!(request["host"], "skill");
    assert_eq!(request["targetName"], "dirry");
    assert_eq!(request["sourcePathKind"], "directory");
    let path = request["sourcePath"].as_str().unwrap();
    assert!(path.starts_with(user.work().to_str().unwrap()) && path.contains(".skill-stage-"), "{path}");
    assert_eq!(
        request["source"].to_string(),
        r#"{"kind":"local-path","authority":"user","mutable":true,"network":false}"#
    );
    assert_eq!(request["origin"].to_string(), r#"{"type":"path","spec":"./dirry"}"#);
    assert_eq!(
        request["request"].to_string(),
        r#"{"kind":"skill-install","mode":"install","requestedSpecifier":"./dirry"}"#
    );
    assert_eq!(request["skill"]["installId"], "path");
    assert_eq!(request["skill"]["signed"], false);
    assert_eq!(request["skill"]["verdict"], "clean");
    assert!(request["skill"]["treeDigest"].as_str().unwrap().starts_with("sha256:"));
}

#[test]
fn a_change_is_an_update_and_force_over_nothing_is_none() {
    let user = user();
    let seen = user.skill_home().join("seen");
    program(&user, &format!("cat > {}\n{ALLOW}", seen.display()), "");
    let mode = || {
        let request: Value = serde_json::from_str(&fs_err::read_to_string(&seen).unwrap()).unwrap();
        request["request"]["mode"].as_str().unwrap().to_owned()
    };
    user.skill(["install", "./dirry", "--force"]).success();
    assert_eq!(mode(), "install");
    user.write("dirry/more.md", "more");
    user.skill(INSTALL).success();
    assert_eq!(mode(), "update");
    user.write("skills/dirry/more.md", "changed by hand");
    user.skill(["install", "./dirry", "--force"]).success();
    assert_eq!(mode(), "update");
    fs_err::remove_dir_all(user.path("skills/dirry")).unwrap();
    user.skill(["install", "--frozen"]).success();
    assert_eq!(mode(), "install");
}

#[test]
fn what_the_program_saw_is_what_lands() {
    let user = user();
    let seen = user.skill_home().join("seen");
    let look = format!(
        "path=$(sed 's/.*\"sourcePath\":\"\\([^\"]*\\)\".*/\\1/')\nstat -c '%i' \"$path/SKILL.md\" > {}\n{ALLOW}",
        seen.display()
    );
    program(&user, &look, "");
    user.skill(INSTALL).success();
    let landed = fs_err::metadata(user.path("skills/dirry/SKILL.md")).unwrap().ino();
    assert_eq!(fs_err::read_to_string(&seen).unwrap().trim(), landed.to_string());
}

#[test]
fn a_block_is_told_with_its_reason_and_findings() {
    let user = user();
    let answer = r#"{"protocolVersion":1,"decision":"block","reason":"downloads at run time are not allowed here","findings":[{"ruleId":"no-licence","severity":"info","file":"SKILL.md","message":"the manifest names no licence"},{"ruleId":"no-downloads","severity":"critical","file":"scripts/setup.sh","line":14,"message":"curl to a host outside the allow list"}]}"#;
    program(&user, &print(answer), "");
    let before = user.disk();
    let out = user.skill(INSTALL);
    assert_snapshot!(out.to_string(), @r#"
    -- stderr
    1 skill to install in skills/
      +  dirry  -  -  clean  124 B  ./dirry
    error[policy-blocked]: blocked by install policy: dirry
      because: policy says: "downloads at run time are not allowed here"
         critical  scripts/setup.sh:14  no-downloads
                   curl to a host outside the allow list
         info      SKILL.md             no-licence
                   the manifest names no licence
      because: decided by [SANDBOX]/skill-home/policy/check ([SANDBOX]/skill-home/config.toml)
      because: nothing was changed
    hint: run `skill policy explain ./dirry` for every rule that decides
    -- exit 5
    "#);
    unchanged(&user, &before, &out);
    let document = refused(&user, INSTALL, "policy-blocked");
    assert_eq!(
        document["error"]["because"][0],
        "policy says: \"downloads at run time are not allowed here\""
    );
    let refused = &document["error"]["refused"];
    assert_eq!(refused.as_array().unwrap().len(), 1);
    assert_eq!(refused[0]["name"], "dirry");
    assert_eq!(refused[0]["rule"], "policy");
    assert_eq!(refused[0]["reason"], "downloads at run time are not allowed here");
    assert_eq!(refused[0]["findings"][1]["ruleId"], "no-downloads");
    assert_eq!(refused[0]["findings"][1]["line"], 14);
}

#[test]
fn a_block_of_an_update_leaves_the_old_one() {
    let user = user();
    user.skill(INSTALL).success();
    user.write("dirry/more.md", "more");
    program(&user, &print(r#"{"protocolVersion":1,"decision":"block","reason":"no"}"#), "");
    refused(&user, INSTALL, "policy-blocked");
    refused(&user, &["install", "./dirry", "--force"], "policy-blocked");
    fs_err::remove_file(user.path("dirry/more.md")).unwrap();
    fs_err::remove_dir_all(user.path("skills/dirry")).unwrap();
    refused(&user, &["install", "--frozen"], "policy-blocked");
}

#[test]
fn an_allow_with_findings_warns() {
    let user = user();
    let answer = r#"{"protocolVersion":1,"decision":"allow","reason":"not read","findings":[{"ruleId":"old","severity":"warn","message":"has not changed for years"},{"ruleId":"note","severity":"info","message":"said to nobody"}]}"#;
    program(&user, &print(answer), "");
    let out = user.skill(INSTALL).success();
    assert!(
        out.stderr.contains("warning[policy-finding]: install policy allows dirry with 1 finding"),
        "{out}"
    );
    assert!(out.stderr.contains("has not changed for years"), "{out}");
    assert!(!out.stderr.contains("said to nobody"), "{out}");
}

#[test]
fn a_disabled_one_and_one_for_plugins_are_not_asked() {
    let user = user();
    table(&user, "enabled = false\ncommand = \"/nonexistent\"");
    user.skill(INSTALL).success();
    user.write("dirry/more.md", "more");
    table(&user, "enabled = true\ntargets = [\"plugin\"]\ncommand = \"/nonexistent\"");
    user.skill(INSTALL).success();
}

#[test]
fn every_end_that_is_none_fails_closed() {
    let user = user();
    for (body, more, detail) in [
        (format!("{ALLOW}\nexit 3"), "", "policy command exited with code 3"),
        (format!("{ALLOW}\nkill -9 $$"), "", "policy command was killed by signal 9"),
        ("sleep 30".to_owned(), "timeout_ms = 200", "policy command timed out after 200ms"),
        (
            format!("{ALLOW}\nwhile :; do echo; sleep 0.02; done"),
            "timeout_ms = 400\nno_output_timeout_ms = 300",
            "policy command timed out after 400ms",
        ),
        (
            format!("{ALLOW}\nsleep 30"),
            "no_output_timeout_ms = 200",
            "policy command produced no output for 200ms",
        ),
        (
            "head -c 2000 /dev/zero".to_owned(),
            "max_output_bytes = 1000",
            "policy command output exceeded maxOutputBytes (1000)",
        ),
        (
            "head -c 600 /dev/zero; head -c 600 /dev/zero >&2; sleep 30".to_owned(),
            "max_output_bytes = 1000",
            "policy command output exceeded maxOutputBytes (1000)",
        ),
        ("yes".to_owned(), "", "policy command output exceeded maxOutputBytes (1048576)"),
    ] {
        program(&user, &body, more);
        assert_eq!(failed_closed(&user, INSTALL), detail, "{body}");
    }
}

#[test]
fn the_hint_of_a_program_that_fails_shows_the_same_flaw() {
    let user = user();
    let path = program(&user, "exit 3", "");
    let command = path.display();
    for (lines, command, detail) in [
        (format!("enabled = true\ncommand = \"{command}\""), "test", "policy command exited with code 3"),
        ("enabled = true\ncommand = \"/nonexistent\"".to_owned(), "check", "does not exist"),
    ] {
        table(&user, &lines);
        let document = refused(&user, INSTALL, "policy-failed-closed");
        assert_eq!(document["error"]["hints"][0], format!("skill policy {command}"));
        let out = user.skill(["policy", command, "--json"]).code(5);
        assert_eq!(out.json()["programs"][0]["detail"], detail);
        // A command does not send to itself.
        let out = user.skill(["policy", command]).code(5);
        assert!(!out.stderr.contains(&format!("skill policy {command}")), "{out}");
        assert!(out.stderr.contains("hint: mend "), "{out}");
    }
    table(&user, &format!("enabled = true\ncommand = \"{command}\""));
    fs_err::write(&path, "#!/bin/sh\necho no\n").unwrap();
    let document = refused(&user, INSTALL, "policy-failed-closed");
    assert_eq!(document["error"]["hints"][0], "skill policy test");
}

#[test]
fn what_the_table_does_not_know_refuses_every_install_and_nothing_else() {
    let user = user();
    user.skill(INSTALL).success();
    security(&user, "[security.install_policy]\nenabeld = true\n");
    user.write("dirry/more.md", "more");
    let document = refused(&user, INSTALL, "policy-config");
    assert!(document["error"]["message"].as_str().unwrap().contains("`enabeld` is not known"), "{document}");
    assert_eq!(document["error"]["line"], 2);
    user.skill(["policy", "check"]).code(5);
    user.skill(["verify"]).success();
    user.skill(["list"]).success();
    user.skill(["remove", "dirry"]).success();
}

#[test]
fn a_configuration_that_cannot_be_read_refuses_every_install() {
    let user = user();
    for (lines, why) in [
        ("enabled = \"yes\"", "true or false"),
        ("enabled = true\ntargets = []", "at least one of skill and plugin"),
        ("enabled = true\ntargets = [\"agent\"]", "neither skill nor plugin"),
        ("enabled = true\ncommand = \"\"", "the command is empty"),
        ("command = \"/bin/true\"", "write `enabled = true`, or false to switch it off"),
        ("enabled = true\ntrusted_dirs = []", "trusted_dirs names at least one folder"),
        ("enabled = true\nargs = \"x\"", "a list of texts"),
        ("enabled = true\ntimeout_ms = 0", "a whole number from 1"),
        ("enabled = true\nno_output_timeout_ms = 0", "a whole number from 1"),
        ("enabled = true\nmax_output_bytes = -1", "whole number"),
        ("enabled = true\nenv = { \"A=B\" = \"1\" }", "environment variable"),
        ("enabled = true\nenabled = true", ""),
        ("enabled = ", ""),
        ("[security.install_policy.exec]\ncommand = \"/x\"", "`exec` is not known"),
        ("[security.nonsense]", "`nonsense` is not known"),
    ] {
        table(&user, lines);
        let document = refused(&user, INSTALL, "policy-config");
        let text = document["error"].to_string();
        assert!(text.contains(why), "{lines}: {text}");
        assert!(!document["error"]["hints"].as_array().unwrap().is_empty(), "{lines}: {text}");
    }
    let path = user.skill_home().join("config.toml");
    fs_err::write(&path, b"\xff\xfe").unwrap();
    refused(&user, INSTALL, "policy-config");
    fs_err::remove_file(&path).unwrap();
    fs_err::create_dir(&path).unwrap();
    refused(&user, INSTALL, "policy-config");
    fs_err::remove_dir(&path).unwrap();
    symlink("/nonexistent", &path).unwrap();
    refused(&user, INSTALL, "policy-config");
    fs_err::remove_file(&path).unwrap();
    user.skill(INSTALL).success();
}

#[test]
fn a_configuration_that_this_user_may_not_read_refuses_every_install() {
    let user = user();
    table(&user, "enabled = false");
    let Some(nobody) = Nobody::owning(&user) else { return };
    let path = user.skill_home().join("config.toml");
    fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    let before = user.disk();
    let out = nobody.skill(&["install", "./dirry", "--json"]).code(5);
    assert_eq!(out.error_code(), "policy-config");
    unchanged(&user, &before, &out);
}

#[test]
fn a_request_over_its_limit_fails_closed() {
    let user = user();
    let mark = user.skill_home().join("was-run");
    program(&user, &format!("touch {}\n{ALLOW}", mark.display()), "");
    // The path is sent twice, as it was written.
    let path = format!("{}dirry", "./".repeat(65_480));
    assert_eq!(failed_closed(&user, &["install", &path]), "the request is larger than 262144 bytes");
    assert!(!mark.exists());
    let path = format!("{}dirry", "./".repeat(60_000));
    user.skill(["install", &path]).success();
    assert!(mark.exists());
}
