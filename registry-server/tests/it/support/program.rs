//! The program itself, as an operator starts it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How a program ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Exit code and both streams, for snapshots; the folder's name is left out.
    pub(crate) fn shown(&self, folder: &Path) -> String {
        let text = format!("{}\n{}{}", self.code.unwrap_or(-1), self.stdout, self.stderr);
        text.replace(&folder.display().to_string(), "DIR")
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skill-registry"));
    command.args(args).env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts the program and waits for nothing.
pub(crate) fn begun(args: &[&str]) -> Child {
    command(args).spawn().unwrap()
}

/// Runs the program to its end.
pub(crate) fn run(args: &[&str]) -> Ended {
    ended(&command(args).output().unwrap())
}

/// [`run`], with this on stdin.
pub(crate) fn run_with(args: &[&str], stdin: &[u8]) -> Ended {
    let mut child = command(args).stdin(Stdio::piped()).spawn().unwrap();
    // It may have ended without reading.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    ended(&child.wait_with_output().unwrap())
}

fn ended(output: &Output) -> Ended {
    Ended {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout.clone()).unwrap(),
        stderr: String::from_utf8(output.stderr.clone()).unwrap(),
    }
}

/// A registry that runs in a process of its own; killed when dropped.
pub(crate) struct Server {
    child: Child,
    /// `http://ADDR:PORT`.
    pub(crate) url: String,
    stdout: BufReader<std::process::ChildStdout>,
}

impl Server {
    /// Starts a server on a free port and waits until it says where it listens.
    pub(crate) fn start(data: &Path, more: &[&str]) -> Self {
        let mut child = Self::spawn(data, more);
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let Some(url) = line.trim_end().strip_prefix("listening on ").map(str::to_owned) else {
            let mut stderr = String::new();
            child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
            panic!("the first line was {line:?}; {stderr}")
        };
        Self { child, url, stdout }
    }

    /// Starts a server and waits for nothing.
    pub(crate) fn spawn(data: &Path, more: &[&str]) -> Child {
        let data = data.to_str().unwrap();
        command(&["serve", "--data", data, "--listen", "127.0.0.1:0"]).args(more).spawn().unwrap()
    }

    /// Sends a signal and waits for the end.
    pub(crate) fn stop(mut self, signal: &str) -> Ended {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.stdout.read_to_string(&mut stdout).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        Ended { code: self.child.wait().unwrap().code(), stdout, stderr }
    }

    /// One GET over a socket; the whole answer as text.
    pub(crate) fn get(&self, path: &str) -> String {
        let address = self.url.strip_prefix("http://").unwrap();
        let mut socket = std::net::TcpStream::connect(address).unwrap();
        write!(socket, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until `holds`, for at most a minute.
pub(crate) fn until(mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_mins(1), "it did not come to hold within a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
}
