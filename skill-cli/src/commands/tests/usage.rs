use insta::assert_snapshot;

use crate::sandbox::Sandbox;

#[test]
fn a_verb_that_is_none() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run("isntall"), @r"
    -- stderr
    error[usage]: no command named isntall
    hint: did you mean `skill install`
    -- exit 2
    ");
    assert_snapshot!(sandbox.run("inio"), @r"
    -- stderr
    error[usage]: no command named inio
    hint: did you mean `skill info` or `skill init`
    -- exit 2
    ");
    assert_snapshot!(sandbox.run("unninstall x"), @r"
    -- stderr
    error[usage]: no command named unninstall
    hint: did you mean `skill uninstall`
    -- exit 2
    ");
}

#[test]
fn json_holds_for_errors_of_the_command_line() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run("instal --json"), @r#"
    -- stdout
    {"error":{"code":"usage","message":"no command named instal","because":[],"hints":["skill install"],"exit":2}}
    -- exit 2
    "#);
    for line in
        ["--json", "search --json", "publish . --bump huge --json", "help nosuch --json", "--json list -- x"]
    {
        let (out, err, exit) = sandbox.run_words(&line.split(' ').collect::<Vec<_>>());
        let document: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!((document["error"]["exit"].as_u64(), exit), (Some(2), 2), "{line}");
        assert_eq!((err.as_str(), out.matches('\n').count()), ("", 1), "{line}");
    }
}

/// Bug report 120: every verb answers a mistake as one JSON document, wherever the flag stands.
#[test]
fn every_verb_has_its_errors_as_json() {
    fn verbs(command: &clap::Command, path: &[String], found: &mut Vec<Vec<String>>) {
        for verb in command.get_subcommands() {
            let path: Vec<String> = path.iter().cloned().chain([verb.get_name().to_owned()]).collect();
            verbs(verb, &path, found);
            found.push(path);
        }
    }
    let sandbox = Sandbox::new();
    let mut found = Vec::new();
    verbs(&crate::args::command(), &[], &mut found);
    assert!(found.len() > 40, "{}", found.len());
    for path in found {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        for words in [
            [&path[..], &["--no-such-flag", "--json"]].concat(),
            [&["--json"], &path[..], &["--no-such-flag"]].concat(),
        ] {
            let (out, err, exit) = sandbox.run_words(&words);
            let document: serde_json::Value =
                serde_json::from_str(&out).unwrap_or_else(|_| panic!("{words:?}: {out}{err}"));
            assert_eq!(document["error"]["code"], "usage", "{words:?}");
            assert_eq!(
                (document["error"]["exit"].as_u64(), exit, err.as_str()),
                (Some(2), 2, ""),
                "{words:?}"
            );
        }
    }
}

#[test]
fn flags_that_are_none_or_contradict() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run("list --quite"), @r"
    -- stderr
    error[usage]: `skill list` has no flag `--quite`
    hint: did you mean `--quiet`
    -- exit 2
    ");
    assert_snapshot!(sandbox.run("list -q -v"), @r"
    -- stderr
    error[usage]: `--quiet` and `--verbose` contradict each other
    -- exit 2
    ");
    assert_snapshot!(sandbox.run("list --global --workdir x"), @r"
    -- stderr
    error[workdir-global]: `--global` and `--workdir` both name the work directory
    -- exit 2
    ");
    assert_snapshot!(sandbox.run("publish . --bump huge"), @r"
    -- stderr
    error[usage]: `huge` is not a value of `--bump`
      because: accepted: patch, minor and major
    -- exit 2
    ");
    assert_snapshot!(sandbox.run("publish . --version 1.0"), @r"
    -- stderr
    error[usage]: `1.0` is not a value of `--version`
      because: `1.0` does not read as a version: MAJOR.MINOR.PATCH or
               MAJOR.MINOR.PATCH-pre, without +build
    -- exit 2
    ");
    assert_snapshot!(sandbox.run("publish . --version 1.0.0 --bump minor"), @r"
    -- stderr
    error[usage]: `--version` and `--bump` contradict each other
    hint: run `skill help publish`
    -- exit 2
    ");
}

#[test]
fn a_flag_before_its_command() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run("-q --dry-run install ./x"), @"
    -- stderr
    error[usage]: `--dry-run` belongs behind `skill install`
    hint: write `skill install --dry-run`
    -- exit 2
    ");
}

#[test]
fn help_and_version_that_were_asked_for_are_answers() {
    let sandbox = Sandbox::new();
    for line in
        ["--help", "-h", "help", "help publish", "publish --help", "registry add -h", "--version", "-V"]
    {
        let (out, err, exit) = sandbox.run_words(&line.split(' ').collect::<Vec<_>>());
        assert!(!out.is_empty() && err.is_empty() && exit == 0, "{line}: {err}");
    }
    let page = |line: &str| sandbox.run(line);
    assert_eq!(page("help registry add"), page("registry add --help"));
    assert!(page("publish --help").contains("Examples:") && !page("publish -h").contains("Examples:"));
}

#[test]
fn every_code_is_explained() {
    let codes = Sandbox::new().run("help codes");
    for entry in crate::code::Code::TABLE {
        assert!(codes.contains(entry.name), "{}", entry.name);
    }
}

#[test]
fn what_does_not_read_as_a_reference() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run("info gti:https://git.example/x"), @r"
    -- stderr
    error[reference-scheme]: `gti:` is not a source; git, github, http and https are
    hint: did you mean `git:https://git.example/x`
    -- exit 2
    ");
    assert_snapshot!(sandbox.run("yank ./notes"), @r"
    -- stderr
    error[usage]: ./notes is a path source
      because: this command takes a skill of a registry
    hint: write it as `OWNER/SLUG` or `OWNER/SLUG@VERSION`
    -- exit 2
    ");
    assert_snapshot!(sandbox.run("yank acme/github@^3"), @r"
    -- stderr
    error[usage]: acme/github@^3 names no single release
    hint: write the whole number, such as `acme/github@1.2.3`
    -- exit 2
    ");
}

#[test]
fn a_signal_ends_what_waits_with_130() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let sandbox = Sandbox::new();
    let words = ["search", "x", "--registry", &url];
    let (out, err, exit) = sandbox.run_until(&words, std::future::ready(()));
    assert_eq!((out.as_str(), exit), ("", 130));
    assert_snapshot!(err, @r"
    error[interrupted]: stopped by a signal
      because: nothing was changed
    ");
}
