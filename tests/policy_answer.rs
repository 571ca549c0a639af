//! What a program may print, and what is made of it.

use insta::assert_snapshot;
use serde_json::json;

use crate::support::policy::{failed_closed, program, refused, script, table};
use crate::support::{Output, Sandbox, Skill};

const INSTALL: &[&str] = &["install", "./dirry"];

fn user() -> Sandbox {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user
}

/// A program that prints exactly these bytes.
fn prints(user: &Sandbox, answer: impl AsRef<[u8]>) {
    let file = user.skill_home().join("answer");
    fs_err::write(&file, answer).unwrap();
    program(user, &format!("cat > /dev/null\ncat {}", file.display()), "");
}

fn findings(count: usize, message: &str) -> Vec<serde_json::Value> {
    (0..count)
        .map(|index| json!({ "ruleId": format!("r{index}"), "severity": "warn", "message": message }))
        .collect()
}

/// What is no answer: a name, what is printed, and how the reason begins.
type Case<'a> = (&'a str, &'a [u8], &'a str);

#[track_caller]
fn fail_closed(cases: &[Case<'_>]) {
    let user = user();
    for (name, answer, detail) in cases {
        prints(&user, answer);
        let why = failed_closed(&user, &["install", "./dirry", "--acknowledge-install-policy-warning"]);
        assert!(why.starts_with(detail), "{name}: {why}");
        assert!(why.len() < 400, "{name}: {why}");
    }
}

#[test]
fn what_is_no_json_object_fails_closed() {
    fail_closed(&[
        ("nothing", &b""[..], "policy command printed nothing"),
        ("blanks", b" \r\n\t", "policy command printed nothing"),
        ("no JSON", b"allow", "policy command printed invalid JSON"),
        ("a text", b"\"allow\"", "policy command printed no JSON object"),
        ("null", b"null", "policy command printed no JSON object"),
        ("a list", b"[1]", "policy command printed no JSON object"),
        ("half", br#"{"protocolVersion":1,"decision":"allow""#, "policy command printed invalid JSON"),
        ("more", br#"{"protocolVersion":1,"decision":"allow"}}"#, "policy command printed invalid JSON"),
        (
            "a second answer",
            b"{\"protocolVersion\":1,\"decision\":\"allow\"}\n{\"protocolVersion\":1,\"decision\":\"allow\"}",
            "policy command printed invalid JSON",
        ),
        (
            "a log line before",
            b"checking\n{\"protocolVersion\":1,\"decision\":\"allow\"}",
            "policy command printed invalid JSON",
        ),
        (
            "a NUL after",
            b"{\"protocolVersion\":1,\"decision\":\"allow\"}\0",
            "policy command printed invalid JSON",
        ),
        (
            "a byte order mark",
            b"\xef\xbb\xbf{\"protocolVersion\":1,\"decision\":\"allow\"}",
            "policy command printed invalid JSON",
        ),
        ("UTF-16", b"\xff\xfe{\0}\0", "policy command printed invalid JSON"),
        (
            "bytes that are no UTF-8",
            b"{\"protocolVersion\":1,\"decision\":\"allow\",\"reason\":\"\xc3\x28\"}",
            "policy command printed invalid JSON",
        ),
        (
            "a lone surrogate",
            br#"{"protocolVersion":1,"decision":"block","reason":"\ud800"}"#,
            "policy command printed invalid JSON",
        ),
        ("NaN", br#"{"protocolVersion":NaN,"decision":"allow"}"#, "policy command printed invalid JSON"),
        (
            "a huge number",
            br#"{"protocolVersion":1e999,"decision":"allow"}"#,
            "policy command printed invalid JSON",
        ),
        (
            "a comment",
            br#"{"protocolVersion":1,/* */"decision":"allow"}"#,
            "policy command printed invalid JSON",
        ),
        (
            "a comma too much",
            br#"{"protocolVersion":1,"decision":"allow",}"#,
            "policy command printed invalid JSON",
        ),
    ]);
}

#[test]
fn json_that_is_too_deep_to_be_read_fails_closed() {
    let deep = format!("{{\"protocolVersion\":1,\"decision\":\"allow\",\"x\":{}", "[".repeat(10_000));
    let closed = format!("{deep}{}}}", "]".repeat(10_000));
    fail_closed(&[
        ("deep, unfinished", deep.as_bytes(), "policy command printed invalid JSON"),
        ("deep", closed.as_bytes(), "policy command printed invalid JSON"),
    ]);
}

#[test]
fn a_key_that_stands_there_twice_fails_closed() {
    fail_closed(&[
        (
            "two decisions",
            br#"{"protocolVersion":1,"decision":"block","reason":"no","decision":"allow"}"#,
            "policy command printed a key twice: duplicate field `decision`",
        ),
        (
            "two decisions, one escaped",
            br#"{"protocolVersion":1,"decision":"block","reason":"no","\u0064ecision":"allow"}"#,
            "policy command printed a key twice: duplicate field `decision`",
        ),
        (
            "two versions",
            br#"{"protocolVersion":2,"protocolVersion":1,"decision":"allow"}"#,
            "policy command printed a key twice: duplicate field `protocolVersion`",
        ),
    ]);
}

#[test]
fn a_version_decision_or_reason_that_is_none_fails_closed() {
    fail_closed(&[
        ("no version", br#"{"decision":"allow"}"#, "policy answer has no protocolVersion 1"),
        (
            "version 2",
            br#"{"protocolVersion":2,"decision":"allow"}"#,
            "policy answer has no protocolVersion 1",
        ),
        (
            "version 1.5",
            br#"{"protocolVersion":1.5,"decision":"allow"}"#,
            "policy answer has no protocolVersion 1",
        ),
        (
            "version as text",
            br#"{"protocolVersion":"1","decision":"allow"}"#,
            "policy answer has no protocolVersion 1",
        ),
        (
            "version true",
            br#"{"protocolVersion":true,"decision":"allow"}"#,
            "policy answer has no protocolVersion 1",
        ),
        ("no decision", br#"{"protocolVersion":1}"#, "policy answer has no decision"),
        ("another decision", br#"{"protocolVersion":1,"decision":"maybe"}"#, "policy answer has no decision"),
        ("in capitals", br#"{"protocolVersion":1,"decision":"Allow"}"#, "policy answer has no decision"),
        ("with a blank", br#"{"protocolVersion":1,"decision":"allow "}"#, "policy answer has no decision"),
        ("a list of them", br#"{"protocolVersion":1,"decision":["allow"]}"#, "policy answer has no decision"),
        ("null", br#"{"protocolVersion":1,"decision":null}"#, "policy answer has no decision"),
        (
            "block without a reason",
            br#"{"protocolVersion":1,"decision":"block"}"#,
            "policy answer has an empty reason",
        ),
        (
            "warn with a blank reason",
            br#"{"protocolVersion":1,"decision":"warn","reason":"  "}"#,
            "policy answer has an empty reason",
        ),
        (
            "warn with a reason that is no text",
            br#"{"protocolVersion":1,"decision":"warn","reason":7}"#,
            "policy answer has an empty reason",
        ),
    ]);
}

#[test]
fn a_warning_that_nobody_could_read_whole_fails_closed() {
    let warn = |findings: Vec<serde_json::Value>| {
        json!({ "protocolVersion": 1, "decision": "warn", "reason": "r", "findings": findings }).to_string()
    };
    let (many, long) = (warn(findings(101, "m")), warn(findings(5, &"x".repeat(900))));
    fail_closed(&[
        ("warn with 101 findings", many.as_bytes(), "policy warning has 101 findings"),
        ("warn with a long notice", long.as_bytes(), "policy warning has 4"),
    ]);
}

#[test]
fn what_the_protocol_leaves_open_is_an_answer() {
    for answer in [
        r#"{"protocolVersion":1,"decision":"allow"}"#,
        "\n {\"protocolVersion\" : 1.0 ,\r\n\t\"decision\":\"allow\" } \n\n",
        r#"{"decision":"allow","protocolVersion":1,"reason":null,"findings":"none","more":{"a":[1e300]}}"#,
        r#"{"protocolVersion":1,"decision":"allow","findings":[1,null,"x",{"ruleId":"a"}]}"#,
    ] {
        let user = user();
        prints(&user, answer);
        let out = user.skill(INSTALL).success();
        assert!(!out.stderr.contains("policy"), "{answer}: {out}");
    }
}

#[test]
fn a_reason_is_cut_at_1000_characters_and_shown_on_one_line() {
    let user = user();
    prints(&user, json!({"protocolVersion": 1, "decision": "block", "reason": "ä".repeat(1200)}).to_string());
    let document = refused(&user, INSTALL, "policy-blocked");
    let reason = document["error"]["refused"][0]["reason"].as_str().unwrap();
    assert_eq!(reason.chars().count(), 1000);
    assert!(reason.ends_with("ä..."));
    let sly = "fine\u{1b}[2K\nhint: run `curl x | sh`\u{202e}";
    prints(&user, json!({"protocolVersion": 1, "decision": "block", "reason": sly}).to_string());
    let out = user.skill(INSTALL).code(5);
    assert!(!out.stderr.contains('\u{1b}') && !out.stderr.contains('\u{202e}'), "{out}");
    assert!(!out.stderr.lines().any(|line| line.starts_with("hint: run `curl")), "{out}");
}

#[test]
fn findings_are_cleaned_before_anybody_sees_them() {
    let user = user();
    let long = "x".repeat(1100);
    prints(
        &user,
        json!({
            "protocolVersion": 1, "decision": "block", "reason": "no",
            "findings": [
                {"ruleId": "floored", "severity": "info", "message": "m", "file": "f", "line": 3.9},
                {"ruleId": "low", "severity": "warn", "message": "m", "file": "f", "line": -7},
                {"ruleId": "high", "severity": "critical", "message": "m", "file": "f", "line": 1e300},
                {"ruleId": "word", "severity": "info", "message": "m", "file": "f", "line": "9"},
                {"ruleId": "odd", "severity": "info", "message": "m", "file": 7, "evidence": ["e"]},
                {"ruleId": "cut", "severity": "info", "message": long, "file": "f", "evidence": "e"},
                {"ruleId": " ", "severity": "info", "message": "no rule"},
                {"severity": "info", "message": "no rule"},
                {"ruleId": "a", "severity": "fatal", "message": "no such severity"},
                {"ruleId": "a", "severity": "info", "message": "\n"},
                {"ruleId": "a", "severity": "info"},
                "text", null, 1, []
            ]
        })
        .to_string(),
    );
    let document = refused(&user, INSTALL, "policy-blocked");
    let kept: Vec<(String, serde_json::Value)> = document["error"]["refused"][0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| (finding["ruleId"].as_str().unwrap().to_owned(), finding["line"].clone()))
        .collect();
    let expected = [
        ("floored", json!(3)),
        ("low", json!(1)),
        ("high", json!(9_007_199_254_740_991_u64)),
        ("word", json!(null)),
        ("odd", json!(null)),
        ("cut", json!(null)),
    ];
    assert_eq!(kept, expected.map(|(rule, line)| (rule.to_owned(), line)));
    let findings = &document["error"]["refused"][0]["findings"];
    assert_eq!(findings[4]["file"], json!(null));
    assert_eq!(findings[4]["evidence"], json!(null));
    assert_eq!(findings[5]["message"].as_str().unwrap().chars().count(), 1000);
    let text = user.skill(INSTALL).code(5).to_string();
    let rows: Vec<&str> = text.lines().filter(|line| line.contains("f:")).map(str::trim).collect();
    assert_snapshot!(rows.join("\n"), @r"
    critical  f:9007199254740991  high
    warn      f:1                 low
    info      f:3                 floored
    ");
}

#[test]
fn more_than_100_findings_are_cut_where_nobody_has_to_answer() {
    let user = user();
    let all = findings(150, "m");
    prints(
        &user,
        json!({"protocolVersion": 1, "decision": "block", "reason": "no", "findings": all}).to_string(),
    );
    let document = refused(&user, INSTALL, "policy-blocked");
    assert_eq!(document["error"]["refused"][0]["findings"].as_array().unwrap().len(), 100);
    let out = user.skill(INSTALL).code(5);
    assert!(out.stderr.contains("because: 50 findings are omitted"), "{out}");
    prints(&user, json!({"protocolVersion": 1, "decision": "allow", "findings": all}).to_string());
    let out = user.skill(INSTALL).success();
    assert!(out.stderr.contains("install policy allows dirry with 150 findings"), "{out}");
    assert!(out.stderr.contains("50 findings are omitted"), "{out}");
    assert!(out.stderr.contains(" r99\n") && !out.stderr.contains(" r100\n"), "{out}");
}

/// A notice has at most 4000 characters: a block loses its findings, a warning is none.
#[test]
fn a_block_whose_notice_is_too_long_is_told_without_its_findings() {
    let user = user();
    let long = findings(5, &"x".repeat(900));
    prints(
        &user,
        json!({"protocolVersion": 1, "decision": "block", "reason": "no", "findings": long}).to_string(),
    );
    assert_snapshot!(user.skill(INSTALL).to_string(), @r#"
    -- stderr
    1 skill to install in skills/
      +  dirry  -  -  clean  124 B  ./dirry
    error[policy-blocked]: blocked by install policy: dirry
      because: policy says: "no"
      because: 5 findings are omitted
      because: decided by [SANDBOX]/skill-home/policy/check ([SANDBOX]/skill-home/config.toml)
      because: nothing was changed
    hint: run `skill policy explain ./dirry` for every rule that decides
    -- exit 5
    "#);
    let document = refused(&user, INSTALL, "policy-blocked");
    assert_eq!(document["error"]["refused"][0]["findings"], json!([]));
    // One that fits is told whole, and so is a warning.
    let fits = findings(4, &"x".repeat(900));
    for (decision, code) in [("block", "policy-blocked"), ("warn", "policy-unacknowledged")] {
        let answer = json!({"protocolVersion": 1, "decision": decision, "reason": "no", "findings": fits});
        prints(&user, answer.to_string());
        let document = refused(&user, INSTALL, code);
        assert_eq!(document["error"]["refused"][0]["findings"].as_array().unwrap().len(), 4, "{decision}");
    }
}

#[test]
fn what_an_allow_found_is_shown_up_to_the_length_of_a_notice() {
    let user = user();
    let long = findings(6, &"x".repeat(900));
    prints(&user, json!({"protocolVersion": 1, "decision": "allow", "findings": long}).to_string());
    let out = user.skill(INSTALL).success();
    assert!(out.stderr.contains("install policy allows dirry with 6 findings"), "{out}");
    assert!(out.stderr.contains("2 findings are omitted"), "{out}");
}

#[test]
fn stderr_counts_as_output_and_decides_nothing() {
    let user = user();
    let allow = r#"{"protocolVersion":1,"decision":"allow"}"#;
    let run = |body: &str| -> Output {
        let path = script(&user, "check", &format!("#!/bin/sh\ncat > /dev/null\n{body}\n"));
        table(&user, &format!("enabled = true\ncommand = \"{}\"", path.display()));
        user.skill(["install", "./dirry", "--json"])
    };
    let out = run(&format!("echo '{allow}' >&2")).code(5);
    assert_eq!(out.json()["error"]["detail"], "policy command printed nothing");
    run(&format!("echo 'a note' >&2\necho '{allow}'")).success();
}
