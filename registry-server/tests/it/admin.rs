//! The operator's commands, as a person sees them.

use std::path::Path;

use insta::assert_snapshot;

use crate::support::program::{Server, run};

/// Runs a command on the registry in `data`.
fn on(data: &Path, args: &[&str]) -> String {
    let flags = ["--data", data.to_str().unwrap()];
    run(&[args, &flags].concat()).shown(data)
}

fn made() -> (tempfile::TempDir, Server) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    (folder, server)
}

#[test]
fn accounts_and_tokens_while_the_server_runs() {
    let (folder, _server) = made();
    let data = folder.path();
    assert_snapshot!(on(data, &["user", "add", "ada"]), @"");
    assert_snapshot!(on(data, &["user", "add", "ada"]), @"");
    assert_snapshot!(on(data, &["user", "add", "docs"]), @"");
    assert_snapshot!(on(data, &["user", "add", "Ada"]), @"");
    assert_snapshot!(on(data, &["token", "create", "--user", "bob"]), @"");
    assert_snapshot!(on(data, &["token", "create", "--user", "ada", "--scope", "admin"]), @"");
    assert_snapshot!(on(data, &["token", "revoke", "skr_00000000"]), @"");
}

#[test]
fn a_token_is_alone_on_stdout_and_dies_when_it_is_revoked() {
    let (folder, _server) = made();
    let data = folder.path();
    on(data, &["user", "add", "ada"]);
    let flags = ["--data", data.to_str().unwrap()];
    let create = ["token", "create", "--user", "ada", "--scope", "read", "--expires", "90d"];
    let created = run(&[&create[..], &flags].concat());
    assert_eq!((created.code, created.stderr.as_str()), (Some(0), ""));
    let token: skill_registry::auth::TokenText = created.stdout.strip_suffix('\n').unwrap().parse().unwrap();

    let list = || run(&[&["token", "list", "--json"][..], &flags].concat()).stdout;
    let listed: serde_json::Value = serde_json::from_str(&list()).unwrap();
    let of_ada = &listed["tokens"][1];
    assert_eq!(of_ada["prefix"], token.prefix());
    assert_eq!(of_ada["scopes"], serde_json::json!(["read"]));
    assert_eq!(of_ada["state"], "good");
    assert!(of_ada["expiresAt"].is_string());
    assert!(!list().contains(token.reveal()));

    let revoked = on(data, &["token", "revoke", token.prefix()]).replace(token.prefix(), "PREFIX");
    assert_snapshot!(revoked, @"");
    let again = on(data, &["token", "revoke", token.prefix()]).replace(token.prefix(), "PREFIX");
    assert_snapshot!(again, @"");
    let text = run(&[&["token", "list"][..], &flags].concat()).stdout;
    let row = text.lines().find(|line| line.starts_with(token.prefix())).unwrap();
    assert!(row.contains("  ada  ") && row.contains("  revoked  "), "{text}");
}

#[test]
fn a_folder_without_a_registry_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("none");
    assert_snapshot!(on(&data, &["user", "add", "ada"]), @"");
    assert!(!data.exists());
}

#[test]
fn settings_are_shown_with_their_sources() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    fs_err::write(data.join("config.toml"), "public_url = 'https://skills.example.com'\n").unwrap();
    assert_snapshot!(on(data, &["config", "show"]), @"");
    let flags = ["config", "show", "--json", "--data", data.to_str().unwrap()];
    let shown: serde_json::Value = serde_json::from_str(&run(&flags).stdout).unwrap();
    assert_eq!(shown["settings"]["public_url"]["from"]["line"], 1);
    assert_eq!(shown["settings"]["data"]["from"], serde_json::json!({ "kind": "flag", "name": "--data" }));
}

#[test]
fn help_is_short_and_narrow() {
    for args in [&["--help"][..], &["serve", "--help"], &["token", "create", "--help"], &["user", "add", "--help"]] {
        let help = run(args);
        assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
        assert!(help.stdout.lines().all(|line| line.chars().count() <= 80), "{}", help.stdout);
    }
    assert_snapshot!(run(&["--help"]).stdout, @"");
}
