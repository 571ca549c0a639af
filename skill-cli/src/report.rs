//! What a command answers, as data: the document that `--json` prints and the text form of it.
//!
//! Roles, never colours; cells, never padding. [`crate::screen::Screen`] turns them into bytes.

mod block;
mod findings;
mod message;
mod table;

use serde_json::Value;

pub use block::{Block, Line, Marked, Role, Span};
pub use findings::{findings_document, findings_table};
pub use message::{Detail, Hint, Label, Message};
pub use table::{Align, Cell, Column, Row, Table};

use crate::failure::Failure;

/// The answer of a command.
///
/// On a terminal it appears in this order: notes (stderr), rows (stdout), the failure if there is
/// one, else closing sentence and hints (stderr). With `--json` the document alone is printed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// What `--json` prints.
    pub document: Value,
    /// The text form of the document, for stdout.
    pub rows: Vec<Block>,
    /// What `--quiet` leaves of the rows.
    pub quiet: Quiet,
    /// Warnings and notes that come before the rows.
    pub notes: Vec<Message>,
    /// One sentence about what was done.
    pub closing: Option<String>,
    /// What to do next.
    pub hints: Vec<Hint>,
    /// What went wrong, for the commands that print their own document whatever the exit code
    /// (`verify`, `scan`, `lint`).
    pub failure: Option<Failure>,
}

/// What `--quiet` leaves of the rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Quiet {
    /// All of them: the command was asked for its answer.
    #[default]
    All,
    /// Nothing: the command changes something, and the exit code says whether it did.
    Nothing,
    /// These alone.
    Rows(Vec<Block>),
}

impl Report {
    /// An answer whose text form is `rows`.
    pub fn new(document: Value, rows: Vec<Block>) -> Self {
        Self { document, rows, ..Self::default() }
    }

    /// The answer of a command that changes something: `--quiet` prints none of it.
    pub fn change(document: Value, rows: Vec<Block>) -> Self {
        Self { quiet: Quiet::Nothing, ..Self::new(document, rows) }
    }

    /// Adds the closing sentence.
    #[must_use]
    pub fn closing(mut self, text: impl Into<String>) -> Self {
        self.closing = Some(text.into());
        self
    }

    /// Adds a hint: a line with the command in backticks.
    #[must_use]
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hints.push(Hint::new(text));
        self
    }

    /// Adds a warning or note that comes before the rows.
    #[must_use]
    pub fn note(mut self, message: Message) -> Self {
        self.notes.push(message);
        self
    }

    /// Exit code of the program.
    pub fn exit(&self) -> u8 {
        self.failure.as_ref().map_or(0, Failure::exit)
    }
}
