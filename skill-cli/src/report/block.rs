use super::Table;

/// What a piece of text is. Screens turn it into a colour, or into nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The label of an error; the status `FAIL`.
    Error,
    /// The label of a warning; the status `warn`.
    Warning,
    /// The labels of notes, hints and reasons; the status `skip`.
    Note,
    /// The status `ok`; verbs in the past tense.
    Good,
    /// A mark that refuses.
    Bad,
    /// The name of a skill.
    Name,
    /// Table heads, digests, URLs.
    Dim,
}

/// A piece of text with one role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The text; what is hostile in it is made visible when it is drawn.
    pub text: String,
    /// What it is.
    pub role: Option<Role>,
}

/// One line of prose.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Its pieces, one after the other.
    pub spans: Vec<Span>,
    /// Blanks before it.
    pub indent: usize,
    /// Blanks before its continuation lines.
    pub hang: usize,
}

impl Line {
    /// An empty line to add pieces to.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds text without a role.
    #[must_use]
    pub fn plain(self, text: impl Into<String>) -> Self {
        self.span(None, text)
    }

    /// Adds text with a role.
    #[must_use]
    pub fn role(self, role: Role, text: impl Into<String>) -> Self {
        self.span(Some(role), text)
    }

    fn span(mut self, role: Option<Role>, text: impl Into<String>) -> Self {
        self.spans.push(Span { text: text.into(), role });
        self
    }

    /// Sets the blanks before it, and before its continuation lines.
    #[must_use]
    pub fn indent(mut self, indent: usize, hang: usize) -> Self {
        (self.indent, self.hang) = (indent, hang);
        self
    }
}

impl<T: Into<String>> From<T> for Line {
    fn from(text: T) -> Self {
        Self::new().plain(text)
    }
}

/// A part of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// An empty line.
    Blank,
    /// A line, wrapped on a terminal.
    Line(Line),
    /// Rows and columns.
    Table(Table),
    /// A line of a file with a caret; cut on a terminal, so that the caret stays below what it means.
    Excerpt(Marked),
    /// Our own text (help pages), printed as it is.
    Verbatim(String),
}

/// A line of a file and the part of it that is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// Number of the line.
    pub line: u32,
    /// First character meant, from 1.
    pub column: u32,
    /// The one after the last meant.
    pub end_column: u32,
    /// The line, without its end.
    pub text: String,
    /// What stands behind the caret.
    pub label: Option<String>,
}

impl From<Line> for Block {
    fn from(line: Line) -> Self {
        Self::Line(line)
    }
}

impl From<Table> for Block {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}
