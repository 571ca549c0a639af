use std::ffi::OsString;
use std::io::{self, Write};

use serde_json::json;

use crate::args::{self, Globals, Parsed};
use crate::code::Code;
use crate::commands::{self, Command};
use crate::context::{self, Context, World};
use crate::failure::Failure;
use crate::report::{Block, Hint, Report};
use crate::screen::Screen;

/// Runs one command line: parses it, does what it says, writes the answer to `out` and everything
/// else to `err`. Gives the exit code. When `interrupt` comes first the command is dropped where it waits, and
/// what it had begun on disk is taken back.
pub async fn run(
    words: &[OsString],
    world: World,
    interrupt: impl Future<Output = ()>,
    out: impl Write + Send + 'static,
    err: impl Write + Send + 'static,
) -> u8 {
    let parsed = args::parse(words);
    let globals = match &parsed {
        Ok(Parsed::Run(arguments)) => arguments.globals.clone(),
        _ => Globals { json: args::asks_for_json(words), ..Globals::default() },
    };
    let screen = Screen::new(&globals, &world, out, err);
    let context = Context::new(globals, world, screen);
    let answer = match parsed {
        Ok(Parsed::Run(arguments)) => tokio::select! {
            // What is done already counts as done.
            biased;
            answer = commands::run(&context, &arguments.command) => answer,
            () = interrupt => Err(context::interrupted()),
        }
        .map_err(|failure| interrupted(failure, &arguments.command)),
        Ok(Parsed::Page(page)) => Ok(Report::new(json!({ "text": page }), vec![Block::Verbatim(page)])),
        Err(failure) => Err(failure),
    };
    let exit = show(&context, answer);
    match context.screen.finish() {
        Ok(()) => exit,
        Err(error) => {
            let failure = stdout_broke(&error);
            context.screen.failure(&failure);
            failure.exit()
        }
    }
}

/// What had begun on this machine is taken back when the command ends early; what was sent to a
/// registry is not.
fn interrupted(failure: Failure, command: &Command) -> Failure {
    if failure.code != Code::Interrupted {
        return failure;
    }
    match command {
        Command::Publish(_)
        | Command::Yank(_)
        | Command::Unyank(_)
        | Command::Tag(_)
        | Command::Publisher(_)
        | Command::Token(_) => failure.because_in_text("the registry may have taken the request already"),
        _ => failure.nothing_changed_at_all(),
    }
}

fn show(context: &Context, answer: Result<Report, Failure>) -> u8 {
    match answer {
        Ok(mut report) => {
            repeat_flags(&context.globals, &mut report.hints);
            if let Some(failure) = &mut report.failure {
                repeat_flags_of(context, failure);
            }
            context.screen.report(&report);
            report.exit()
        }
        Err(mut failure) => {
            repeat_flags_of(context, &mut failure);
            context.screen.failure(&failure);
            failure.exit()
        }
    }
}

fn repeat_flags_of(context: &Context, failure: &mut Failure) {
    repeat_flags(&context.globals, &mut failure.hints);
    for also in &mut failure.also {
        repeat_flags(&context.globals, &mut also.hints);
    }
}

fn repeat_flags(globals: &Globals, hints: &mut [Hint]) {
    for hint in hints {
        hint.text = globals.repeat_in(&hint.text);
    }
}

fn stdout_broke(error: &io::Error) -> Failure {
    let code = if error.kind() == io::ErrorKind::StorageFull { Code::DiskFull } else { Code::DiskIo };
    Failure::new(code, "the answer could not be written to stdout").because(error.to_string())
}
