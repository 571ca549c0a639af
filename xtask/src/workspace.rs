//! Where the workspace lies, and how its commands are run and heard.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

/// The folder of the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// What cargo tells the programs that it runs about their package. `ring` is built anew whenever one of them changes, and
/// with it all that stands on TLS.
const OF_THIS_PACKAGE: [&str; 8] = [
    "CARGO_MANIFEST_DIR",
    "CARGO_MANIFEST_LINKS",
    "CARGO_PKG_NAME",
    "CARGO_PKG_VERSION",
    "CARGO_PKG_VERSION_MAJOR",
    "CARGO_PKG_VERSION_MINOR",
    "CARGO_PKG_VERSION_PATCH",
    "CARGO_PKG_VERSION_PRE",
];

/// The cargo that runs this program, as if somebody had started it by hand.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root());
    for name in OF_THIS_PACKAGE {
        command.env_remove(name);
    }
    command
}

/// Runs `command` to its end, its output shown; an error if it does not end with 0.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}

/// Runs `command`, its output not shown; it has to end with 0. Gives what it wrote on stdout.
pub(crate) fn done(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let out = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !out.status.success() {
        bail!("{command:?} ended with {}\n{}", out.status, String::from_utf8_lossy(&out.stderr));
    }
    Ok(out.stdout)
}

/// Where cargo puts the programs of the workspace: beside this one.
pub(crate) fn programs() -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe().context("cannot tell where this program lies")?;
    Ok(own.parent().context("this program lies nowhere")?.to_path_buf())
}

/// The value of an environment variable; an empty one counts as unset.
pub(crate) fn env(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "the one place of this program that reads it")]
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Prints on stdout; a closed pipe is no error.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints on stderr; a closed pipe is no error.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
