//! Warnings of an install policy, and a person's word about them.

use std::fmt::Write as _;

use insta::assert_snapshot;

use crate::support::policy::{program, refused, script, table};
use crate::support::{Output, Sandbox, Skill};

const INSTALL: &[&str] = &["install", "./dirry"];
const WARN: &str = r#"{"protocolVersion":1,"decision":"warn","reason":"unknown publisher","findings":[{"ruleId":"remote-instructions","severity":"warn","file":"SKILL.md","line":12,"message":"tells the agent to follow a page on the web"}]}"#;

fn user() -> Sandbox {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user
}

/// A program that prints its nth answer at its nth run, and the last one from then on.
fn answers(user: &Sandbox, answers: &[&str]) {
    let count = user.skill_home().join("count");
    let _ = fs_err::remove_file(&count);
    let mut body = format!("cat > /dev/null\necho x >> {0}\ncase $(wc -l < {0}) in\n", count.display());
    for (index, answer) in answers.iter().enumerate() {
        let pattern = if index + 1 == answers.len() { "*".to_owned() } else { (index + 1).to_string() };
        let _ = writeln!(body, "{pattern}) printf '%s' '{answer}';;");
    }
    body.push_str("esac");
    program(user, &body, "");
}

fn runs(user: &Sandbox) -> usize {
    fs_err::read_to_string(user.skill_home().join("count")).unwrap_or_default().lines().count()
}

/// Runs `skill` on a terminal and types a line once it is asked.
fn on_a_terminal(user: &Sandbox, args: &[&str], typed: &str) -> Output {
    typed_ahead(user, args, "", typed)
}

/// The same with something that was typed before the program began.
fn typed_ahead(user: &Sandbox, args: &[&str], ahead: &str, typed: &str) -> Output {
    user.answering(args, ahead, "anyway: ", typed)
}

#[test]
fn without_a_terminal_and_the_flag_it_is_refused() {
    let user = user();
    answers(&user, &[WARN]);
    let before = user.disk();
    let out = user.skill(INSTALL);
    assert_snapshot!(out.to_string(), @r#"
    -- stderr
    1 skill to install in skills/
      +  dirry  -  -  clean  124 B  ./dirry
    error[policy-unacknowledged]: install policy warns about dirry
      because: policy says: "unknown publisher"
         warn      SKILL.md:12  remote-instructions
                   tells the agent to follow a page on the web
      because: there is no terminal to ask on; nothing was changed
    hint: add `--acknowledge-install-policy-warning` after reading the findings
    -- exit 5
    "#);
    assert_eq!(user.disk(), before);
    // Neither force nor yes is a word about it.
    for flag in ["--force", "--yes", "--no-input"] {
        refused(&user, &["install", "./dirry", flag], "policy-unacknowledged");
    }
}

#[test]
fn the_flag_takes_it_and_the_program_is_asked_again() {
    let user = user();
    answers(&user, &[WARN]);
    let out = user.skill(["install", "./dirry", "--acknowledge-install-policy-warning"]).success();
    assert!(out.stderr.contains("warning[policy-warning]: install policy warns about dirry"), "{out}");
    assert!(out.stderr.contains(", with a policy warning acknowledged; skills.toml"), "{out}");
    assert_eq!(runs(&user), 2);
}

#[test]
fn a_second_answer_counts_only_if_it_is_the_same_or_an_allow() {
    let user = user();
    let flag = ["install", "./dirry", "--acknowledge-install-policy-warning"];
    let allow = r#"{"protocolVersion":1,"decision":"allow"}"#;
    let other = r#"{"protocolVersion":1,"decision":"warn","reason":"another one"}"#;
    let block = r#"{"protocolVersion":1,"decision":"block","reason":"no"}"#;
    answers(&user, &[WARN, other]);
    refused(&user, &flag, "policy-warning-changed");
    answers(&user, &[WARN, block]);
    refused(&user, &flag, "policy-blocked");
    answers(&user, &[WARN, "nonsense"]);
    refused(&user, &flag, "policy-failed-closed");
    answers(&user, &[WARN, allow]);
    user.skill(flag).success();
}

#[test]
fn on_a_terminal_the_name_is_typed() {
    let user = user();
    answers(&user, &[WARN]);
    let out = on_a_terminal(&user, INSTALL, "dirry\n").success();
    assert!(out.stdout.contains("Type the name of the skill to install it anyway: dirry"), "{out}");
    assert!(out.stdout.contains("warning[policy-warning]: install policy warns about dirry"), "{out}");
    assert_eq!(runs(&user), 2);
    user.write("dirry/more.md", "more");
    let out = on_a_terminal(&user, INSTALL, "dirry\n").success();
    assert!(out.stdout.contains("Type the name of the skill to update it anyway: "), "{out}");
}

#[test]
fn a_line_that_was_typed_before_the_question_is_no_word_about_it() {
    let user = user();
    answers(&user, &[WARN]);
    let before = user.disk();
    let out = typed_ahead(&user, INSTALL, "dirry\n", "no\n").code(5);
    assert!(out.stdout.contains("error[policy-declined]"), "{out}");
    assert_eq!(user.disk(), before);
    assert_eq!(runs(&user), 1);
    answers(&user, &[WARN]);
    typed_ahead(&user, INSTALL, "no\nno\nno", "dirry\n").success();
    assert_eq!(runs(&user), 2);
}

#[test]
fn anything_else_that_is_typed_is_no() {
    let user = user();
    for typed in ["Dirry\n", "yes\n", "\n", "dirry x\n", "\u{4}"] {
        answers(&user, &[WARN]);
        let before = user.disk();
        let out = on_a_terminal(&user, INSTALL, typed).code(5);
        assert!(out.stdout.contains("error[policy-declined]"), "{typed:?}: {out}");
        assert_eq!(user.disk(), before);
        assert_eq!(runs(&user), 1);
    }
    answers(&user, &[WARN]);
    let out = on_a_terminal(&user, &["install", "./dirry", "--no-input"], "").code(5);
    assert!(out.stdout.contains("error[policy-unacknowledged]"), "{out}");
}

#[test]
fn each_skill_has_a_warning_of_its_own() {
    let user = user();
    Skill::new("other").write(&user, "other");
    let path = script(&user, "check", &format!("#!/bin/sh\ncat > /dev/null\nprintf '%s' '{WARN}'\n"));
    table(&user, &format!("enabled = true\ncommand = \"{}\"", path.display()));
    let document = refused(&user, &["install", "./dirry", "./other"], "policy-unacknowledged");
    assert_eq!(document["error"]["refused"].as_array().unwrap().len(), 2);
    let out = user.skill(["install", "./dirry", "./other", "--acknowledge-install-policy-warning"]).success();
    assert!(out.stderr.contains("with 2 policy warnings acknowledged"), "{out}");
}
