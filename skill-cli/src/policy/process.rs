//! Runs a policy program: bounded in time and output, and ended with everything that it started.

use std::ffi::OsString;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessSession};
use rustix::process::Pid;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::{Instant, sleep, sleep_until};

use super::command::Checked;
use super::family::{self, Family};

/// How long what is left of a program may take to end by itself once the program has ended.
const GRACE: Duration = Duration::from_millis(300);
/// How much is read at once.
const CHUNK: usize = 8192;
/// How often the program is looked at.
const TICK: Duration = Duration::from_millis(10);

/// What a run may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds from start to end.
    pub wall_ms: u64,
    /// Milliseconds without a byte of output.
    pub silence_ms: u64,
    /// Bytes on stdout and stderr together.
    pub output_bytes: u64,
}

/// A run that gives no answer. The words are the contract's (1.7).
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// The system did not start it.
    #[error("policy command cannot be started: {0}")]
    Spawn(io::Error),
    /// It ran too long.
    #[error("policy command timed out after {0}ms")]
    Timeout(u64),
    /// It said nothing for too long.
    #[error("policy command produced no output for {0}ms")]
    Silent(u64),
    /// It said too much.
    #[error("policy command output exceeded maxOutputBytes ({0})")]
    Output(u64),
    /// It ended with another code than 0.
    #[error("policy command exited with code {0}")]
    Exit(i32),
    /// It was killed.
    #[error("policy command was killed by signal {0}")]
    Signal(i32),
    /// It ended, and something that it started did not.
    #[error("policy command left {0} running behind it, which was ended")]
    Left(String),
    /// Something that it started could not be ended.
    #[error("policy command left {0} running behind it, which could not be ended")]
    Unending(String),
    /// What it starts could not be found.
    #[error("what the policy command starts cannot be seen: {0}")]
    Unseen(io::Error),
    /// Its pipes broke.
    #[error("policy command could not be heard: {0}")]
    Pipe(io::Error),
}

/// Runs a program with `input` on its stdin; gives what it prints on stdout. Dropped, it ends the
/// program and everything that it started.
///
/// # Errors
/// Whatever is not an end with code 0 within the limits and with nothing left behind.
pub(super) async fn run(
    program: &Checked,
    args: &[String],
    env: &[(OsString, OsString)],
    input: &[u8],
    limits: Limits,
) -> Result<Vec<u8>, Broken> {
    let mut running = Running::start(program, args, env)?;
    let answer = running.hear(input, limits).await;
    let left = running.left_behind(answer.is_ok()).await;
    let unending = running.family.end().map_err(Broken::Unseen)?;
    if unending > 0 {
        return Err(Broken::Unending(counted(unending)));
    }
    let stdout = answer?;
    match left.map_err(Broken::Unseen)? {
        0 => Ok(stdout),
        left => Err(Broken::Left(counted(left))),
    }
}

fn counted(count: usize) -> String {
    crate::text::number::counted(count, "process", "processes")
}

struct Running {
    child: Box<dyn ChildWrapper>,
    family: Family,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
}

