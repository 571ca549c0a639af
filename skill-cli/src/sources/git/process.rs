//! One run of a program: without a terminal, fed, read up to a limit, and ended with everything it started
//! when its time is up or when nobody waits for it any more.

use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessSession};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// How often a folder is measured while a program fills it.
const MEASURE: Duration = Duration::from_millis(100);
/// How often a program is looked at that has closed its stdout and is about to end.
const TICK: Duration = Duration::from_millis(2);
/// How long stderr may stay open once the program has ended: a connection that ssh keeps for the next command
/// holds it.
const GRACE: Duration = Duration::from_millis(300);
/// Bytes of stderr that are kept.
const STDERR_CAP: u64 = 64 << 10;

/// What bounds a run.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    /// Bytes of stdout.
    pub stdout: u64,
    /// When it is over.
    pub deadline: Instant,
    /// A folder, and the bytes that it may come to hold.
    pub folder: Option<(PathBuf, u64)>,
}

/// How a run ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

/// How a run was ended.
#[derive(Debug)]
pub(super) enum Broken {
    /// There is no such program.
    Absent,
    /// The system could not run or feed it.
    Io(io::Error),
    /// Its time was up.
    TimeUp,
    /// It said or stored more than this many bytes.
    TooMuch(u64),
}

/// Runs `command`, whose arguments and environment are set, with `input` on its stdin. It gets a session of its
/// own, so that neither it nor anything that it starts has a terminal to ask at.
pub(super) async fn run(mut command: Command, input: Vec<u8>, bounds: Bounds) -> Result<Ended, Broken> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = CommandWrap::from(command).wrap(ProcessSession).spawn();
    let child = child.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Broken::Absent,
        _ => Broken::Io(error),
    })?;
    let mut group = Group::of(child);
    let ended = tokio::select! {
        ended = group.finish(input, bounds.stdout) => ended?,
        () = sleep_until(bounds.deadline) => return Err(Broken::TimeUp),
        limit = too_big(bounds.folder.clone()) => return Err(Broken::TooMuch(limit)),
    };
    // It may have been faster than the measure.
    match bounds.folder {
        Some((folder, limit)) if bytes_in(&folder) > limit => Err(Broken::TooMuch(limit)),
        _ => Ok(ended),
    }
}

/// A program with everything that it starts. All of it is killed when this value goes before its end.
struct Group {
    child: Box<dyn ChildWrapper>,
    leader: Option<Pid>,
}

impl Group {
    fn of(child: Box<dyn ChildWrapper>) -> Self {
        let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Self { child, leader }
    }

    async fn finish(&mut self, input: Vec<u8>, cap: u64) -> Result<Ended, Broken> {
        let stdin = self.child.stdin().take().map(ChildStdin::from_std).transpose().map_err(Broken::Io)?;
        let stdout = self.child.stdout().take().map(ChildStdout::from_std).transpose().map_err(Broken::Io)?;
        let stderr = self.child.stderr().take().map(ChildStderr::from_std).transpose().map_err(Broken::Io)?;
        let feed = async {
            if let Some(mut stdin) = stdin {
                // A program that ends without reading says why on stderr.
                let _ = stdin.write_all(&input).await;
                let _ = stdin.shutdown().await;
            }
            Ok(())
        };
        let (mut said, mut complaint) = (Vec::new(), Vec::new());
        let status = {
            let listen = listen(stderr, &mut complaint);
            let finish = async {
                let hear = async {
                    let mut stdout = stdout;
                    if let Some(stdout) = &mut stdout {
                        stdout.take(cap + 1).read_to_end(&mut said).await.map_err(Broken::Io)?;
                    }
                    // Who says more than that is not listened to until it has no more to say.
                    if said.len() as u64 > cap { Err(Broken::TooMuch(cap)) } else { Ok(()) }
                };
                tokio::try_join!(feed, hear)?;
                self.ended().await.map_err(Broken::Io)
            };
            tokio::pin!(listen, finish);
            tokio::select! {
                status = &mut finish => {
                    let _ = timeout(GRACE, listen.as_mut()).await;
                    status
                }
                _ = &mut listen => finish.await,
            }
        };
        let status = status?;
        Ok(Ended { status, stdout: said, stderr: String::from_utf8_lossy(&complaint).into_owned() })
    }

