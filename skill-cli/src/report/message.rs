use super::{Block, Table};
use crate::code::Code;

/// The word that a message begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// `error[CODE]:`
    Error,
    /// `warning[CODE]:`
    Warning,
    /// `note:`
    Note,
}

impl Label {
    /// The word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A warning or a note: a fact, more lines below it, hints.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// The word it begins with.
    pub label: Label,
    /// Its stable code; notes have none.
    pub code: Option<Code>,
    /// What happened.
    pub text: String,
    /// What stands below it, in order.
    pub details: Vec<Detail>,
    /// What to do.
    pub hints: Vec<Hint>,
}

/// What stands below the first line of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// `because:` and a fact.
    Because(String),
    /// `because:` and a fact that the JSON document holds in other keys or does not need.
    BecauseInText(String),
    /// A line under the text.
    Line(String),
    /// What a person chooses from: versions, candidates, files, findings.
    List(Table),
    /// Other text, such as an excerpt with a caret.
    Block(Block),
}

/// What to do, as one line; the command in it stands in backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// The line.
    pub text: String,
    /// Lines below it that are to be copied as they are.
    pub lines: Vec<String>,
}

impl Hint {
    /// A hint of one line.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), lines: Vec::new() }
    }

    /// What the JSON document holds: the `skill …` commands bare, else the sentence.
    pub fn bare(&self) -> Vec<String> {
        let commands: Vec<String> = self.commands().map(str::to_owned).collect();
        if !commands.is_empty() {
            return commands;
        }
        let lines = std::iter::once(self.text.as_str()).chain(self.lines.iter().map(String::as_str));
        vec![lines.collect::<Vec<_>>().join("\n")]
    }

    /// The `skill …` commands in it.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        self.text.split('`').skip(1).step_by(2).filter(|text| text.starts_with("skill "))
    }
}

impl Message {
    /// A warning.
    pub fn warning(code: Code, text: impl Into<String>) -> Self {
        Self::new(Label::Warning, Some(code), text)
    }

    /// A note.
    pub fn note(text: impl Into<String>) -> Self {
        Self::new(Label::Note, None, text)
    }

    fn new(label: Label, code: Option<Code>, text: impl Into<String>) -> Self {
        Self { label, code, text: text.into(), details: Vec::new(), hints: Vec::new() }
    }

    /// Adds a line under the text.
    #[must_use]
    pub fn line(mut self, text: impl Into<String>) -> Self {
        self.details.push(Detail::Line(text.into()));
        self
    }

    /// Adds a list.
    #[must_use]
    pub fn list(mut self, table: Table) -> Self {
        self.details.push(Detail::List(table));
        self
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hints.push(Hint::new(text));
        self
    }
}
