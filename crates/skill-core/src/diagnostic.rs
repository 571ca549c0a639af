//! Findings about a text: a stable code, a place, a sentence and, where one is known, the fix.

use serde::{Deserialize, Serialize};

mod edit;
mod place;
mod rules;

pub use edit::{Edit, apply_edits};
pub use place::place;
pub(crate) use rules::*;
pub use rules::{Rule, rule};

/// The longest line that a finding shows, in bytes. A file of one long line with a thousand faults would
/// otherwise grow a thousandfold.
const EXCERPT: usize = 4096;

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Perhaps meant as it is; strictness changes nothing about it.
    Note,
    /// Worth knowing; nothing is refused for it unless somebody asked for strictness.
    Warning,
    /// The text cannot be used as it is.
    Error,
}

/// One finding in one file of a skill.
///
/// In JSON: `code`, `severity`, `file`, `line`, `column`, `endColumn`, `message`, `label`,
/// `fix`, `excerpt`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// Stable kebab-case code; every one is one of [`crate::lint::rules`].
    pub code: &'static str,
    /// How much it weighs.
    pub severity: Level,
    /// Path inside the skill's folder, with `/`.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters (Unicode code points), from 1.
    pub column: u32,
    /// The column after the last character meant; equal to `column` where a point is meant.
    pub end_column: u32,
    /// What is wrong, without a period.
    pub message: String,
    /// What to say at the caret, where that helps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What to write, as shown to a person: a line, or the text that replaces the marked one; of an error,
    /// what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// The change that `--fix` makes to the file; `None` where only a person can decide.
    #[serde(skip)]
    pub edit: Option<Edit>,
    /// Whether `--fix` makes the file executable.
    #[serde(skip)]
    pub sets_executable: bool,
    /// The whole line meant, without its end; empty where no line is meant or it has more than 4 KiB.
    pub excerpt: String,
}

impl Diagnostic {
    /// A finding about `SKILL.md` as a whole: line 1, column 1, no excerpt.
    pub fn new(rule: &Rule, message: impl Into<String>) -> Self {
        Self {
            code: rule.code,
            severity: rule.level,
            file: "SKILL.md".to_owned(),
            line: 1,
            column: 1,
            end_column: 1,
            message: message.into(),
            label: None,
            fix: None,
            edit: None,
            sets_executable: false,
            excerpt: String::new(),
        }
    }

    /// The same finding at columns `from..to` of `line`, whose text is `excerpt`. What ends behind the
    /// line, as the character at its end does, ends with it.
    #[must_use]
    pub fn at(mut self, line: u32, from: u32, to: u32, excerpt: impl Into<String>) -> Self {
        self.excerpt = excerpt.into();
        let end = self.excerpt.chars().count() as u32 + 1;
        let to = if self.excerpt.is_empty() { to } else { to.min(end) };
        (self.line, self.column, self.end_column) = (line, from, to.max(from));
        if self.excerpt.len() > EXCERPT {
            self.excerpt.clear();
        }
        self
    }

    /// The same finding with a text for the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// The same finding with a text to write instead.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// The same finding with the change that a program can make.
    #[must_use]
    pub fn edit(mut self, edit: Edit) -> Self {
        self.edit = Some(edit);
        self
    }

    /// The same finding, for which a program makes the file executable.
    #[must_use]
    pub fn executable(mut self) -> Self {
        self.sets_executable = true;
        self
    }

    /// Whether a program can make the change.
    pub fn is_fixable(&self) -> bool {
        self.edit.is_some() || self.sets_executable
    }

    /// The same finding in another file of the skill.
    #[must_use]
    pub fn in_file(mut self, path: impl Into<String>) -> Self {
        self.file = path.into();
        self
    }
}
