//! The commands of the README: `cargo xtask demo`, `cargo xtask test`, `cargo xtask bench`,
//! `cargo xtask fuzz`, `cargo xtask laws`.

use std::process::ExitCode;

mod bench;
mod browser;
mod demo;
mod examples;
mod fuzz;
mod laws;
mod postgres;
mod registry;
mod test;
mod workspace;

const USAGE: &str = "\
Usage: cargo xtask <COMMAND>

  demo [--once]   Publish, install, tamper and verify with real programs, then
                  serve until Ctrl-C
  test [--browser [--corpus]] [--install-browser] [ARG...]
                  Every test; says what it had to skip and why. Of Rust alone
                  those that ARG picks for cargo test; with --browser only the
                  journeys in Chromium, with --corpus through real skills
  bench           Figures of both programs, each beside a known one in the same run
  fuzz [TARGET...] [--seconds N]
                  The fuzz targets, 300 s each (needs a nightly toolchain)
  laws [PACKAGE...] [--seed N] [--times N]
                  The properties from other seeds than the fixed one, 20 of them
";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next();
    let rest: Vec<String> = args.collect();
    let outcome = match command.as_deref() {
        Some("demo") => demo::run_demo(&rest),
        Some("test") => test::run(&rest),
        Some("fuzz") => fuzz::run(&rest),
        Some("laws") => laws::run(&rest),
        Some("bench") => bench::run(&rest),
        Some(bench::MEASURE) => bench::measure(&rest),
        Some("-h" | "--help" | "help") => {
            workspace::say(USAGE);
            Ok(())
        }
        other => Err(anyhow::anyhow!("{}\n\n{USAGE}", unknown(other))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            workspace::complain(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn unknown(command: Option<&str>) -> String {
    command.map_or_else(|| "no command given".to_owned(), |name| format!("no command named {name}"))
}
