use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;

use super::done;

/// Ticks of `/proc/PID/stat` in a second: `USER_HZ`, 100 wherever Rust's Linux targets run.
const TICKS: u64 = 100;

/// An optimised registry with an empty folder on loopback; it ends when this value goes.
pub(super) struct Server {
    program: PathBuf,
    data: PathBuf,
    address: SocketAddr,
    process: Child,
}

impl Server {
    pub(super) fn start(program: &Path, folder: &Path) -> anyhow::Result<Self> {
        let (data, log) = (folder.join("registry"), folder.join("registry.log"));
        let mut process = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(&data)
            .env_remove("LD_LIBRARY_PATH")
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

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Adds a user, whose publisher has the same name, and gives a token for it.
    pub(super) fn new_publisher(&self, name: &str) -> anyhow::Result<String> {
        self.admin(&["user", "add", name])?;
        Ok(self.admin(&["token", "create", "--user", name])?.trim().to_owned())
    }

    fn admin(&self, args: &[&str]) -> anyhow::Result<String> {
        let out = done(Command::new(&self.program).args(args).arg("--data").arg(&self.data))?;
        Ok(String::from_utf8(out)?)
    }

    /// Does `work`; gives what it gave, and the CPU time that the server spent meanwhile.
    pub(super) fn cpu_of<T>(
        &self,
        work: impl FnOnce() -> anyhow::Result<T>,
    ) -> anyhow::Result<(T, Duration)> {
        let before = self.cpu()?;
        let done = work()?;
        Ok((done, self.cpu()?.saturating_sub(before)))
    }

    /// CPU time so far, of all threads, in user and kernel (proc(5), fields 14 and 15).
    fn cpu(&self) -> anyhow::Result<Duration> {
        let stat = fs_err::read_to_string(format!("/proc/{}/stat", self.process.id()))?;
        // The name, in brackets, may hold anything; the first field after it is the third.
        let (_, fields) = stat.rsplit_once(')').context("/proc/PID/stat without a name")?;
        let ticks: Vec<u64> =
            fields.split_whitespace().skip(11).take(2).filter_map(|n| n.parse().ok()).collect();
        Ok(Duration::from_millis(ticks.iter().sum::<u64>() * 1000 / TICKS))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
