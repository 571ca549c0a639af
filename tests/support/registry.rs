//! A `skill-registry` of its own for one test.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Once;

use super::engine::Engine;

/// A running registry. It is killed when this value goes; its folder goes with it.
pub(crate) struct Registry {
    folder: tempfile::TempDir,
    data: PathBuf,
    engine: Engine,
    port: u16,
    server: Option<Child>,
    /// Runs in front of the server's program, `strace` for example.
    wrapper: Vec<String>,
}

impl Registry {
    /// Starts one on SQLite in an empty folder.
    pub(crate) fn start() -> Self {
        Self::start_on(Engine::Sqlite)
    }

    /// Starts one on `engine` in an empty folder.
    pub(crate) fn start_on(engine: Engine) -> Self {
        let folder = tempfile::Builder::new().prefix("registry-").tempdir().unwrap();
        let data = folder.path().join("data");
        Self::start_in(folder, data, engine, Vec::new())
    }

    /// Starts one on SQLite with these lines in its config.toml.
    pub(crate) fn start_with(settings: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("registry-").tempdir().unwrap();
        let data = folder.path().join("data");
        fs_err::create_dir(&data).unwrap();
        fs_err::write(data.join("config.toml"), settings).unwrap();
        Self::start_in(folder, data, Engine::Sqlite, Vec::new())
    }

    /// Starts one whose data lies in `data`, with `wrapper` in front of its program.
    pub(crate) fn start_in(
        folder: tempfile::TempDir,
        data: PathBuf,
        engine: Engine,
        wrapper: Vec<String>,
    ) -> Self {
        let mut registry = Self { folder, data, engine, port: 0, server: None, wrapper };
        registry.restart();
        registry
    }

    /// Starts the server again, on the port it had.
    #[track_caller]
    pub(crate) fn restart(&mut self) {
        assert!(self.try_restart(), "the registry does not start:\n{}", self.log());
    }

    /// Starts the server again with `wrapper` in front of it; false if it does not start.
    pub(crate) fn try_restart_under(&mut self, wrapper: Vec<String>) -> bool {
        self.wrapper = wrapper;
        self.try_restart()
    }

    fn try_restart(&mut self) -> bool {
        assert!(self.server.is_none(), "the server still runs");
        // The port of a server that was killed a moment ago may still be taken.
        for _ in 0..20 {
            if let Some((server, port)) = self.launch() {
                self.server = Some(server);
                self.port = port;
                return true;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        false
    }

    fn launch(&self) -> Option<(Child, u16)> {
        let log = fs_err::OpenOptions::new().create(true).append(true).open(self.log_path()).unwrap();
        let mut command = self.command();
        command.args(["serve", "--listen", &format!("127.0.0.1:{}", self.port)]);
        let mut server = self
            .place(&mut command)
            .stdout(Stdio::piped())
            .stderr(log.into_file())
            .process_group(0)
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let Some(port) = first.trim_end().strip_prefix("listening on http://127.0.0.1:") else {
            end(&mut server);
            return None;
        };
        Some((server, port.parse().unwrap()))
    }

    fn command(&self) -> Command {
        let program = program();
        match self.wrapper.split_first() {
            None => Command::new(program),
            Some((wrapper, args)) => {
                let mut command = Command::new(wrapper);
                command.args(args).arg(program);
                command
            }
        }
    }

    /// Says where data and database are.
    fn place<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        if let Engine::Postgres(url) = &self.engine {
            command.env("SKILL_REGISTRY_DATABASE_URL", url);
        }
        // Tests publish more in a minute than people do in a day.
        command.env("SKILL_REGISTRY_LIMITS_NEW_SKILLS_DAY", "0");
        command.arg("--data").arg(&self.data)
    }

    /// Where it answers.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Its data folder.
    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// The process id of the server, or of what wraps it.
    pub(crate) fn pid(&self) -> u32 {
        self.server.as_ref().unwrap().id()
    }

    /// GET of `path`, which has to be a JSON document.
    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> serde_json::Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let head =
            format!("GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", self.port);
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(" 200 "), "{path}: {head}");
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{path}: {error}: {body}"))
    }

    /// GET with a token; gives the status and the JSON that comes back.
    pub(crate) fn get_as(&self, token: &str, path: &str) -> (u16, serde_json::Value) {
        let request = format!(
            "GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n",
            self.port
        );
        self.asked(&request)
    }

    /// Posts JSON with a token; gives the status and the JSON that comes back.
    pub(crate) fn post(&self, token: &str, path: &str, body: &serde_json::Value) -> (u16, serde_json::Value) {
        let body = body.to_string();
        let request = format!(
            "POST {path} HTTP/1.0\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        );
        self.asked(&request)
    }

    fn asked(&self, request: &str) -> (u16, serde_json::Value) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
        (status, serde_json::from_str(body).unwrap_or_default())
    }

    /// Ends the server as a power cut would: no signal that it could handle.
    pub(crate) fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            end(&mut server);
        }
    }

    /// What the server has logged.
    pub(crate) fn log(&self) -> String {
        fs_err::read_to_string(self.log_path()).unwrap_or_default()
    }

    fn log_path(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// Adds a user with the publisher of that name; gives its token.
    pub(crate) fn publisher(&self, name: &str) -> String {
        self.admin(&["user", "add", name]);
        self.admin(&["token", "create", "--user", name]).trim().to_owned()
    }

    /// Runs an administrator's command on the data folder; gives its stdout.
    #[track_caller]
    pub(crate) fn admin(&self, args: &[&str]) -> String {
        let out = self.place(Command::new(program()).args(args)).output().unwrap();
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            eprintln!("the registry's log:\n{}", self.log());
        }
    }
}

/// Kills the server and what wraps it: a wrapper that dies alone leaves its program running.
fn end(server: &mut Child) {
    let group = rustix::process::Pid::from_child(server);
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    let _ = server.wait();
}

/// What cargo tells this program about its package: with it, `ring` would be built anew, and all that stands on it.
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

/// The registry's program. Cargo builds programs of this package only, so it is built once here.
pub(crate) fn program() -> PathBuf {
    static BUILD: Once = Once::new();
    BUILD.call_once(|| {
        let mut cargo = Command::new(env!("CARGO"));
        for name in OF_THIS_PACKAGE {
            cargo.env_remove(name);
        }
        let status = cargo
            .args(["build", "--quiet", "--package", "skill-registry", "--bin", "skill-registry"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .unwrap();
        assert!(status.success(), "skill-registry does not build");
    });
    Path::new(env!("CARGO_BIN_EXE_skill")).with_file_name("skill-registry")
}
