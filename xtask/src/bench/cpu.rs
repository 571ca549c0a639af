use std::time::Duration;

use anyhow::Context as _;

use crate::registry::Registry;

/// Ticks of `/proc/PID/stat` in a second: `USER_HZ`, 100 wherever Rust's Linux targets run.
const TICKS: u64 = 100;

impl Registry {
    /// Does `work`; gives what it gave, and the CPU time that the registry spent meanwhile.
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
        let stat = fs_err::read_to_string(format!("/proc/{}/stat", self.process()))?;
        // The name, in brackets, may hold anything; the first field after it is the third.
        let (_, fields) = stat.rsplit_once(')').context("/proc/PID/stat without a name")?;
        let ticks: Vec<u64> =
            fields.split_whitespace().skip(11).take(2).filter_map(|n| n.parse().ok()).collect();
        Ok(Duration::from_millis(ticks.iter().sum::<u64>() * 1000 / TICKS))
    }
}
