//! A person's word about a warning.

use crate::context::Context;
use crate::question;

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
        if self.flag {
            Person::Flag
        } else if question::can_be_asked(self.context) {
            Person::Terminal
        } else {
            Person::Nobody
        }
    }

    async fn typed(&mut self, question: &str) -> Option<String> {
        question::line(self.context, question).await
    }
}
