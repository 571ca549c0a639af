//! The install policy's program: each row of the protocol, on a real one.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};

use insta::assert_snapshot;
use serde_json::Value;

use crate::support::engine::skipped;
use crate::support::policy::{ALLOW, failed_closed, program, refused, script, security, table, unchanged};
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
fn every_answer_that_is_none_fails_closed() {
    let user = user();
    let findings: Vec<String> =
        (0..101).map(|index| format!(r#"{{"ruleId":"r{index}","severity":"warn","message":"m"}}"#)).collect();
    let many = format!(
        r#"{{"protocolVersion":1,"decision":"warn","reason":"r","findings":[{}]}}"#,
        findings.join(",")
    );
    let long: Vec<String> = (0..5)
        .map(|index| format!(r#"{{"ruleId":"r{index}","severity":"warn","message":"{}"}}"#, "x".repeat(900)))
        .collect();
    let long =
        format!(r#"{{"protocolVersion":1,"decision":"warn","reason":"r","findings":[{}]}}"#, long.join(","));
    for (answer, detail) in [
        ("", "policy command printed nothing"),
        ("allow", "policy command printed invalid JSON"),
        ("{\"protocolVersion\":1,\"decision\":\"allow\"}}", "policy command printed invalid JSON"),
        ("[1]", "policy command printed no JSON object"),
        (r#"{"decision":"allow"}"#, "policy answer has no protocolVersion 1"),
        (r#"{"protocolVersion":2,"decision":"allow"}"#, "policy answer has no protocolVersion 1"),
        (r#"{"protocolVersion":1}"#, "policy answer has no decision"),
        (r#"{"protocolVersion":1,"decision":"maybe"}"#, "policy answer has no decision"),
        (r#"{"protocolVersion":1,"decision":"block"}"#, "policy answer has an empty reason"),
        (r#"{"protocolVersion":1,"decision":"warn","reason":"  "}"#, "policy answer has an empty reason"),
        (&many, "policy warning has 101 findings"),
        (&long, "policy warning has 4"),
    ] {
        program(&user, &print(answer), "");
        let why = failed_closed(&user, &["install", "./dirry", "--acknowledge-install-policy-warning"]);
        assert!(why.starts_with(detail), "{answer}: {why}");
    }
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
fn a_program_that_others_could_replace_is_not_started() {
    let user = user();
    let good = script(&user, "check", &format!("#!/bin/sh\n{ALLOW}\n"));
    let folder = good.parent().unwrap().to_owned();
    let chmod = |path: &std::path::Path, mode: u32| {
        fs_err::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let link = folder.join("link");
    symlink(&good, &link).unwrap();
    let open = script(&user, "open", "#!/bin/sh\n");
    chmod(&open, 0o775);
    let plain = script(&user, "plain", "#!/bin/sh\n");
    chmod(&plain, 0o644);
    let headless = script(&user, "headless", ALLOW);
    let env = script(&user, "env", "#!/bin/sh\n");
    fs_err::create_dir(folder.join("wide")).unwrap();
    let wide = script(&user, "wide/check", "#!/bin/sh\n");
    chmod(&folder.join("wide"), 0o777);
    let text = |path: &std::path::Path| path.display().to_string();
    for (command, detail) in [
        ("check".to_owned(), "the command is not an absolute path"),
        (format!("{}/../policy/check", text(&folder)), "the path holds `.` or `..`"),
        ("/nonexistent/check".to_owned(), "does not exist"),
        (text(&folder), "is a folder"),
        (text(&link), "is a symbolic link; name what it points to"),
        ("/dev/null".to_owned(), "is not a regular file"),
        (text(&open), "can be written by its group or by others (mode 0775)"),
        (text(&plain), "is not executable"),
        (text(&headless), "is neither a program nor a script that begins with #!"),
        (text(&env), "is env, which starts another program; name that one"),
    ] {
        table(&user, &format!("enabled = true\ncommand = \"{command}\""));
        assert_eq!(failed_closed(&user, INSTALL), detail, "{command}");
    }
    table(&user, &format!("enabled = true\ncommand = \"{}\"", wide.display()));
    let why = failed_closed(&user, INSTALL);
    assert!(why.contains("wide can be written by its group or by others (mode 0777)"), "{why}");
    chmod(&folder.join("wide"), 0o1777);
    table(
        &user,
        &format!("enabled = true\ncommand = \"{}\"\ntrusted_dirs = [\"/opt/policy\"]", good.display()),
    );
    assert_eq!(failed_closed(&user, INSTALL), "lies in none of trusted_dirs");
    table(&user, "enabled = true");
    assert_eq!(failed_closed(&user, INSTALL), "enabled is true and no command is named");
    table(
        &user,
        &format!("enabled = true\ncommand = \"{}\"\ntrusted_dirs = [\"{}\"]", good.display(), text(&folder)),
    );
    user.skill(INSTALL).success();
}

#[test]
fn a_program_of_somebody_else_is_not_started() {
    if !rustix::process::geteuid().is_root() {
        return skipped("giving a file to another user needs root");
    }
    let user = user();
    let path = program(&user, ALLOW, "");
    chown(&path, Some(65534), None).unwrap();
    assert_eq!(failed_closed(&user, INSTALL), "belongs to user 65534, not to root or to this user");
    chown(&path, Some(0), None).unwrap();
    let folder = path.parent().unwrap();
    chown(folder, Some(65534), None).unwrap();
    let why = failed_closed(&user, INSTALL);
    assert!(why.contains("policy belongs to user 65534, not to root or to this user"), "{why}");
}

#[test]
fn a_user_without_rights_trusts_root_and_itself_and_nobody_else() {
    if !rustix::process::geteuid().is_root() {
        return skipped("becoming another user needs root");
    }
    let user = user();
    let path = program(&user, ALLOW, "");
    // The program that is tested may lie where only root gets to.
    let skill = user.work().with_file_name("skill");
    fs_err::copy(env!("CARGO_BIN_EXE_skill"), &skill).unwrap();
    let root = user.work().parent().unwrap().to_owned();
    let give = |path: &std::path::Path, owner: &str| {
        let status = std::process::Command::new("chown").args(["-R", owner]).arg(path).status().unwrap();
        assert!(status.success());
    };
    let install = || {
        let plain = user.command();
        let mut command = std::process::Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&skill).args(INSTALL);
        command.arg("--json").current_dir(user.work()).env_clear();
        for (name, value) in plain.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        user.run(&mut command)
    };
    give(&root, "65534:65534");
    give(&path, "65533:65533");
    let out = install().code(5);
    assert_eq!(out.json()["error"]["detail"], "belongs to user 65533, not to root or to this user", "{out}");
    give(path.parent().unwrap(), "65533:65533");
    give(&path, "0:0");
    let out = install().code(5);
    assert!(out.stdout.contains("policy belongs to user 65533"), "{out}");
    give(path.parent().unwrap(), "65534:65534");
    install().success();
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    give(path.parent().unwrap(), "0:0");
    install().success();
}

#[test]
fn a_script_for_an_interpreter_is_looked_at_too() {
    let user = user();
    let open = script(&user, "open.py", "print()\n");
    fs_err::set_permissions(&open, std::fs::Permissions::from_mode(0o666)).unwrap();
    let bash = "/usr/bin/bash";
    for (args, detail) in [
        ("[\"check.sh\"]".to_owned(), "the script check.sh: the command is not an absolute path"),
        ("[\"/nonexistent/x\"]".to_owned(), "the script /nonexistent/x: does not exist"),
        ("[\"--rcfile=/nonexistent/x\"]".to_owned(), "the script /nonexistent/x: does not exist"),
    ] {
        table(&user, &format!("enabled = true\ncommand = \"{bash}\"\nargs = {args}"));
        assert_eq!(failed_closed(&user, INSTALL), detail);
    }
    table(&user, &format!("enabled = true\ncommand = \"{bash}\"\nargs = [\"{}\"]", open.display()));
    let why = failed_closed(&user, INSTALL);
    assert!(why.ends_with("open.py: can be written by its group or by others (mode 0666)"), "{why}");
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
