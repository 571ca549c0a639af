//! The program `skill`: collects the facts of the world, runs the library, ends with its code.

use std::process::ExitCode;

mod world;

fn main() -> ExitCode {
    world::keep_orphans();
    let words: Vec<_> = std::env::args_os().collect();
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return world::no_runtime(&error),
    };
    let world = world::collect();
    let interrupt = world::interrupt(world.stop.clone());
    let command = skill_cli::run(&words, world, interrupt, std::io::stdout(), std::io::stderr());
    ExitCode::from(runtime.block_on(command))
}
