//! The layers of the install policy: the system's file binds, the user's and the project's tighten.

use insta::assert_snapshot;

use crate::support::policy::{ALLOW, script, security};
use crate::support::system;
use crate::support::{Output, Sandbox, Skill};

const INSTALL: &[&str] = &["install", "./dirry"];

fn user() -> Sandbox {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    user
}

/// Installs below the system's file; refused with this code, every byte as it was.
#[track_caller]
fn refused(user: &Sandbox, code: &str) -> Output {
    let before = user.disk();
    let out = system::run(user, &["install", "./dirry", "--json"]).code(5);
    assert_eq!(out.error_code(), code, "{out}");
    assert_eq!(user.disk(), before);
    out
}

fn program(user: &Sandbox, name: &str, body: &str) -> String {
    let path = script(user, name, &format!("#!/bin/sh\n{body}\n"));
    format!("[security.install_policy]\nenabled = true\ncommand = \"{}\"\n", path.display())
}

#[test]
fn the_systems_program_binds_whatever_the_user_says() {
    let user = user();
    system::write(
        &user,
        &program(&user, "no", "echo '{\"protocolVersion\":1,\"decision\":\"block\",\"reason\":\"no\"}'"),
    );
    refused(&user, "policy-blocked");
    security(&user, &program(&user, "yes", ALLOW));
    refused(&user, "policy-blocked");
    security(&user, "[security.install_policy]\nenabled = false\n");
    refused(&user, "policy-blocked");
}

#[test]
fn both_programs_run_and_both_must_allow() {
    let user = user();
    let seen = user.skill_home().join("seen");
    let note = |word: &str| format!("echo {word} >> {}\n", seen.display());
    system::write(&user, &program(&user, "first", &format!("{}{ALLOW}", note("system"))));
    security(&user, &program(&user, "second", &format!("{}exit 1", note("user"))));
    refused(&user, "policy-failed-closed");
    assert_eq!(fs_err::read_to_string(&seen).unwrap(), "system\nuser\n");
    security(&user, &program(&user, "second", &format!("{}{ALLOW}", note("user"))));
    system::run(&user, INSTALL).success();
}

#[test]
fn a_missing_program_of_the_system() {
    let user = user();
    system::write(&user, "[security.install_policy]\nenabled = true\ncommand = \"/opt/policy/check\"\n");
    assert_snapshot!(system::run(&user, INSTALL).to_string(), @r"
    -- stderr
    1 skill to install in skills/
      +  dirry  -  -  clean  124 B  ./dirry
    error[policy-failed-closed]: install policy failed closed: /opt/policy/check
          does not exist
      because: [security.install_policy] in [SANDBOX]/skill-home/etc/config.toml binds all users
      because: nothing was changed
    hint: run `skill policy check` and ask whoever looks after that file
    -- exit 5
    ");
}

#[test]
fn a_system_file_that_cannot_be_used_refuses_installs_and_nothing_else() {
    use std::os::unix::fs::PermissionsExt as _;
    let user = user();
    system::write(&user, "");
    system::run(&user, INSTALL).success();
    user.write("dirry/more.md", "more");
    for text in
        ["nonsense\n", "unknown = 1\n", "[security]\nunknown = 1\n", "[security.rules]\nrequire = [\"x\"]\n"]
    {
        system::write(&user, text);
        refused(&user, "policy-config");
        for words in
            [&["list"][..], &["verify"], &["lint", "dirry"], &["pack", "dirry"], &["registry", "list"]]
        {
            let out = system::run(&user, words).success();
            assert!(out.stderr.contains("warning[policy-config]: "), "{text}: {out}");
        }
        fs_err::remove_file(user.path("dirry.skill")).unwrap();
    }
    system::write(&user, "");
    let chmod = |mode: u32| {
        fs_err::set_permissions(system::path(&user), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    chmod(0o664);
    refused(&user, "policy-config");
    chmod(0o644);
    let other = rustix::process::geteuid().as_raw() + 1;
    let out = system::run_as(&user, &["install", "./dirry", "--json"], other).code(5);
    assert_eq!(out.error_code(), "policy-config");
    assert!(out.stdout.contains("not to root"), "{out}");
    // Whoever may write the folder may put another file there.
    let folder = system::path(&user).parent().unwrap().to_owned();
    fs_err::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    let out = refused(&user, "policy-config");
    assert!(out.stdout.contains("could be replaced by others"), "{out}");
    fs_err::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    // A link to nowhere is no absent file.
    fs_err::remove_file(system::path(&user)).unwrap();
    std::os::unix::fs::symlink("/nonexistent", system::path(&user)).unwrap();
    refused(&user, "policy-config");
    fs_err::remove_file(system::path(&user)).unwrap();
    fs_err::create_dir(system::path(&user)).unwrap();
    refused(&user, "policy-config");
    fs_err::remove_dir(system::path(&user)).unwrap();
    system::run(&user, INSTALL).success();
}

#[test]
fn a_project_that_names_a_program_is_refused_and_nothing_is_run() {
    let user = user();
    let mark = user.skill_home().join("was-run");
    let touch = format!("touch {}\n{ALLOW}", mark.display());
    security(&user, &program(&user, "mine", &touch));
    for table in [program(&user, "theirs", &touch), "[security.install_policy]\nenabled = false\n".to_owned()]
    {
        user.write("skills.toml", format!("[skills]\n\n{table}"));
        refused(&user, "policy-project-program");
        assert!(!mark.exists());
    }
    assert_snapshot!(system::run(&user, INSTALL).to_string(), @r"
    -- stderr
    error[policy-project-program]: skills.toml names an install policy program
      because: a project comes with files from elsewhere; nothing of it was run
      because: nothing was changed
    hint: move [security.install_policy] to the user's or the system's file
    -- exit 5
    ");
}

#[test]
fn rules_of_all_layers_hold_at_once() {
    let user = user();
    // Each layer alone would let it in; together they let nothing in.
    system::write(&user, "[security.rules]\nallowed_sources = [\"path\", \"git\"]\n");
    system::run(&user, &["install", "./dirry", "--dry-run"]).success();
    security(&user, "[security.rules]\nallowed_sources = [\"git\", \"archive\"]\n");
    let out = refused(&user, "rule-source");
    assert_eq!(out.json()["error"]["layer"], "user");
    security(&user, "[security.rules]\nallowed_sources = [\"path\"]\n");
    user.write("skills.toml", "[skills]\n\n[security.rules]\nrequire = [\"signature\"]\n");
    let out = refused(&user, "rule-require");
    assert_eq!(out.json()["error"]["layer"], "project");
    // A project cannot take away what others ask for.
    system::write(&user, "[security.rules]\nallowed_licences = [\"MIT\"]\n");
    user.write("skills.toml", "[skills]\n\n[security.rules]\nallowed_licences = [\"Apache-2.0\"]\n");
    let out = refused(&user, "rule-licence");
    assert_eq!(out.json()["error"]["also"][0]["code"], "rule-licence");
}
