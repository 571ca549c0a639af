//! Which bytes of a program are comments, where that can be proved.
//!
//! A comment weighs less than a command, so whoever writes one would like a command to look like a
//! comment: behind a quote or a here-document that is still open, behind the end of a block
//! comment, behind a carriage return. Three languages are read from the first byte on, one step
//! for each; where a reader meets what it does not know for sure (a quote inside of a quote that
//! depends on the version, an alias) it stops, and nothing behind that is a comment. Of all other
//! languages only what stands above the first line of code is.

mod javascript;
mod leading;
mod python;
mod shell;

use std::ops::Range;

use crate::language::Language;

/// The comments of a text.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    /// In their order.
    all: Vec<Comment>,
    /// How many bytes were looked at for it, some of them twice.
    pub(crate) steps: usize,
}

#[derive(Debug, PartialEq, Eq)]
struct Comment {
    /// From its mark to its end, the end of the line not included.
    bytes: Range<usize>,
    /// Whether nothing but blanks stands before it on its line.
    opens_line: bool,
}

impl Comments {
    pub(crate) fn of(language: Language, text: &str) -> Self {
        let mut found = Found::default();
        match language {
            Language::Shell => shell::read(text, &mut found),
            Language::Python => python::read(text, &mut found),
            Language::JavaScript => javascript::read(text, &mut found),
            Language::Marked(mark) => leading::read(mark, text, &mut found),
            Language::Unknown => None,
        };
        Self { all: found.comments, steps: found.steps }
    }

    /// Whether all of these bytes stand in one comment that opens its line.
    pub(crate) fn hold(&self, bytes: Range<usize>) -> bool {
        self.at(bytes.start).is_some_and(|one| one.opens_line && bytes.end <= one.bytes.end)
    }

    /// Where the comment begins that holds the byte at `offset`.
    pub(crate) fn start_at(&self, offset: usize) -> Option<usize> {
        self.at(offset).map(|one| one.bytes.start)
    }

    fn at(&self, offset: usize) -> Option<&Comment> {
        let after = self.all.partition_point(|one| one.bytes.start <= offset);
        self.all[..after].last().filter(|one| offset < one.bytes.end)
    }
}

/// What a reader has found so far. A reader gives `None` where it stopped before the end.
#[derive(Debug, Default)]
struct Found {
    comments: Vec<Comment>,
    steps: usize,
}

impl Found {
    fn push(&mut self, bytes: Range<usize>, opens_line: bool) {
        self.steps += bytes.len();
        self.comments.push(Comment { bytes, opens_line });
    }

    /// Where the first of `ends` is, from `from` on; counts what that took.
    fn find(&mut self, text: &[u8], from: usize, is_end: impl Fn(u8) -> bool) -> Option<usize> {
        let rest = text.get(from..).unwrap_or_default();
        let at = rest.iter().position(|&byte| is_end(byte));
        self.steps += at.unwrap_or(rest.len());
        at.map(|at| from + at)
    }
}

#[cfg(test)]
mod tests;