    /// Waits for the program itself, by its own number and not by its group's: what it left running for the
    /// user is none of its end.
    async fn ended(&mut self) -> io::Result<ExitStatus> {
        loop {
            if let Some(status) = self.child.inner_mut().try_wait()? {
                self.leader = None;
                return Ok(status);
            }
            sleep(TICK).await;
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.leader {
            // It may have ended this moment; killed, it ends at once, and is not left as a dead entry.
            let _ = kill_process_group(leader, Signal::KILL);
            let _ = self.child.inner_mut().wait();
        }
    }
}

/// Reads to the end, and keeps the first [`STDERR_CAP`] bytes.
async fn listen(stream: Option<ChildStderr>, bytes: &mut Vec<u8>) -> io::Result<()> {
    let Some(stream) = stream else { return Ok(()) };
    let mut limited = stream.take(STDERR_CAP);
    limited.read_to_end(bytes).await?;
    // What comes beyond is read past, so that the program does not wait for a reader.
    tokio::io::copy(&mut limited.into_inner(), &mut tokio::io::sink()).await.map(drop)
}

/// Comes with the limit when a folder holds more than that; never without one.
async fn too_big(folder: Option<(PathBuf, u64)>) -> u64 {
    let Some((folder, limit)) = folder else { return std::future::pending().await };
    loop {
        sleep(MEASURE).await;
        if bytes_in(&folder) > limit {
            return limit;
        }
    }
}

fn bytes_in(folder: &std::path::Path) -> u64 {
    let entries = fs_err::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(stdout: u64, seconds: u64) -> Bounds {
        Bounds { stdout, deadline: Instant::now() + Duration::from_secs(seconds), folder: None }
    }

    fn shell(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    #[tokio::test]
    async fn what_it_says_comes_back() {
        let ended = run(shell("cat; echo no >&2; exit 3"), b"hello".to_vec(), bounds(100, 60)).await.unwrap();
        assert_eq!((ended.stdout.as_slice(), ended.stderr.as_str()), (&b"hello"[..], "no\n"));
        assert_eq!(ended.status.code(), Some(3));
    }

    #[tokio::test]
    async fn a_flood_and_a_program_that_is_not_there_are_told() {
        for script in ["yes | head -c 100000", "exec yes", "yes & exec sleep 600"] {
            let flood = run(shell(script), Vec::new(), bounds(1000, 60)).await;
            assert!(matches!(flood, Err(Broken::TooMuch(1000))), "{script}: {flood:?}");
        }
        let absent = run(Command::new("/nonexistent/git"), Vec::new(), bounds(1, 60)).await;
        assert!(matches!(absent, Err(Broken::Absent)), "{absent:?}");
    }

    #[tokio::test]
    async fn a_folder_that_grows_beyond_its_bound_ends_it_however_fast_it_was() {
        let folder = tempfile::tempdir().unwrap();
        for script in ["head -c 2000 /dev/zero > f", "head -c 2000 /dev/zero > f; sleep 600"] {
            let mut command = shell(script);
            command.current_dir(folder.path());
            let bound = Some((folder.path().to_owned(), 1000));
            let ended = run(command, Vec::new(), Bounds { folder: bound, ..bounds(100, 60) }).await;
            assert!(matches!(ended, Err(Broken::TooMuch(1000))), "{script}: {ended:?}");
        }
    }

    /// As ssh leaves a connection for the next command, with the stderr that it was given.
    #[tokio::test]
    async fn what_it_leaves_running_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let script = format!("sleep 600 > {} & echo said >&2; echo $!", file.display());
        let ended = run(shell(&script), Vec::new(), bounds(100, 60)).await.unwrap();
        assert_eq!(ended.stderr, "said\n");
        let pid = String::from_utf8(ended.stdout).unwrap().trim().parse().unwrap();
        rustix::process::kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
    }

    #[tokio::test]
    async fn its_children_end_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let script = format!("sleep 600 & echo $! > {}; wait", file.display());
        let ended = run(shell(&script), Vec::new(), bounds(1000, 1)).await;
        assert!(matches!(ended, Err(Broken::TimeUp)), "{ended:?}");
        let pid: i32 = fs_err::read_to_string(&file).unwrap().trim().parse().unwrap();
        let pid = Pid::from_raw(pid).unwrap();
        for _ in 0..200 {
            if rustix::process::test_kill_process(pid).is_err() {
                return;
            }
            sleep(Duration::from_millis(50)).await;
        }
        let status =
            fs_err::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
        assert!(status.contains(") Z"), "the child of the program still runs: {status}");
    }
}
