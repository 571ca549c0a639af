//! Folders that may not be written or read: what can be done is done, what cannot is named.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::engine::skipped;
use crate::support::{Output, Registry, Sandbox, Skill};

/// `skill`, to be run as somebody whom modes bind. None where that cannot be had.
fn bound(user: &Sandbox) -> Option<Command> {
    let plain = user.command();
    if !rustix::process::geteuid().is_root() {
        return Some(plain);
    }
    let bounding = "--bounding-set=-dac_override,-dac_read_search";
    let has = Command::new("setpriv").args([bounding, "true"]).stderr(Stdio::null()).status();
    if !has.is_ok_and(|status| status.success()) {
        skipped("modes do not bind root, and setpriv is not at hand");
        return None;
    }
    let mut command = Command::new("setpriv");
    command.args([bounding, "--inh-caps=-dac_override,-dac_read_search"]).arg(plain.get_program());
    command.current_dir(user.work()).env_clear().stdin(Stdio::null());
    for (name, value) in plain.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    Some(command)
}

fn mode(path: &Path, mode: u32) {
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// A user with acme/notes installed from a registry.
fn installed() -> (Registry, Sandbox) {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("notes").publish(&author, "1.0.0").success();
    let user = Sandbox::with(&registry);
    user.skill(["install", "notes"]).success();
    (registry, user)
}

#[test]
fn a_checkout_that_cannot_be_written_and_needs_nothing() {
    let (_registry, user) = installed();
    let Some(mut command) = bound(&user) else { return };
    let _ = fs_err::remove_file(user.path(".skill/lock"));
    for folder in [".skill", "."] {
        mode(&user.path(folder), 0o555);
    }
    let out = user.run(command.args(["install", "--frozen"]));
    for folder in [".", ".skill"] {
        mode(&user.path(folder), 0o755);
    }
    let out = out.success();
    assert!(out.stderr.contains("nothing to do"), "{out}");
}

#[test]
fn a_checkout_that_cannot_be_written_and_has_to_be() {
    let (_registry, user) = installed();
    let Some(mut command) = bound(&user) else { return };
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    let _ = fs_err::remove_file(user.path(".skill/lock"));
    mode(&user.path(".skill"), 0o555);
    let out = user.run(command.args(["install", "--frozen"]));
    mode(&user.path(".skill"), 0o755);
    let out = out.code(1);
    assert!(out.stderr.contains("error[disk-denied]: cannot read or write .skill/lock"), "{out}");
    assert!(!out.stderr.contains("failed to") && !out.stderr.contains("os error"), "{out}");
}

#[test]
fn no_home_breaks_no_frozen_install() {
    let (registry, user) = installed();
    let before = user.disk();
    let kept = user.skill_home().join("kept");
    fs_err::create_dir(&kept).unwrap();
    mode(&kept, 0o555);
    for home in ["/proc/nowhere".to_owned(), kept.display().to_string()] {
        let Some(mut command) = bound(&user) else { return };
        fs_err::remove_dir_all(user.path("skills")).unwrap();
        let out = user.run(command.args(["install", "--frozen"]).env("SKILL_HOME", &home)).success();
        assert!(out.stderr.contains("warning[disk-denied]"), "{out}");
        assert!(out.stderr.contains("set SKILL_HOME to a folder that you can write"), "{out}");
        assert_eq!(user.disk(), before, "{home}");
    }
    // A first contact has to be remembered.
    let Some(mut command) = bound(&user) else { return };
    let args = ["search", "notes", "--registry", &registry.url()];
    let out = user.run(command.args(args).env("SKILL_HOME", &kept)).code(1);
    assert!(out.stderr.contains("/pins/"), "{out}");
}

#[test]
fn what_cannot_be_read_is_not_called_absent() {
    let (_registry, user) = installed();
    let verify = |path: &str, closed: u32, open: u32| -> Option<Output> {
        let mut command = bound(&user)?;
        mode(&user.path(path), closed);
        let out = user.run(command.arg("verify"));
        mode(&user.path(path), open);
        Some(out.code(4))
    };
    let Some(out) = verify("skills/notes/SKILL.md", 0, 0o644) else { return };
    assert!(out.stdout.contains("no permission to read skills/notes/SKILL.md"), "{out}");
    assert!(out.stderr.contains("skills/notes cannot be read"), "{out}");
    assert!(!out.to_string().contains("not there") && !out.to_string().contains("absent"), "{out}");
    let Some(out) = verify(".skill/envelopes", 0, 0o755) else { return };
    assert!(out.stdout.contains(".skill/envelopes cannot be read: permission denied"), "{out}");
    assert!(!out.to_string().contains("absent"), "{out}");
}

#[test]
fn a_damaged_index_is_fetched_anew() {
    let (_registry, user) = installed();
    let mut files = vec![user.skill_home().join("cache/index")];
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(fs_err::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let text = fs_err::read_to_string(&path).unwrap();
            fs_err::write(&path, text.replace('{', "[")).unwrap();
        }
    }
    fs_err::remove_dir_all(user.path("skills")).unwrap();
    fs_err::remove_file(user.path("skills.lock")).unwrap();
    user.skill(["install", "notes"]).success();
    user.skill(["install", "notes", "--force"]).success();
}

