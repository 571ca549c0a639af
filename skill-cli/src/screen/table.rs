use super::draw::push_line;
use super::paint::{Ink, Surface};
use crate::report::{Align, Column, Line, Role, Row, Span, Table};
use crate::text::{clean, width, wrap};

/// Below this many columns a table that still does not fit is written as `key: value`.
const STACKED_BELOW: usize = 60;
/// A last column that is cut or wrapped keeps this many columns at least.
const LAST_AT_LEAST: usize = 12;

/// Appends a table.
pub(super) fn push(text: &mut String, table: &Table, surface: Surface) {
    let layout = Layout::new(table, surface);
    if let Some(room) = surface.columns.filter(|_| layout.stacked) {
        if table.columns.iter().all(|column| column.head.is_empty()) {
            flow(text, table, surface, room);
        } else {
            stack(text, table, surface);
        }
        return;
    }
    if has_heads(table) {
        let heads =
            table.columns.iter().map(|column| Span { text: column.head.to_owned(), role: Some(Role::Dim) });
        layout.push_row(text, &Row { cells: heads.collect(), under: Vec::new() });
    }
    for row in &table.rows {
        layout.push_row(text, row);
        for line in &row.under {
            let indent = table.indent + layout.under;
            push_line(text, &Line::from(line).indent(indent, indent), surface);
        }
    }
}

fn has_heads(table: &Table) -> bool {
    table.rows.len() > 1 && table.columns.iter().any(|column| !column.head.is_empty())
}

/// Which columns are shown, and how wide.
struct Layout<'a> {
    columns: &'a [Column],
    shown: Vec<usize>,
    widths: Vec<usize>,
    indent: usize,
    under: usize,
    stacked: bool,
    surface: Surface,
}

impl<'a> Layout<'a> {
    fn new(table: &'a Table, surface: Surface) -> Self {
        let columns = &table.columns;
        let heads = has_heads(table);
        let widths: Vec<usize> = (0..columns.len())
            .map(|index| {
                let cells = table.rows.iter().filter_map(|row| row.cells.get(index));
                let head = if heads { width::of(columns[index].head) } else { 0 };
                cells.map(|cell| width::of(&shown(cell, &columns[index], surface))).fold(head, usize::max)
            })
            .collect();
        let mut layout = Self {
            columns,
            shown: (0..columns.len()).collect(),
            under: widths.first().map_or(0, |first| first + columns[0].gap),
            widths,
            indent: table.indent,
            stacked: false,
            surface,
        };
        if let Some(room) = surface.columns {
            layout.fit(room);
        }
        layout
    }

    /// Columns before the last one that is shown.
    fn before_last(&self) -> usize {
        let before = &self.shown[..self.shown.len().saturating_sub(1)];
        self.indent + before.iter().map(|&index| self.widths[index] + self.columns[index].gap).sum::<usize>()
    }

    fn fit(&mut self, room: usize) {
        loop {
            let Some(&last) = self.shown.last() else { return };
            let prose = self.columns[last].wrap || !self.columns[last].whole;
            let needed = self.widths[last].min(if prose { LAST_AT_LEAST } else { usize::MAX });
            let fits = self.before_last() + self.widths[last] <= room;
            let next = self.shown.iter().filter_map(|&index| Some((self.columns[index].drop?, index))).min();
            match next {
                _ if fits => return,
                Some((_, index)) => self.shown.retain(|&shown| shown != index),
                None => {
                    let possible = self.before_last() + needed <= room;
                    self.stacked = !possible && room < STACKED_BELOW && self.shown.len() > 1;
                    let left = room.saturating_sub(self.before_last());
                    if prose && possible {
                        self.widths[last] = left;
                    }
                    return;
                }
            }
        }
    }

