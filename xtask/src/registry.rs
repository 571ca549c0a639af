//! A registry of its own for the demo, the bench and the journeys in a browser.

use std::io::{BufRead as _, BufReader, Seek as _, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

use crate::workspace::done;

/// A registry on a free port of loopback, with an empty folder; it ends when this value goes.
pub(crate) struct Registry {
    program: PathBuf,
    data: PathBuf,
    address: SocketAddr,
    process: Child,
}

impl Registry {
    /// Starts `program`, with `settings` by the names that its environment has for them; its data and its log go below
    /// `folder`.
    pub(crate) fn start(program: &Path, folder: &Path, settings: &[(&str, &str)]) -> anyhow::Result<Self> {
        let (data, log) = (folder.join("registry"), folder.join("registry.log"));
        let mut process = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(&data)
            .env_remove("LD_LIBRARY_PATH")
            // Benches and journeys publish more new names in a minute than a registry takes from one user in a day.
            .env("SKILL_REGISTRY_LIMITS_NEW_SKILLS_DAY", "0")
            .envs(settings.iter().copied())
            .stdout(Stdio::piped())
            .stderr(fs_err::File::create(&log)?.into_file())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut first = String::new();
        if let Some(stdout) = process.stdout.take() {
            BufReader::new(stdout).read_line(&mut first)?;
        }
        let address =
            first.trim_end().strip_prefix("listening on http://").and_then(|text| text.parse().ok());
        let Some(address) = address else {
            anyhow::bail!("the registry did not start:\n{}", fs_err::read_to_string(log)?);
        };
        Ok(Self { program: program.to_path_buf(), data, address, process })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The id of its process.
    pub(crate) fn process(&self) -> u32 {
        self.process.id()
    }

    /// Adds a user, whose publisher has the same name, and gives a token for it.
    pub(crate) fn new_publisher(&self, name: &str) -> anyhow::Result<String> {
        self.admin(&["user", "add", name])?;
        let token = self.admin(&["token", "create", "--user", name])?;
        anyhow::ensure!(!token.trim().is_empty(), "token create printed no token");
        Ok(token.trim().to_owned())
    }

    /// Adds a user who signs in by a password.
    pub(crate) fn new_reader(&self, name: &str, password: &str) -> anyhow::Result<()> {
        self.admin(&["user", "add", name])?;
        let mut typed = tempfile::tempfile()?;
        typed.write_all(password.as_bytes())?;
        typed.rewind()?;
        let mut set = Command::new(&self.program);
        done(set.args(["user", "password", name, "--data"]).arg(&self.data).stdin(typed))?;
        Ok(())
    }

    fn admin(&self, args: &[&str]) -> anyhow::Result<String> {
        let out = done(Command::new(&self.program).args(args).arg("--data").arg(&self.data))?;
        Ok(String::from_utf8(out)?)
    }

    /// Waits until it ends by itself.
    pub(crate) fn wait(&mut self) -> anyhow::Result<()> {
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
