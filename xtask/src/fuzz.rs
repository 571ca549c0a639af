//! `cargo xtask fuzz`: the fuzz targets, one after another, each from its seeds on.

use anyhow::Context as _;
use std::process::Command;

use crate::workspace::{self, say};

/// How long each target runs if nobody says, in seconds.
const SECONDS: u64 = 300;

/// The longest input of each target, in bytes. Without it the fuzzer goes no further than its longest seed, or 4 KiB, and
/// what is behind a limit is never reached.
const LONGEST: &[(&str, usize)] = &[
    ("answer", 128 << 10),
    ("archive", 512 << 10),
    ("envelope", 80 << 10),
    ("frontmatter", 300_000),
    ("lint", 300_000),
    ("lock", 64 << 10),
    ("reference", 8 << 10),
];

/// Runs the targets named in `args`, all if none is; `--seconds N` says for how long each.
///
/// What a run has learned stays in `fuzz/corpus` (not kept by git), so that the next one goes on from
/// there. An input that breaks a rule is written to `fuzz/artifacts` and ends the run; it belongs
/// into `fuzz/seeds`, where the tests of the crates hold it for ever.
pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let (targets, seconds) = read(args, &targets()?)?;
    for target in &targets {
        say(&format!("fuzz {target}, {seconds} s"));
        let corpus = workspace::root().join("fuzz/corpus").join(target);
        fs_err::create_dir_all(&corpus)?;
        let mut fuzz = Command::new("rustup");
        fuzz.args(["run", "nightly", "cargo", "fuzz", "run", target]);
        fuzz.arg(corpus).arg(workspace::root().join("fuzz/seeds").join(target));
        fuzz.arg("--").arg(format!("-max_total_time={seconds}"));
        let longest = LONGEST.iter().find(|(name, _)| name == target);
        let (_, bytes) =
            longest.with_context(|| format!("how long an input of {target} may be is not said"))?;
        fuzz.arg(format!("-max_len={bytes}"));
        // An input may take no more memory than a client has to spare, nor more than ten seconds. What was freed is
        // not counted: the sanitizer would keep a quarter of a gigabyte of it.
        fuzz.args(["-malloc_limit_mb=128", "-rss_limit_mb=512", "-timeout=10", "-print_final_stats=1"]);
        fuzz.env("ASAN_OPTIONS", "quarantine_size_mb=16");
        fuzz.current_dir(workspace::root());
        workspace::run(&mut fuzz).context(
            "fuzzing needs `rustup toolchain install nightly`, `cargo install cargo-fuzz` and a C++ compiler; \
             an input that broke a rule is below fuzz/artifacts",
        )?;
    }
    Ok(())
}

/// Every target, by name.
fn targets() -> anyhow::Result<Vec<String>> {
    let mut targets = Vec::new();
    for entry in fs_err::read_dir(workspace::root().join("fuzz/fuzz_targets"))? {
        let name = entry?.file_name().into_string().unwrap_or_default();
        targets.extend(name.strip_suffix(".rs").map(str::to_owned));
    }
    targets.sort();
    Ok(targets)
}

fn read(args: &[String], known: &[String]) -> anyhow::Result<(Vec<String>, u64)> {
    let mut targets = Vec::new();
    let mut seconds = SECONDS;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--seconds" {
            seconds =
                args.next().and_then(|number| number.parse().ok()).context("--seconds takes a number")?;
        } else if known.contains(arg) {
            targets.push(arg.clone());
        } else {
            anyhow::bail!("no fuzz target named {arg}; there are {}", known.join(", "));
        }
    }
    Ok((if targets.is_empty() { known.to_vec() } else { targets }, seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_a_longest_input() {
        let said: Vec<_> = LONGEST.iter().map(|(target, _)| *target).collect();
        assert_eq!(said, targets().unwrap());
    }
}
