//! The one place that reads environment, HOME, current folder, clock and terminals.

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use jiff::Timestamp;
use skill_cli::context::{Clock, Stop, Terminal, World};

/// The facts as they are now.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the world")]
pub(crate) fn collect() -> World {
    let terminal = Terminal {
        stdin: std::io::stdin().is_terminal(),
        stdout: std::io::stdout().is_terminal(),
        stderr: std::io::stderr().is_terminal(),
        columns: columns(),
    };
    World {
        env: std::env::vars_os().collect(),
        home: std::env::home_dir().filter(|home| !home.as_os_str().is_empty()),
        cwd: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
        terminal,
        clock: Clock::new(Timestamp::now),
        system_config: PathBuf::from("/etc/skill/config.toml"),
        system_owner: 0,
        stop: stop(),
    }
}

/// Makes this process the one that its descendants' orphans come to, so that what an install policy's
/// program leaves behind can be found and ended. Without it (macOS) their group alone is known.
pub(crate) fn keep_orphans() {
    #[cfg(target_os = "linux")]
    {
        // Where the system refuses, orphans go elsewhere as they always did.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    }
}

/// Columns of the terminal that stderr or stdout is.
fn columns() -> Option<u16> {
    [rustix::termios::tcgetwinsize(std::io::stderr()), rustix::termios::tcgetwinsize(std::io::stdout())]
        .into_iter()
        .find_map(|size| size.ok().map(|size| size.ws_col).filter(|columns| *columns > 0))
}

/// What the user or the system asks with to stop.
const SIGNALS: [i32; 3] =
    [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP];

/// Is set by every such signal from now on.
fn stop() -> Stop {
    let stop = Stop::default();
    for signal in SIGNALS {
        // Where the system refuses, the signal ends the program as it always did.
        let _ = signal_hook::flag::register(signal, stop.flag());
    }
    stop
}

/// Comes when the user or the system asks the program to stop, or has asked already.
pub(crate) async fn interrupt(stop: Stop) {
    use tokio::signal::unix::{SignalKind, signal};

    let kinds = SIGNALS.map(SignalKind::from_raw);
    let mut signals: Vec<_> = kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect();
    if stop.asked() {
        return;
    }
    if signals.is_empty() {
        return std::future::pending().await;
    }
    std::future::poll_fn(|context| {
        let came = signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
        if came { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}

/// The system gave no means to wait for anything: nothing can be done.
pub(crate) fn no_runtime(error: &std::io::Error) -> ExitCode {
    // If stderr is closed too there is nobody left to tell.
    let _ =
        writeln!(std::io::stderr(), "error[internal]: the system refuses an event queue\n  because: {error}");
    ExitCode::FAILURE
}
