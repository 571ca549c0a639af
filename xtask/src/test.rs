//! `cargo xtask test`: every test, and a plain word about what was skipped.

use crate::browser::{self, Browser, Journeys};
use crate::postgres::Postgres;
use crate::workspace::{self, cargo, env, say};

/// What was asked for.
struct Wanted {
    rust: bool,
    journeys: Option<Journeys>,
    install: bool,
    /// Goes to `cargo test`.
    rest: Vec<String>,
}

impl Wanted {
    fn read(args: &[String]) -> anyhow::Result<Self> {
        let (own, rest): (Vec<&String>, Vec<&String>) = args
            .iter()
            .partition(|arg| matches!(arg.as_str(), "--browser" | "--corpus" | "--install-browser"));
        let has = |flag: &str| own.iter().any(|arg| *arg == flag);
        let rest: Vec<String> = rest.into_iter().cloned().collect();
        // A filter, a package or the like asks for some Rust tests alone.
        let narrow = rest.iter().any(|arg| !matches!(arg.as_str(), "--locked" | "--offline" | "--frozen"));
        anyhow::ensure!(!(narrow && has("--browser")), "--browser runs no Rust tests, so it takes no filter");
        let corpus = has("--corpus");
        anyhow::ensure!(!corpus || has("--browser"), "--corpus goes with --browser");
        anyhow::ensure!(
            !corpus || env("CORPUS_DIR").is_some(),
            "--corpus reads CORPUS_DIR, which is not set"
        );
        let journeys = if corpus { Journeys::RealSkills } else { Journeys::Every };
        Ok(Self {
            rust: !has("--browser"),
            journeys: (!narrow).then_some(journeys),
            install: has("--install-browser"),
            rest,
        })
    }
}

/// Runs the tests of the workspace, then the journeys in a browser. `--browser` leaves out the first; `--corpus`
/// beside it shows real skills instead; `--install-browser` installs what the journeys need before. The rest of
/// `args` goes to `cargo test` (a filter, `-- --nocapture`); if it picks some tests, the journeys are left out.
///
/// Tests that need something this machine lacks are skipped and named; in CI (`CI` is set) a
/// skip is a failure.
pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let wanted = Wanted::read(args)?;
    if wanted.install {
        browser::install()?;
    }
    let mut skipped = Vec::new();
    let postgres = match env("TEST_POSTGRES_URL") {
        _ if !wanted.rust => None,
        Some(url) => Some((url, None)),
        None => Postgres::start()?.map(|server| (server.url(), Some(server))),
    };
    if wanted.rust && postgres.is_none() {
        skipped.push(
            "store, publish and crash tests on Postgres: no Postgres found (install the package postgresql, \
             or set TEST_POSTGRES_URL to a superuser's URL)"
                .to_owned(),
        );
    }
    let browser = wanted.journeys.map(|journeys| (journeys, Browser::find()));
    if let Some((_, Err(lacking))) = &browser {
        skipped.push(format!("journeys in a browser: {lacking} (cargo xtask test --install-browser)"));
    }
    if env("CI").is_some() && !skipped.is_empty() {
        anyhow::bail!("in CI nothing may be skipped:\n  {}", skipped.join("\n  "));
    }
    if wanted.rust && env("CORPUS_DIR").is_none() {
        skipped
            .push("corpus tests: CORPUS_DIR is not set (a folder of real skills; not a failure)".to_owned());
    }

    // Journeys start both programs, so both are built before any test runs.
    workspace::run(cargo().args(["build", "--workspace", "--bins"]))?;
    let mut outcome = Ok(());
    if wanted.rust {
        let mut tests = cargo();
        tests.args(["test", "--workspace"]).args(&wanted.rest);
        if let Some((url, _)) = &postgres {
            tests.env("TEST_POSTGRES_URL", url);
        }
        outcome = workspace::run(&mut tests);
    }
    if let Some((journeys, Ok(browser))) = &browser {
        outcome = outcome.and(browser.run(*journeys));
    }
    for what in &skipped {
        say(&format!("skipped: {what}"));
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str]) -> anyhow::Result<(bool, bool, Vec<String>)> {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let wanted = Wanted::read(&args)?;
        Ok((wanted.rust, wanted.journeys.is_some(), wanted.rest))
    }

    #[test]
    fn what_picks_rust_tests_leaves_the_journeys_out() {
        assert_eq!(read(&[]).unwrap(), (true, true, vec![]));
        assert_eq!(read(&["--locked"]).unwrap(), (true, true, vec!["--locked".to_owned()]));
        assert_eq!(read(&["--browser"]).unwrap(), (false, true, vec![]));
        assert_eq!(read(&["lock"]).unwrap(), (true, false, vec!["lock".to_owned()]));
        assert!(read(&["--browser", "lock"]).is_err());
        assert!(read(&["--corpus"]).is_err());
    }
}
