//! What a command costs as a whole process, with everything that it starts and waits for.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

/// The command of this program that [`Cost::of`] runs: it starts its arguments as one child, and prints
/// what `getrusage(RUSAGE_CHILDREN)` says at the end. The peak there is that of the largest child, so a
/// process of its own has to ask.
pub(crate) const MEASURE: &str = "measure";

/// Runs `args` to its end and prints `<wall µs> <CPU µs> <peak KiB>`.
pub(crate) fn measure(args: &[String]) -> anyhow::Result<()> {
    let (program, args) = args.split_first().context("measure takes a command")?;
    let mut command = Command::new(program);
    // cargo's path to its libraries is not what a user's programs are started with.
    command.args(args).env_remove("LD_LIBRARY_PATH").stdin(Stdio::null()).stdout(Stdio::null());
    let began = Instant::now();
    let status = command.status().with_context(|| format!("cannot start {program}"))?;
    let wall = began.elapsed();
    ensure!(status.success(), "{program} ended with {status}");
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    crate::workspace::say(&format!("{} {} {}", wall.as_micros(), cpu(&usage).as_micros(), usage.max_rss()));
    Ok(())
}

/// CPU time so far, in user and kernel, of the children of this process that have ended.
pub(super) fn children_cpu() -> anyhow::Result<Duration> {
    Ok(cpu(&getrusage(UsageWho::RUSAGE_CHILDREN)?))
}

fn cpu(usage: &Usage) -> Duration {
    let microseconds = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Duration::from_micros(microseconds.unsigned_abs())
}

/// The cost of one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    wall: Duration,
    cpu: Duration,
    peak_kib: u64,
}

impl Cost {
    /// Runs `command` to its end, its output thrown away; it has to end with 0.
    fn of(command: &Command) -> anyhow::Result<Self> {
        let mut measured = Command::new(std::env::current_exe()?);
        measured.arg(MEASURE).arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => measured.env(name, value),
                None => measured.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            measured.current_dir(folder);
        }
        let out = String::from_utf8(super::done(&mut measured)?)?;
        let mut numbers = out.split_whitespace().map(str::parse);
        let mut next = || numbers.next().context("a number is missing")?.context("not a number");
        Ok(Self {
            wall: Duration::from_micros(next()?),
            cpu: Duration::from_micros(next()?),
            peak_kib: next()?,
        })
    }
}

/// The costs of several runs of one command.
#[derive(Debug, Default)]
pub(super) struct Sample(Vec<Cost>);

impl Sample {
    /// Median of the wall times.
    pub(super) fn wall(&self) -> Duration {
        self.median(|cost| cost.wall)
    }

    /// The shortest wall time.
    pub(super) fn best(&self) -> Duration {
        self.0.iter().map(|cost| cost.wall).min().unwrap_or_default()
    }

    /// Median of user and kernel time together.
    pub(super) fn cpu(&self) -> Duration {
        self.median(|cost| cost.cpu)
    }

    /// The largest resident memory of any run, in MiB.
    pub(super) fn peak_mib(&self) -> f64 {
        self.0.iter().map(|cost| cost.peak_kib).max().unwrap_or_default() as f64 / 1024.0
    }

    fn median(&self, of: impl Fn(&Cost) -> Duration) -> Duration {
        let mut all: Vec<Duration> = self.0.iter().map(of).collect();
        all.sort_unstable();
        all.get(all.len() / 2).copied().unwrap_or_default()
    }
}

/// Makes ready, outside of the measured time, and gives the command to measure.
pub(super) type Prepare<'a> = &'a mut dyn FnMut() -> anyhow::Result<Command>;

/// Runs both in turn, `pairs` times, so that whatever else the machine does meets both.
pub(super) fn in_turn(
    pairs: usize,
    ours: Prepare<'_>,
    other: Prepare<'_>,
) -> anyhow::Result<(Sample, Sample)> {
    let mut samples = (Sample::default(), Sample::default());
    for _ in 0..pairs {
        samples.0.0.push(Cost::of(&ours()?)?);
        samples.1.0.push(Cost::of(&other()?)?);
    }
    Ok(samples)
}

/// Runs one alone, where there is nothing to compare with.
pub(super) fn alone(runs: usize, ours: Prepare<'_>) -> anyhow::Result<Sample> {
    (0..runs).map(|_| Cost::of(&ours()?)).collect::<anyhow::Result<_>>().map(Sample)
}
