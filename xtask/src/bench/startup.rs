use std::process::Command;

use super::Bench;
use super::cost::{alone, in_turn};
use super::table::{Goal, Table, milliseconds};

/// A start takes about as long as the clock of the scheduler is fine: more pairs than elsewhere.
const PAIRS: usize = 41;
const PEAK: Goal = Goal::AtMost(12.0, " MiB");

/// Goal 1: `skill --version` beside `uv --version`.
pub(super) fn measure(bench: &Bench, table: &mut Table) -> anyhow::Result<()> {
    let mut ours = || {
        let mut command = Command::new(&bench.skill);
        command.arg("--version");
        Ok(command)
    };
    let Some(uv) = &bench.uv else {
        let sample = alone(PAIRS, &mut ours)?;
        table.skipped("1 start-up beside uv", "no uv on PATH or below ~/.pyenv");
        table.number("1 start-up", milliseconds(sample.wall()), Goal::None, 0.0);
        table.number("1 start-up, peak", format!("{:.1} MiB", sample.peak_mib()), PEAK, sample.peak_mib());
        return Ok(());
    };
    let mut other = || {
        let mut command = uv.command();
        command.arg("--version");
        Ok(command)
    };
    let (ours, other) = in_turn(PAIRS, &mut ours, &mut other)?;
    let other = ("uv --version", &other);
    table.walls("1 skill --version, wall", &ours, other, Goal::AtMost(0.6, "x"));
    table.cpus("1 skill --version, CPU", &ours, other);
    table.peaks("1 skill --version, peak", &ours, other, PEAK);
    Ok(())
}
