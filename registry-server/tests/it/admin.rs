//! The operator's commands, as a person sees them.

use std::path::Path;

use insta::assert_snapshot;

use crate::support::program::{Server, run, run_with};

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
    assert_snapshot!(on(data, &["user", "add", "ada"]), @r"
    0
    added user ada with publisher ada
    ");
    assert_snapshot!(on(data, &["user", "add", "ada"]), @r"
    1
    error: the handle ada is taken
    hint: choose another handle
    ");
    assert_snapshot!(on(data, &["user", "add", "docs"]), @r"
    1
    error: the handle docs is reserved
    hint: choose another handle
    ");
    assert_snapshot!(on(data, &["user", "add", "Ada"]), @r"
    2
    error: `Ada` does not read as an owner: a-z, 0-9, with - and _ inside, 1 to 40 characters
    ");
    assert_snapshot!(on(data, &["token", "create", "--user", "bob"]), @r"
    1
    error: there is no user bob
    hint: `skill-registry user add bob --data DIR`
    ");
    assert_snapshot!(on(data, &["token", "create", "--user", "ada", "--scope", "admin"]), @r"
    1
    error: the scope admin needs the site role admin, ada has the role user
    ");
    assert_snapshot!(on(data, &["token", "revoke", "skr_00000000"]), @r"
    1
    error: there is no token `skr_00000000`
    hint: `skill-registry token list --data DIR`
    ");
}

#[test]
fn an_account_is_closed_and_opened_while_the_server_runs() {
    let (folder, _server) = made();
    let data = folder.path();
    on(data, &["user", "add", "ada"]);
    assert_snapshot!(on(data, &["user", "ban", "ada", "--reason", "floods the registry"]), @r"
    0
    banned ada
    ");
    assert_snapshot!(on(data, &["user", "unban", "ada", "--reason", "promised to stop"]), @r"
    0
    opened the account of ada
    ");
    assert_snapshot!(on(data, &["user", "role", "ada", "moderator"]), @r"
    0
    ada is moderator of the site now
    ");
    assert_snapshot!(on(data, &["user", "role", "admin", "user"]), @r"
    1
    error: admin is the last administrator with an open account
    hint: `skill-registry user role NAME admin` makes another one
    ");
    assert_snapshot!(on(data, &["user", "ban", "bob", "--reason", "x"]), @r"
    1
    error: there is no user bob
    ");
    assert_snapshot!(on(data, &["user", "ban", "ada", "--reason", " "]), @r"
    1
    error: this takes a reason
    ");
    let rows: Vec<serde_json::Value> = run(&["audit", "export", "--data", data.to_str().unwrap()])
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let told: Vec<(&str, &str)> = rows[rows.len() - 3..]
        .iter()
        .map(|row| (row["actor"].as_str().unwrap(), row["action"].as_str().unwrap()))
        .collect();
    assert_eq!(told, [("operator", "user.ban"), ("operator", "user.unban"), ("operator", "user.role")]);
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
    assert_snapshot!(revoked, @r"
    0
    revoked PREFIX
    ");
    let again = on(data, &["token", "revoke", token.prefix()]).replace(token.prefix(), "PREFIX");
    assert_snapshot!(again, @r"
    0
    was revoked before: PREFIX
    ");
    let text = run(&[&["token", "list"][..], &flags].concat()).stdout;
    let row = text.lines().find(|line| line.starts_with(token.prefix())).unwrap();
    assert!(row.contains("  ada  ") && row.contains("  revoked  "), "{text}");
}

/// A password comes on stdin, up to the end of its line, and is in no argument, which everybody on the machine can read.
#[test]
fn a_password_is_read_from_stdin() {
    let (folder, _server) = made();
    let data = folder.path();
    let given = |name: &str, stdin: &[u8]| {
        let args = ["user", "password", name, "--data", data.to_str().unwrap()];
        run_with(&args, stdin).shown(data)
    };
    let mut said = String::new();
    for (name, stdin) in [
        ("admin", "correct horse battery\n"),
        ("admin", "correct horse battery\r\n"),
        ("admin", "correct horse battery"),
        ("admin", ""),
        ("admin", "short\n"),
        ("admin", "two lines are\nno password\n"),
        ("bob", "correct horse battery\n"),
        ("Bob", "correct horse battery\n"),
    ] {
        said += &format!("{stdin:?} {}", given(name, stdin.as_bytes()));
    }
    said += &given("admin", b"latin 1: caf\xe9 au lait");
    said += &given("admin", "x".repeat(100_000).as_bytes());
    assert_snapshot!(said, @r#"
    "correct horse battery\n" 0
    set the password of admin, ended 0 sessions
    "correct horse battery\r\n" 0
    set the password of admin, ended 0 sessions
    "correct horse battery" 0
    set the password of admin, ended 0 sessions
    "" 1
    error: a password has at least 12 characters
    "short\n" 1
    error: a password has at least 12 characters
    "two lines are\nno password\n" 2
    error: a password is one line
    "correct horse battery\n" 1
    error: there is no user bob
    hint: `skill-registry user add bob --data DIR`
    "correct horse battery\n" 2
    error: `Bob` does not read as an owner: a-z, 0-9, with - and _ inside, 1 to 40 characters
    2
    error: the password is no UTF-8
    1
    error: a password has at most 256 bytes
    "#);
    assert_eq!(run(&["user", "password", "admin", "correct horse battery"]).code, Some(2));
}

#[test]
fn a_folder_without_a_registry_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("none");
    assert_snapshot!(on(&data, &["user", "add", "ada"]), @r"
    1
    error: DIR holds no registry
    hint: `skill-registry serve --data DIR` makes one
    ");
    assert!(!data.exists());
}

#[test]
fn settings_are_shown_with_their_sources() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    fs_err::write(data.join("config.toml"), "public_url = 'https://skills.example.com'\n").unwrap();
    let shown = on(data, &["config", "show"]);
    // How wide the second column is depends on where temporary folders are.
    let columns: Vec<String> = shown
        .lines()
        .map(|line| line.split("  ").filter(|c| !c.is_empty()).map(str::trim).collect::<Vec<_>>().join(" | "))
        .collect();
    assert_snapshot!(columns.join("\n"), @r"
    0
    setting | value | from
    data | DIR | --data
    listen | 127.0.0.1:8787 | default
    public_url | https://skills.example.com | DIR/config.toml:1
    server.trusted_proxies | - | default
    server.forwarded | x-forwarded-for | default
    database.url | - | default
    access.read | public | default
    clients.minimum | - | default
    tokens.longest | - | default
    sign_in.password | on | default
    sign_in.session_days | 14 | default
    limits.archive_bytes | 67108864 | default
    limits.file_bytes | 10485760 | default
    limits.bundle_bytes | 52428800 | default
    limits.files | 2000 | default
    limits.path_bytes | 240 | default
    limits.new_skills_day | 100 | default
    limits.new_account | 0s | default
    names.keep_deleted | 30d | default
    names.used_from | 5 | default
    names.protected | - | default
    moderation.two_persons | off | default
    downloads.mirrors | - | default
    outbound.allow | - | default
    rate.read.address | 3000 | default
    rate.read.user | 12000 | default
    rate.read.admin | 120000 | default
    rate.write.address | 300 | default
    rate.write.user | 3000 | default
    rate.write.admin | 30000 | default
    rate.download.address | 1200 | default
    rate.download.user | 6000 | default
    rate.download.admin | 60000 | default
    rate.export.address | 10 | default
    rate.export.user | 60 | default
    rate.export.admin | 60 | default
    rate.refused.address | 300 | default
    metrics.read | token | default
    log.format | text | default
    log.level | info | default
    ");
    let flags = ["config", "show", "--json", "--data", data.to_str().unwrap()];
    let shown: serde_json::Value = serde_json::from_str(&run(&flags).stdout).unwrap();
    assert_eq!(shown["settings"]["public_url"]["from"]["line"], 1);
    assert_eq!(shown["settings"]["data"]["from"], serde_json::json!({ "kind": "flag", "name": "--data" }));
}

#[test]
fn help_is_short_and_narrow() {
    for args in
        [&["--help"][..], &["serve", "--help"], &["token", "create", "--help"], &["user", "add", "--help"]]
    {
        let help = run(args);
        assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
        assert!(help.stdout.lines().all(|line| line.chars().count() <= 80), "{}", help.stdout);
    }
    assert_snapshot!(run(&["--help"]).stdout, @r"
    A registry of agent skills: signed, scanned, self-hosted in one binary

    Usage: skill-registry <COMMAND>

    Commands:
      serve    Serve a registry; an empty data folder becomes a new one
      user     Manage users
      token    Manage tokens
      config   Look at the settings
      audit    Read the log of every change
      backup   Write all of it into a folder of plain files
      restore  Make a registry of a backup, on either engine
      fsck     Check every row, statement, digest and archive
      gc       Take away what has served; a server does so every hour

    Options:
      -h, --help     Print help
      -V, --version  Print version
    ");
}
