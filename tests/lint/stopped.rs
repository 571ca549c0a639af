//! What `--fix` leaves when it is killed while it writes.

use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use crate::support::Sandbox;
use crate::support::engine::skipped;

const SKILL_MD: &str = "---\nname: weather\ndescription: Tells it: when asked, not for climate\n---\nText\n";

/// The program under strace, which kills it before it renames a file for the first time.
fn killed(user: &Sandbox) -> bool {
    let kill = "inject=rename,renameat,renameat2:signal=SIGKILL:when=1";
    let mut command = Command::new("strace");
    command.args([
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        kill,
        env!("CARGO_BIN_EXE_skill"),
        "lint",
        "--fix",
        "weather",
    ]);
    command.current_dir(user.work()).env_clear().env("PATH", "/usr/bin:/bin").env("LANG", "C.UTF-8");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    !command.status().unwrap().success()
}

fn hidden(user: &Sandbox) -> Vec<String> {
    let entries = fs_err::read_dir(user.path("weather")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with('.')).collect()
}

#[test]
fn a_run_that_was_killed_leaves_nothing_for_long() {
    if Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_err() {
        return skipped("strace is not installed");
    }
    let user = Sandbox::new();
    user.write("weather/SKILL.md", SKILL_MD);
    assert!(killed(&user));
    assert_eq!(user.read("weather/SKILL.md"), SKILL_MD);
    assert_eq!(hidden(&user).len(), 1, "{:?}", hidden(&user));
    // It is packed nowhere, and judged by nobody.
    assert_eq!(user.skill(["lint", "weather", "--json"]).success().json()["files"], 1);
    let out = user.skill(["lint", "weather", "--fix"]).success();
    assert_eq!(out.stderr, "note: 1 fix applied\nnote: 1 file removed that a stopped `--fix` left\n");
    assert_eq!(hidden(&user), [""; 0]);
    assert!(user.read("weather/SKILL.md").contains("\"Tells it: when asked"));
    // Where there is nothing to fix it is taken away, too; what is only called alike stays.
    user.write("weather/.skill-lint-Ab1234567890", "half");
    user.write("weather/.skill-lint-notes", "mine");
    let out = user.skill(["lint", "weather", "--fix", "--dry-run"]).success();
    assert_eq!((out.stderr.as_str(), hidden(&user).len()), ("", 2));
    let out = user.skill(["lint", "weather", "--fix"]).success();
    assert_eq!(out.stderr, "note: 1 file removed that a stopped `--fix` left\n");
    assert_eq!(hidden(&user), [".skill-lint-notes"]);
}

#[test]
fn a_file_with_a_decomposed_name_is_fixed_where_it_lies() {
    let user = Sandbox::new();
    user.write("weather/SKILL.md", SKILL_MD.replace("it:", "it"));
    let decomposed = "weather/scripts/re\u{301}sume\u{301}/sta\u{308}dte.sh";
    user.write(decomposed, "#!/bin/sh\nls\n");
    user.skill(["lint", "weather", "--fix"]).success();
    let mode = fs_err::metadata(user.path(decomposed)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert_eq!(fs_err::read_dir(user.path("weather/scripts")).unwrap().count(), 1);
}
