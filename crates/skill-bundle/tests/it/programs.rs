//! Programs that other people wrote, against which ours is held.

use std::process::{Command, Stdio};

/// What has to be there where `CI` is set, as .ci/run sees to.
const REQUIRED: &[&str] = &["7z", "bsdtar", "git", "python3", "tar", "unzip", "zip", "zstd"];

/// Whether a program can be run. One that cannot is named, and in CI a failure.
pub(crate) fn is_here(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if found.is_ok() {
        return true;
    }
    #[expect(clippy::disallowed_methods, reason = "tests are told by the environment what has to be at hand")]
    let in_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    assert!(
        !(in_ci && REQUIRED.contains(&program)),
        "in CI nothing may be skipped: {program} is not installed"
    );
    eprintln!("not run: {program} is not installed");
    false
}
