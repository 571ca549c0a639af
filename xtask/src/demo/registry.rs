use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

use crate::workspace::say;

/// A registry of its own, on a free port of loopback; it ends when this value goes.
pub(super) struct Registry {
    program: PathBuf,
    data: PathBuf,
    url: String,
    server: Child,
}

impl Registry {
    pub(super) fn start(program: &Path, folder: &Path) -> anyhow::Result<Self> {
        let data = folder.join("registry");
        let log = fs_err::File::create(folder.join("registry.log"))?;
        let mut server = Command::new(program)
            .arg("serve")
            .arg("--data")
            .arg(&data)
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(log.into_file())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut first = String::new();
        if let Some(stdout) = server.stdout.take() {
            BufReader::new(stdout).read_line(&mut first)?;
        }
        let Some(url) = first.trim_end().strip_prefix("listening on ").map(str::to_owned) else {
            let log = fs_err::read_to_string(folder.join("registry.log"))?;
            anyhow::bail!("the registry did not start:\n{log}");
        };
        say(&format!("a registry with an empty folder listens on {url}"));
        Ok(Self { program: program.to_path_buf(), data, url, server })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Adds a user, whose publisher has the same name, and gives a token for it.
    pub(super) fn new_publisher(&self, name: &str) -> anyhow::Result<String> {
        self.admin(&["user", "add", name])?;
        let token = self.admin(&["token", "create", "--user", name])?;
        anyhow::ensure!(!token.trim().is_empty(), "token create printed no token");
        Ok(token.trim().to_owned())
    }

    fn admin(&self, args: &[&str]) -> anyhow::Result<String> {
        say(&format!("\n$ skill-registry {} --data …", args.join(" ")));
        let out = Command::new(&self.program).args(args).arg("--data").arg(&self.data).output()?;
        let error = String::from_utf8_lossy(&out.stderr);
        anyhow::ensure!(out.status.success(), "skill-registry {}: {error}", args.join(" "));
        Ok(String::from_utf8(out.stdout)?)
    }

    /// Waits for Ctrl-C, which the registry gets too and ends by, or for the registry to end.
    pub(super) fn serve_until_ctrl_c(mut self) -> anyhow::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(tokio::signal::ctrl_c())?;
        self.server.wait()?;
        Ok(())
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