#[test]
fn pack_replaces_an_archive_and_nothing_else() {
    let (_registry, user) = installed();
    Skill::new("dirry").write(&user, "dirry");
    user.write("notes.txt", "mine");
    for place in ["notes.txt", "skills/notes/SKILL.md", "skills"] {
        let before = user.disk();
        let out = user.skill(["pack", "dirry", "-o", place, "--json"]).code(1);
        assert_eq!(out.error_code(), "file-exists", "{place}");
        assert_eq!(user.disk(), before, "{place}");
    }
    user.skill(["pack", "dirry"]).success();
    user.write("dirry/more.txt", "more");
    user.skill(["pack", "dirry"]).success();
}

#[test]
fn names_on_disk_are_told_once_and_escaped() {
    let (_registry, user) = installed();
    user.write("skills/notes/a:b", "");
    let out = user.skill(["verify"]).code(4);
    assert!(out.stdout.contains("a:b names a drive") || out.stdout.contains("a:b holds a colon"), "{out}");
    fs_err::remove_file(user.path("skills/notes/a:b")).unwrap();
    user.write("skills/notes/a\u{202e}b", "");
    let out = user.skill(["verify", "--json"]).code(4);
    assert!(!out.stdout.contains('\u{202e}') && out.stdout.contains("a\\u202eb"), "{out}");
}

#[test]
fn conflict_markers_in_skills_toml_are_called_so() {
    let user = Sandbox::new();
    user.write("skills.toml", "[skills]\n<<<<<<< ours\n\"acme/a\" = \"1\"\n=======\n>>>>>>> theirs\n");
    let out = user.skill(["install", "--json"]).code(1);
    assert_eq!(out.error_code(), "wanted-unreadable");
    assert_eq!(out.json()["error"]["line"], 2);
    assert!(out.stdout.contains("a conflict marker"), "{out}");
}

#[test]
fn a_private_registry_that_only_the_lock_names_gets_no_variable() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("notes").publish(&author, "1.0.0").success();
    author.skill(["install", "notes"]).success();
    let mut registry = registry;
    registry.kill();
    assert!(
        registry.try_restart_under(vec!["env".to_owned(), "SKILL_REGISTRY_ACCESS_READ=token".to_owned()])
    );
    let user = Sandbox::new();
    user.write("skills.lock", author.read("skills.lock"));
    let mut command = user.command();
    let out = user.run(command.args(["install", "--frozen"]).env("SKILL_TOKEN", author.token())).code(7);
    let url = registry.url();
    assert!(out.stderr.contains("SKILL_TOKEN is set and was not sent"), "{out}");
    assert!(out.stderr.contains(&format!("--registry {url}")), "{out}");
    let mut command = user.command();
    let args = ["install", "--frozen", "--registry", &url];
    user.run(command.args(args).env("SKILL_TOKEN", author.token())).success();
}
