use super::{Role, Span};

/// Where a cell's text stands in its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    /// At the left: everything but numbers.
    #[default]
    Left,
    /// At the right: numbers.
    Right,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its head, lower case; empty for marks.
    pub head: &'static str,
    /// Where its text stands.
    pub align: Align,
    /// Blanks behind it.
    pub gap: usize,
    /// Which column goes first where the terminal is too narrow: 1, then 2 …; `None` stays.
    pub drop: Option<u8>,
    /// Whether its text may go on in a further line (prose). The last column is else cut.
    pub wrap: bool,
    /// Whether it is never cut: names, versions, paths, commands.
    pub whole: bool,
}

impl Column {
    /// A column that stands at the left and is never dropped.
    pub const fn new(head: &'static str) -> Self {
        Self { head, align: Align::Left, gap: 2, drop: None, wrap: false, whole: false }
    }

    /// Puts its text at the right.
    #[must_use]
    pub const fn right(mut self) -> Self {
        self.align = Align::Right;
        self
    }

    /// Drops it as the `order`th where the terminal is too narrow.
    #[must_use]
    pub const fn dropped(mut self, order: u8) -> Self {
        self.drop = Some(order);
        self
    }

    /// Sets the blanks behind it.
    #[must_use]
    pub const fn gap(mut self, gap: usize) -> Self {
        self.gap = gap;
        self
    }

    /// Lets its text go on in a further line.
    #[must_use]
    pub const fn wrapped(mut self) -> Self {
        self.wrap = true;
        self
    }

    /// Never cuts its text.
    #[must_use]
    pub const fn whole(mut self) -> Self {
        self.whole = true;
        self
    }
}

/// A cell is a piece of text with a role; an empty one is shown as `-`.
pub type Cell = Span;

impl Cell {
    /// A cell with a role.
    pub fn of(role: Role, text: impl Into<String>) -> Self {
        Self { text: text.into(), role: Some(role) }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), role: None }
    }
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// One cell per column.
    pub cells: Vec<Cell>,
    /// Lines below it, which begin where its second column does.
    pub under: Vec<String>,
}

/// Rows and columns. Heads are printed when there are two rows or more and any head is set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, in the order in which they are shown.
    pub rows: Vec<Row>,
    /// Blanks before each line.
    pub indent: usize,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new(), indent: 0 }
    }

    /// Columns without heads.
    pub fn plain<const N: usize>() -> Self {
        Self::new([const { Column::new("") }; N])
    }

    /// Sets the blanks before each line.
    #[must_use]
    pub fn indent(mut self, indent: usize) -> Self {
        self.indent = indent;
        self
    }

    /// Adds a row.
    pub fn push(&mut self, cells: impl IntoIterator<Item = Cell>) -> &mut Row {
        self.rows.push(Row { cells: cells.into_iter().collect(), under: Vec::new() });
        let last = self.rows.len() - 1;
        &mut self.rows[last]
    }
}
