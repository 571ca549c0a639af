//! Install policies for one user: a program in a temporary folder, and the table that names it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::{Output, Sandbox};

/// What a program prints to let everything in.
pub(crate) const ALLOW: &str = r#"echo '{"protocolVersion":1,"decision":"allow"}'"#;

/// Writes an executable script outside of the work directory and gives its path.
pub(crate) fn script(user: &Sandbox, name: &str, text: &str) -> PathBuf {
    let path = user.skill_home().join("policy").join(name);
    fs_err::create_dir_all(path.parent().unwrap()).unwrap();
    fs_err::write(&path, text).unwrap();
    fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Makes a shell script the program of this user's policy; `more` are further lines of its table.
pub(crate) fn program(user: &Sandbox, body: &str, more: &str) -> PathBuf {
    let path = script(user, "check", &format!("#!/bin/sh\n{body}\n"));
    table(user, &format!("enabled = true\ncommand = \"{}\"\n{more}", path.display()));
    path
}

/// Writes the table `[security.install_policy]` of this user.
pub(crate) fn table(user: &Sandbox, lines: &str) {
    security(user, &format!("[security.install_policy]\n{lines}\n"));
}

/// Replaces what this user's config.toml says below `[security]`.
pub(crate) fn security(user: &Sandbox, tables: &str) {
    let path = user.skill_home().join("config.toml");
    let text = fs_err::read_to_string(&path).unwrap_or_default();
    let before = text.split("[security").next().unwrap_or_default();
    fs_err::write(&path, format!("{before}{tables}")).unwrap();
}

/// Runs an install that has to be refused: exit 5, this code, every byte of the work directory as it was.
/// Gives the JSON document.
#[track_caller]
pub(crate) fn refused(user: &Sandbox, args: &[&str], code: &str) -> serde_json::Value {
    let before = user.disk();
    let out = user.skill(args.iter().copied().chain(["--json"])).code(5);
    assert_eq!(out.error_code(), code, "{out}");
    unchanged(user, &before, &out);
    out.json()
}

/// The same for a program that gives no answer; gives why.
#[track_caller]
pub(crate) fn failed_closed(user: &Sandbox, args: &[&str]) -> String {
    let document = refused(user, args, "policy-failed-closed");
    let hint = document["error"]["hints"][0].as_str().unwrap();
    let known = ["skill policy check", "skill policy test", "ask whoever looks after"];
    assert!(known.iter().any(|start| hint.starts_with(start)), "{document}");
    document["error"]["detail"].as_str().unwrap().to_owned()
}

/// Asserts that the work directory is as it was.
#[track_caller]
pub(crate) fn unchanged(user: &Sandbox, before: &str, out: &Output) {
    assert_eq!(user.disk(), before, "{out}");
}

/// Shell words that set `path` to the staged folder; they read the request.
pub(crate) const PATH: &str = "path=$(sed 's/.*\"sourcePath\":\"\\([^\"]*\\)\".*/\\1/')";

/// Where [`recording`] keeps the last request.
pub(crate) fn seen(user: &Sandbox) -> PathBuf {
    user.skill_home().join("seen")
}

/// A program that keeps what it read and prints `answer`.
pub(crate) fn recording(user: &Sandbox, answer: &str) {
    program(user, &format!("cat > {}\nprintf '%s' '{answer}'", seen(user).display()), "");
}

/// The last request that [`recording`] kept.
#[track_caller]
pub(crate) fn request(user: &Sandbox) -> serde_json::Value {
    serde_json::from_slice(&fs_err::read(seen(user)).unwrap()).unwrap()
}

/// Makes `owner` the owner of a path and all below.
pub(crate) fn give(path: &Path, owner: &str) {
    let status = std::process::Command::new("chown").args(["-R", owner]).arg(path).status().unwrap();
    assert!(status.success());
}

/// A user without rights, who owns the whole sandbox.
pub(crate) struct Nobody<'a> {
    user: &'a Sandbox,
    skill: PathBuf,
}

impl<'a> Nobody<'a> {
    /// Gives everything of the sandbox away; none where that takes more rights than there are.
    pub(crate) fn owning(user: &'a Sandbox) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            super::engine::skipped("becoming another user needs root");
            return None;
        }
        // The program that is tested may lie where only root gets to.
        let skill = user.work().with_file_name("skill");
        fs_err::copy(env!("CARGO_BIN_EXE_skill"), &skill).unwrap();
        give(user.work().parent().unwrap(), "65534:65534");
        Some(Self { user, skill })
    }

    /// Runs `skill` as that user.
    pub(crate) fn skill(&self, args: &[&str]) -> Output {
        let plain = self.user.command();
        let mut command = std::process::Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&self.skill).args(args);
        command.current_dir(self.user.work()).env_clear();
        for (name, value) in plain.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        self.user.run(&mut command)
    }
}
