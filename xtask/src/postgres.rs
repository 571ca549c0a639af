//! A private Postgres for the tests: own folder, own port on loopback, gone at the end.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::workspace::{env, run};

/// A running private server; it ends when this value goes.
pub(crate) struct Postgres {
    bin: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
}

impl Postgres {
    /// Starts a server of the newest installed version. `None` if none is installed.
    pub(crate) fn start() -> anyhow::Result<Option<Self>> {
        let Some(bin) = find_binaries() else { return Ok(None) };
        let folder = tempfile::Builder::new().prefix("skill-postgres-").tempdir()?;
        let server = Self { bin, port: free_port()?, folder };
        server.give_folder_away()?;
        run(server
            .program("initdb")
            .args(["-D", "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"])
            .stdout(Stdio::null()))?;
        let options = format!(
            "-c listen_addresses=127.0.0.1 -p {} -c unix_socket_directories='' -c max_connections=300",
            server.port
        );
        run(server
            .program("pg_ctl")
            .args(["-D", "data", "-w", "-l", "log", "-o", &options, "start"])
            .stdout(Stdio::null()))?;
        Ok(Some(server))
    }

    /// Where it answers, as its superuser.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Postgres refuses to run as root, so root runs it as nobody.
    fn program(&self, name: &str) -> Command {
        let program = self.bin.join(name);
        let mut command = if is_root() {
            let mut setpriv = Command::new("setpriv");
            setpriv.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(program);
            setpriv
        } else {
            Command::new(program)
        };
        command.current_dir(self.folder.path());
        command
    }

    fn give_folder_away(&self) -> anyhow::Result<()> {
        if is_root() {
            run(Command::new("chown").arg("65534:65534").arg(self.folder.path()))?;
        }
        Ok(())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self
            .program("pg_ctl")
            .args(["-D", "data", "-m", "immediate", "stop"])
            .stdout(Stdio::null())
            .status();
    }
}

fn find_binaries() -> Option<PathBuf> {
    let has_initdb = |folder: &Path| folder.join("initdb").is_file();
    let on_path =
        env("PATH").into_iter().flat_map(|path| path.split(':').map(PathBuf::from).collect::<Vec<_>>());
    let mut of_debian: Vec<PathBuf> = fs_err::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .collect();
    of_debian.sort();
    on_path.chain(of_debian.into_iter().rev()).find(|folder| has_initdb(folder))
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.trim_ascii() == b"0")
}

fn free_port() -> anyhow::Result<u16> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").context("cannot bind on loopback")?;
    let port = listener.local_addr()?.port();
    if port == 0 {
        bail!("the system gave no port");
    }
    Ok(port)
}
