//! One run of a program: fed, read up to a limit, and ended with everything it started when its time is up
//! or when nobody waits for it any more.

use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};
use tokio::time::Instant;

/// How often a folder is measured while a program fills it.
const MEASURE: Duration = Duration::from_millis(100);
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
    /// It said or stored more than it may.
    TooMuch,
}

/// Runs `command`, whose arguments and environment are set, with `input` on its stdin.
pub(super) async fn run(mut command: Command, input: Vec<u8>, bounds: Bounds) -> Result<Ended, Broken> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    let child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Broken::Absent,
        _ => Broken::Io(error),
    })?;
    let mut group = Group::of(child);
    let over = tokio::time::sleep_until(bounds.deadline);
    tokio::select! {
        ended = group.finish(input, bounds.stdout) => ended,
        () = over => Err(Broken::TimeUp),
        () = too_big(bounds.folder) => Err(Broken::TooMuch),
    }
}

/// A program with everything that it starts. All of it is killed when this value goes before its end.
struct Group {
    child: Child,
    leader: Option<Pid>,
}

impl Group {
    fn of(child: Child) -> Self {
        let leader = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        Self { child, leader }
    }

    async fn finish(&mut self, input: Vec<u8>, cap: u64) -> Result<Ended, Broken> {
        let (stdin, stdout, stderr) =
            (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take());
        let feed = async {
            if let Some(mut stdin) = stdin {
                // A program that ends without reading says why on stderr.
                let _ = stdin.write_all(&input).await;
                let _ = stdin.shutdown().await;
            }
        };
        let ((), stdout, stderr) = tokio::join!(feed, read(stdout, cap + 1), read(stderr, STDERR_CAP));
        let stdout = stdout.map_err(Broken::Io)?;
        if stdout.len() as u64 > cap {
            return Err(Broken::TooMuch);
        }
        let stderr = String::from_utf8_lossy(&stderr.unwrap_or_default()).into_owned();
        let status = self.child.wait().await.map_err(Broken::Io)?;
        self.leader = None;
        Ok(Ended { status, stdout, stderr })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.leader {
            // It may have ended this moment.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

async fn read(stream: Option<impl AsyncRead + Unpin>, cap: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        let mut limited = stream.take(cap);
        limited.read_to_end(&mut bytes).await?;
        if bytes.len() as u64 == cap {
            // What comes beyond is read past, so that the program does not wait for a reader.
            tokio::io::copy(&mut limited.into_inner().take(cap), &mut tokio::io::sink()).await?;
        }
    }
    Ok(bytes)
}

/// Comes when a folder holds more than it may; never without one.
async fn too_big(folder: Option<(PathBuf, u64)>) {
    let Some((folder, limit)) = folder else { return std::future::pending().await };
    loop {
        tokio::time::sleep(MEASURE).await;
        if bytes_in(&folder) > limit {
            return;
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
        let flood = run(shell("yes | head -c 100000"), Vec::new(), bounds(1000, 60)).await;
        assert!(matches!(flood, Err(Broken::TooMuch)), "{flood:?}");
        let absent = run(Command::new("/nonexistent/git"), Vec::new(), bounds(1, 60)).await;
        assert!(matches!(absent, Err(Broken::Absent)), "{absent:?}");
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
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let status =
            fs_err::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
        assert!(status.contains(") Z"), "the child of the program still runs: {status}");
    }
}
