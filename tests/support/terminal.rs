//! `skill` on a terminal of its own.

use std::process::Command;

use super::{Output, Sandbox};

/// Runs a program on a pseudo-terminal of so many columns and prints what it showed.
const DRIVER: &str = r#"
import fcntl, os, pty, struct, sys, termios
columns, words = int(sys.argv[1]), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execv(words[0], words)
seen = b""
while True:
    try:
        data = os.read(fd, 4096)
    except OSError:
        break
    if not data:
        break
    seen += data
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(seen.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(status))
"#;

/// Runs a program on a pseudo-terminal and types a line once it asks.
const ANSWERING: &str = r#"
import os, pty, sys, re
ahead, prompt, typed, words = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
wait, go = os.pipe()
pid, fd = pty.fork()
if pid == 0:
    os.read(wait, 1)
    os.execv(words[0], words)
os.write(fd, ahead.encode())
os.write(go, b".")
seen, sent = b"", False
while True:
    try:
        data = os.read(fd, 4096)
    except OSError:
        break
    if not data:
        break
    seen += data
    if not sent and prompt.encode() in seen:
        os.write(fd, typed.encode())
        sent = True
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(seen.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(status))
"#;

impl Sandbox {
    /// Runs `skill` on a terminal of `columns` columns, without colour; stdout holds what it showed, without
    /// the frames of a progress line, which depend on how long things took.
    pub(crate) fn on_terminal(&self, columns: u16, args: &[&str]) -> Output {
        let out = self.driven(&[DRIVER, &columns.to_string()], args, "xterm");
        Output { stdout: without_frames(&out.stdout), ..out }
    }

    /// Runs `skill` on a terminal where `ahead` was typed before it began and `typed` is once `prompt` is there.
    pub(crate) fn answering(&self, args: &[&str], ahead: &str, prompt: &str, typed: &str) -> Output {
        self.driven(&[ANSWERING, ahead, prompt, typed], args, "dumb")
    }

    fn driven(&self, driver: &[&str], args: &[&str], terminal: &str) -> Output {
        let plain = self.command();
        let mut command = Command::new("/usr/bin/env");
        command.args(["python3", "-c"]).args(driver).arg(plain.get_program()).args(args);
        command.current_dir(self.work()).env_clear();
        for (name, value) in plain.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        command.env("NO_COLOR", "1").env("TERM", terminal);
        if let Some(path) = super::engine::environment("PATH") {
            command.env("PATH", path);
        }
        self.run(&mut command)
    }
}

/// A frame begins by clearing its line, and the next frame or the end clears it again.
fn without_frames(text: &str) -> String {
    let mut pieces = text.split("\r\u{1b}[K").peekable();
    let mut kept = pieces.next().unwrap_or_default().to_owned();
    while let Some(piece) = pieces.next() {
        let is_frame = pieces.peek().is_some() && !piece.contains('\n');
        if !is_frame {
            kept.push_str(piece);
        }
    }
    kept
}
