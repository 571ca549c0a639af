//! The operator's veto: a program that judges every install before anything is on disk.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::shell::Shell;
use crate::workspace::say;

/// Speaks the policy protocol, version 1: a request on stdin, a decision on stdout.
const PROGRAM: &str = r#"#!/bin/sh
request=$(cat)
case $request in
*'"targetName":"deep-summary"'*)
    echo '{"protocolVersion":1,"decision":"block","reason":"summaries are written by people here"}' ;;
*'"targetName":"zhoubao"'*)
    echo '{"protocolVersion":1,"decision":"warn","reason":"nobody here has read this one yet"}' ;;
*)
    echo '{"protocolVersion":1,"decision":"allow"}' ;;
esac
"#;

/// Configures the program for this user, and shows a block, a warning, and the warning acknowledged.
pub(super) fn block_and_warn(shell: &Shell, folder: &Path) -> anyhow::Result<()> {
    shell.step("An install policy: a program that sees each skill staged, and decides");
    let program = folder.join("policy.sh");
    fs_err::write(&program, PROGRAM)?;
    fs_err::set_permissions(&program, std::fs::Permissions::from_mode(0o755))?;
    let mut config = fs_err::OpenOptions::new().append(true).open(shell.home().join("config.toml"))?;
    let table = format!("\n[security.install_policy]\nenabled = true\ncommand = \"{}\"\n", program.display());
    say(&format!("$ cat >> config.toml{table}"));
    config.write_all(table.as_bytes())?;
    shell.skill(&["policy", "check"])?;

    shell.step("It blocks: exit 5, and nothing was changed");
    shell.skill_ends(&["install", "deep-summary"], 5)?;
    anyhow::ensure!(!shell.holds("skills/deep-summary"), "what was blocked is on disk");

    shell.step("It warns: exit 5 where nobody can answer, and installed once the warning is acknowledged");
    shell.skill_ends(&["install", "zhoubao", "--no-input"], 5)?;
    shell.skill(&["install", "zhoubao", "--acknowledge-install-policy-warning"])?;

    shell.step("What is installed: a skill from each source, and none that was blocked");
    shell.skill(&["list"])
}
