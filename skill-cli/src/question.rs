//! Questions to the person at the terminal, and what stands for an answer where there is none.

use std::io::BufRead as _;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::termios::{QueueSelector, tcflush};
use rustix::time::Timespec;

use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::Block;

/// Whether somebody is there who sees a question and can answer it.
pub(crate) fn can_be_asked(context: &Context) -> bool {
    let terminal = context.world.terminal;
    terminal.stdin && terminal.stderr && !context.globals.json && !context.globals.no_input
}

/// Refuses at once what would need an answer that nobody can give, before anything is sent. `command` is the verb,
/// `does` what it is about to do: `delete acme/github 3.0.0`.
///
/// # Errors
/// `confirmation-needed`.
pub(crate) fn need_answer(context: &Context, command: &str, does: &str) -> Result<(), Failure> {
    if context.globals.yes || can_be_asked(context) {
        return Ok(());
    }
    Err(Failure::new(Code::ConfirmationNeeded, format!("{command} asks first and there is no terminal"))
        .because("nothing was sent")
        .hint(format!("add `--yes` to {does}")))
}

/// Shows what is about to happen and asks for a yes; `--yes` has said it. `nothing` says what a no comes to.
///
/// # Errors
/// `declined`.
pub(crate) async fn confirm(
    context: &Context,
    plan: &str,
    question: &str,
    nothing: &str,
) -> Result<(), Failure> {
    if context.globals.yes {
        return Ok(());
    }
    context.screen.plan(&[Block::Line(plan.into())]);
    let typed = line(context, &format!("{question} [y/N] ")).await;
    match typed.as_deref().map(str::trim) {
        Some("y" | "Y" | "yes" | "Yes" | "YES") => Ok(()),
        _ => Err(Failure::new(Code::Declined, nothing)),
    }
}

/// Shows `question` and gives the line that is typed after that; `None` at the end of input.
pub(crate) async fn line(context: &Context, question: &str) -> Option<String> {
    // A line that was typed ahead speaks of nothing that anybody saw.
    tcflush(std::io::stdin(), QueueSelector::IFlush).ok()?;
    context.screen.ask(question);
    // A line of a terminal comes whole; until it is there an interrupt can end the command.
    while !is_readable() {
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(count) if count > 0 => Some(line.trim_end_matches(['\n', '\r']).to_owned()),
        _ => None,
    }
}

/// Whether stdin has a line, an end or an error.
fn is_readable() -> bool {
    let stdin = std::io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let none = Timespec { tv_sec: 0, tv_nsec: 0 };
    !matches!(poll(&mut fds, Some(&none)), Ok(0))
}
