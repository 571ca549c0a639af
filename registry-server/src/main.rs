//! `skill-registry`: reads the command line and the environment, once, and hands them on.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;
use skill_registry::admin::{Cli, Env};

#[tokio::main]
async fn main() -> ExitCode {
    let env: Env = std::env::vars_os().collect();
    match Cli::parse().run(&env).await {
        Ok(text) => match std::io::stdout().lock().write_all(text.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(failure) => {
            // Where both are gone, the status alone has to tell.
            let _ = std::io::stdout().lock().write_all(failure.stdout().as_bytes());
            let _ = write!(std::io::stderr().lock(), "{failure}");
            ExitCode::from(failure.exit())
        }
    }
}