    fn push_row(&self, text: &mut String, row: &Row) {
        let mut line = width::blanks(self.indent);
        for (position, &index) in self.shown.iter().enumerate() {
            let Some(cell) = row.cells.get(index) else { continue };
            let (column, room) = (&self.columns[index], self.widths[index]);
            let content = shown(cell, column, self.surface);
            if position + 1 == self.shown.len() {
                self.push_last(&mut line, column, cell.role, &content, room);
                break;
            }
            let blanks = width::blanks(room.saturating_sub(width::of(&content)));
            let painted = self.surface.paint(cell.role, &content);
            match column.align {
                Align::Left => line.extend([painted, blanks]),
                Align::Right => line.extend([blanks, painted]),
            }
            line.push_str(&width::blanks(column.gap));
        }
        text.push_str(line.trim_end_matches(' '));
        text.push('\n');
    }

    fn push_last(&self, line: &mut String, column: &Column, role: Option<Role>, content: &str, room: usize) {
        if column.align == Align::Right {
            line.push_str(&width::blanks(room.saturating_sub(width::of(content))));
        }
        if !column.wrap {
            let whole = column.whole || self.surface.columns.is_none();
            let cut = if whole {
                content.to_owned()
            } else {
                width::cut(content, room.max(LAST_AT_LEAST), self.surface.ellipsis())
            };
            line.push_str(&self.surface.paint(role, &cut));
            return;
        }
        let start = self.before_last();
        let room = self.surface.prose().map_or(usize::MAX, |columns| columns.saturating_sub(start));
        let room = room.max(LAST_AT_LEAST);
        for (index, range) in wrap::ranges(content, room, room).into_iter().enumerate() {
            if index > 0 {
                line.push('\n');
                line.push_str(&width::blanks(start));
            }
            line.push_str(&self.surface.paint(role, &content[range]));
        }
    }
}

/// What a cell shows: an empty one of a column with a head is `-`.
fn shown(cell: &Span, column: &Column, surface: Surface) -> String {
    if cell.text.is_empty() && !column.head.is_empty() {
        return "-".to_owned();
    }
    clean::line(&cell.text, surface.unicode)
}

/// Without heads nothing would say what is what in a stack: cells follow one another, and what does not fit
/// hangs under them.
fn flow(text: &mut String, table: &Table, surface: Surface, room: usize) {
    const HANG: usize = 4;
    for row in &table.rows {
        let (mut line, mut used) = (width::blanks(table.indent), table.indent);
        let cells = table.columns.iter().zip(&row.cells).filter(|(_, cell)| !cell.text.is_empty());
        for (position, (column, cell)) in cells.enumerate() {
            let content = shown(cell, column, surface);
            let columns = width::of(&content);
            if position > 0 && used + 2 + columns <= room {
                line.push_str("  ");
                used += 2;
            } else if position > 0 {
                used = table.indent + HANG;
                line.push('\n');
                line.push_str(&width::blanks(used));
            }
            used += columns;
            line.push_str(&surface.paint(cell.role, &content));
        }
        text.push_str(&line);
        text.push('\n');
        for under in &row.under {
            push_line(text, &Line::from(under).indent(table.indent + 2, table.indent + 2), surface);
        }
    }
}

fn stack(text: &mut String, table: &Table, surface: Surface) {
    for (position, row) in table.rows.iter().enumerate() {
        if position > 0 {
            text.push('\n');
        }
        for (column, cell) in table.columns.iter().zip(&row.cells) {
            if cell.text.is_empty() {
                continue;
            }
            let ink = Ink::of(std::slice::from_ref(cell), surface);
            let head = if column.head.is_empty() { String::new() } else { format!("{}: ", column.head) };
            let line = Line::new().plain(head).plain("");
            let mut line = line.indent(table.indent, table.indent + 2);
            line.spans.push(Span { text: ink.text, role: cell.role });
            push_line(text, &line, surface);
        }
        for under in &row.under {
            push_line(text, &Line::from(under).indent(table.indent + 2, table.indent + 2), surface);
        }
    }
}