impl Running {
    fn start(program: &Checked, args: &[String], env: &[(OsString, OsString)]) -> Result<Self, Broken> {
        let others = family::children().map_err(Broken::Unseen)?;
        let mut command = std::process::Command::new(&program.command);
        command
            .args(args)
            .current_dir(&program.folder)
            .env_clear()
            .envs(env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = CommandWrap::from(command).wrap(ProcessSession).spawn().map_err(Broken::Spawn)?;
        let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let family = Family::of(id.ok_or_else(|| Broken::Spawn(io::ErrorKind::NotFound.into()))?, others);
        let stdin = child.stdin().take().map(ChildStdin::from_std).transpose().map_err(Broken::Pipe)?;
        let stdout = child.stdout().take().map(ChildStdout::from_std).transpose().map_err(Broken::Pipe)?;
        let stderr = child.stderr().take().map(ChildStderr::from_std).transpose().map_err(Broken::Pipe)?;
        Ok(Self { child, family, stdin, stdout, stderr })
    }

    /// Whether the program has ended; it is waited for by its own number, never by its group's.
    fn ended(&mut self) -> Result<Option<ExitStatus>, Broken> {
        let status = self.child.inner_mut().try_wait().map_err(Broken::Pipe)?;
        self.family.reaped |= status.is_some();
        Ok(status)
    }

    async fn hear(&mut self, input: &[u8], limits: Limits) -> Result<Vec<u8>, Broken> {
        let start = Instant::now();
        let wall = start + Duration::from_millis(limits.wall_ms);
        let mut pipes = Pipes::of(self.stdout.take(), self.stderr.take(), start);
        let mut stdin = self.stdin.take();
        let write = async {
            if let Some(mut stdin) = stdin.take() {
                // A program that decides without reading is within its rights.
                let _ = stdin.write_all(input).await;
            }
        };
        tokio::pin!(write);
        let mut writing = true;
        let mut ended = None;
        loop {
            let silence = pipes.heard + Duration::from_millis(limits.silence_ms);
            tokio::select! {
                biased;
                () = sleep_until(wall) => return Err(Broken::Timeout(limits.wall_ms)),
                () = sleep_until(silence), if ended.is_none() => return Err(Broken::Silent(limits.silence_ms)),
                read = pipes.read(), if pipes.are_open() => read?,
                () = &mut write, if writing => writing = false,
                () = sleep(TICK) => self.family.look().map_err(Broken::Unseen)?,
            }
            if pipes.total > limits.output_bytes {
                return Err(Broken::Output(limits.output_bytes));
            }
            if ended.is_none() {
                ended = self.ended()?.map(|status| (status, Instant::now()));
            }
            // What keeps the pipes open after that was left behind.
            if let Some((status, at)) = ended
                && (!pipes.are_open() || at.elapsed() > GRACE)
            {
                return code(status).map(|()| pipes.answer);
            }
        }
    }

    /// How many members of the family outlive the program and the time of grace.
    async fn left_behind(&mut self, wait: bool) -> io::Result<usize> {
        let until = Instant::now() + GRACE;
        loop {
            let left = self.family.left()?;
            if left == 0 || !wait || Instant::now() >= until {
                return Ok(left);
            }
            sleep(TICK).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.family.end();
        // Killed, it ends at once; without this it would stay as a dead entry of the system's table.
        let _ = self.child.inner_mut().wait();
    }
}

/// Both pipes of a program, and what came out of them.
struct Pipes {
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    out: Vec<u8>,
    err: Vec<u8>,
    /// What was printed on stdout.
    answer: Vec<u8>,
    /// Bytes of both.
    total: u64,
    /// When the last byte came.
    heard: Instant,
}

impl Pipes {
    fn of(stdout: Option<ChildStdout>, stderr: Option<ChildStderr>, start: Instant) -> Self {
        let (out, err) = (vec![0; CHUNK], vec![0; CHUNK]);
        Self { stdout, stderr, out, err, answer: Vec::new(), total: 0, heard: start }
    }

    fn are_open(&self) -> bool {
        self.stdout.is_some() || self.stderr.is_some()
    }

    /// Takes what one of them has.
    async fn read(&mut self) -> Result<(), Broken> {
        let count = tokio::select! {
            count = read(self.stdout.as_mut(), &mut self.out), if self.stdout.is_some() => {
                let count = count?;
                self.answer.extend_from_slice(&self.out[..count]);
                if count == 0 {
                    self.stdout = None;
                }
                count
            }
            count = read(self.stderr.as_mut(), &mut self.err), if self.stderr.is_some() => {
                let count = count?;
                if count == 0 {
                    self.stderr = None;
                }
                count
            }
            else => 0,
        };
        self.total += count as u64;
        if count > 0 {
            self.heard = Instant::now();
        }
        Ok(())
    }
}

async fn read(pipe: Option<&mut (impl AsyncRead + Unpin)>, buffer: &mut [u8]) -> Result<usize, Broken> {
    match pipe {
        Some(pipe) => pipe.read(buffer).await.map_err(Broken::Pipe),
        None => Ok(0),
    }
}

fn code(status: ExitStatus) -> Result<(), Broken> {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(0), _) => Ok(()),
        (Some(code), _) => Err(Broken::Exit(code)),
        (None, signal) => Err(Broken::Signal(signal.unwrap_or_default())),
    }
}
