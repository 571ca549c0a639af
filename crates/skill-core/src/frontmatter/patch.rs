//! A line of the file with the changes that make it YAML, and the way back to the file from each of its
//! characters.

use std::ops::Range;

use super::lines::Line;

/// One line and what is changed in it.
#[derive(Debug, Clone)]
pub(super) struct Patched<'a> {
    pub(super) line: Line<'a>,
    /// Ranges of bytes of the line and what stands there instead, from left to right, apart from each other.
    changes: Vec<(Range<usize>, String)>,
    text: String,
    /// The characters of the line that stand for all of its text, where no part of that comes from a part of it.
    stands_for: Option<Range<u32>>,
}

impl<'a> Patched<'a> {
    pub(super) fn new(line: Line<'a>) -> Self {
        Self { line, changes: Vec::new(), text: line.text.to_owned(), stands_for: None }
    }

    /// A line in whose place another text stands. Every place in that one is the place of these bytes.
    pub(super) fn replaced(line: Line<'a>, bytes: Range<usize>, text: String) -> Self {
        let new = Self::new(line);
        let stands_for = Some(new.column_of(bytes.start)..new.column_of(bytes.end));
        Self { changes: vec![(0..line.text.len(), text.clone())], text, stands_for, ..new }
    }

    /// The line as changed.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Replaces bytes of the changed line. What was changed inside of them before is part of the new change.
    /// Gives back which bytes of the line that changes.
    pub(super) fn change(&mut self, range: Range<usize>, text: &str) -> Range<usize> {
        let old = self.original(range.start)..self.original(range.end);
        let (mut at, mut new) = (0, 0);
        self.changes.retain(|(other, text)| {
            let start = new + other.start - at;
            (at, new) = (other.end, start + text.len());
            let inside =
                range.start <= start && new <= range.end && old.start <= other.start && other.end <= old.end;
            range.is_empty() || !inside
        });
        let at = self.changes.partition_point(|(other, _)| other.end <= old.start);
        self.changes.insert(at, (old.clone(), text.to_owned()));
        self.text = self.applied();
        old
    }

    fn applied(&self) -> String {
        let mut text = String::with_capacity(self.line.text.len() + 16);
        let mut at = 0;
        for (range, new) in &self.changes {
            text.push_str(&self.line.text[at..range.start]);
            text.push_str(new);
            at = range.end;
        }
        text.push_str(&self.line.text[at..]);
        text
    }

    /// The byte of the line that a byte of the changed line comes from; for what was put in, where it was.
    pub(super) fn original(&self, byte: usize) -> usize {
        let (mut at, mut new) = (0, 0);
        for (range, text) in &self.changes {
            let kept = range.start - at;
            if byte <= new + kept {
                break;
            }
            new += kept;
            if byte < new + text.len() {
                return range.start;
            }
            (at, new) = (range.end, new + text.len());
        }
        (at + byte - new).min(self.line.text.len())
    }

    /// The column (characters, from 1) of the line for one of the changed line.
    pub(super) fn original_column(&self, column: u32) -> u32 {
        self.columns().original(column)
    }

    /// The changes in columns, for many questions about one line.
    pub(super) fn columns(&self) -> Columns {
        let count = |range: Range<usize>| self.line.text[range].chars().count() as u32;
        let mut at = 0;
        let mut changes = Vec::with_capacity(self.changes.len());
        for (range, text) in &self.changes {
            let kept = count(at..range.start);
            changes.push((kept, count(range.clone()), text.chars().count() as u32));
            at = range.end;
        }
        Columns { changes, end: self.column_of(self.line.text.len()), stands_for: self.stands_for.clone() }
    }

    /// Whether no byte of a range of the changed line stands in the file.
    pub(super) fn is_put_in(&self, range: &Range<usize>) -> bool {
        let (mut at, mut new) = (0, 0);
        self.changes.iter().any(|(taken, given)| {
            let start = new + taken.start - at;
            (at, new) = (taken.end, start + given.len());
            start <= range.start && range.end <= new
        })
    }

    /// The column of a byte of the line.
    pub(super) fn column_of(&self, byte: usize) -> u32 {
        self.line.text.get(..byte).map_or(1, |before| before.chars().count() as u32 + 1)
    }

    pub(super) fn is_changed(&self) -> bool {
        !self.changes.is_empty()
    }
}

/// The way back from the columns of a changed line.
#[derive(Debug)]
pub(super) struct Columns {
    /// How many characters stay before each change, how many it takes and how many it gives.
    changes: Vec<(u32, u32, u32)>,
    /// The column after the last character.
    end: u32,
    /// The only place there is.
    stands_for: Option<Range<u32>>,
}

impl Columns {
    /// The columns of the line for some of the changed line.
    pub(super) fn originals(&self, columns: Range<u32>) -> Range<u32> {
        self.stands_for.clone().unwrap_or_else(|| {
            let start = self.original(columns.start);
            start..self.original(columns.end).max(start)
        })
    }

    /// The column of the line for one of the changed line.
    fn original(&self, column: u32) -> u32 {
        let (mut old, mut new) = (1, 1);
        for (kept, taken, given) in &self.changes {
            if column <= new + kept {
                break;
            }
            (old, new) = (old + kept, new + kept);
            if column < new + given {
                return old;
            }
            (old, new) = (old + taken, new + given);
        }
        (old + column.saturating_sub(new)).min(self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_leads_back() {
        let text = "\tGitHub:天 me";
        let mut line = Patched::new(Line { text, end: "", start: 0, next: text.len() });
        assert_eq!(line.change(0..1, "  "), 0..1);
        assert_eq!(line.change(9..9, " "), 8..8);
        assert_eq!(line.text(), "  GitHub: 天 me");
        let value = 10..line.text().len();
        assert_eq!(line.change(value, "\"天 me\""), 8..text.len());
        assert_eq!(line.text(), "  GitHub: \"天 me\"");
        let columns: Vec<u32> = (1..=17).map(|column| line.original_column(column)).collect();
        assert_eq!(columns, [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9, 9, 9, 9, 13]);
    }

    #[test]
    fn a_change_takes_in_those_inside_of_it() {
        let mut line = Patched::new(Line { text: "a:b:c", end: "", start: 0, next: 5 });
        line.change(2..2, " ");
        line.change(5..5, " ");
        assert_eq!(line.text(), "a: b: c");
        assert_eq!(line.change(3..7, "'b: c'"), 2..5);
        assert_eq!(line.text(), "a: 'b: c'");
    }
}
