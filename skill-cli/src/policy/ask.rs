//! A person's word about a warning.

use std::io::BufRead as _;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::termios::{QueueSelector, tcflush};
use rustix::time::Timespec;

use crate::context::Context;

/// Who says that a warning is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Person {
    /// `--acknowledge-install-policy-warning` said it for every warning of this command.
    Flag,
    /// Somebody at a terminal.
    Terminal,
    /// Nobody.
    Nobody,
}

/// Asks a person; in tests somebody else answers.
pub trait Acknowledge {
    /// Who can be asked.
    fn person(&self) -> Person;

    /// Shows `question` and gives the line that is typed after that; `None` at the end of input.
    fn typed(&mut self, question: &str) -> impl Future<Output = Option<String>>;
}

/// The person who runs the command.
pub(crate) struct Operator<'a> {
    context: &'a Context,
    flag: bool,
}

impl<'a> Operator<'a> {
    pub(crate) const fn new(context: &'a Context, flag: bool) -> Self {
        Self { context, flag }
    }
}

impl Acknowledge for Operator<'_> {
    fn person(&self) -> Person {
        let terminal = self.context.world.terminal;
        let globals = &self.context.globals;
        if self.flag {
            Person::Flag
        } else if terminal.stdin && terminal.stderr && !globals.json && !globals.no_input {
            Person::Terminal
        } else {
            Person::Nobody
        }
    }

    async fn typed(&mut self, question: &str) -> Option<String> {
        // A line that was typed ahead speaks of no warning that anybody saw.
        tcflush(std::io::stdin(), QueueSelector::IFlush).ok()?;
        self.context.screen.ask(question);
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
}

/// Whether stdin has a line, an end or an error.
fn is_readable() -> bool {
    let stdin = std::io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let none = Timespec { tv_sec: 0, tv_nsec: 0 };
    !matches!(poll(&mut fds, Some(&none)), Ok(0))
}
