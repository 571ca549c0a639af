//! `cargo xtask test`: every test, and a plain word about what was skipped.

use crate::postgres::Postgres;
use crate::workspace::{self, cargo, env, say};

/// Runs the tests of the workspace; `rest` goes to `cargo test` (a filter, `-- --nocapture`).
///
/// Tests that need something this machine lacks are skipped and named; in CI (`CI` is set) a
/// skip is a failure.
pub(crate) fn run(rest: &[String]) -> anyhow::Result<()> {
    let in_ci = env("CI").is_some();
    let mut skipped = Vec::new();
    let postgres = match env("TEST_POSTGRES_URL") {
        Some(url) => Some((url, None)),
        None => Postgres::start()?.map(|server| (server.url(), Some(server))),
    };
    if postgres.is_none() {
        skipped.push(
            "store, publish and crash tests on Postgres: no Postgres found (install the package postgresql, \
             or set TEST_POSTGRES_URL to a superuser's URL)",
        );
    }
    let corpus = env("CORPUS_DIR");
    if in_ci && !skipped.is_empty() {
        anyhow::bail!("in CI nothing may be skipped:\n  {}", skipped.join("\n  "));
    }
    if corpus.is_none() {
        skipped.push("corpus tests: CORPUS_DIR is not set (a folder of real skills; not a failure)");
    }

    // Journeys start both programs, so both are built before any test runs.
    workspace::run(cargo().args(["build", "--workspace", "--bins"]))?;
    let mut tests = cargo();
    tests.args(["test", "--workspace"]).args(rest);
    if let Some((url, _)) = &postgres {
        tests.env("TEST_POSTGRES_URL", url);
    }
    let outcome = workspace::run(&mut tests);
    for what in &skipped {
        say(&format!("skipped: {what}"));
    }
    outcome
}
