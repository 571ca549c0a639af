//! Where a line of a file stands: in prose, in a table, in code.

use crate::file::Kind;

/// A physical line, without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'t> {
    /// From 1.
    pub(crate) number: u32,
    pub(crate) text: &'t str,
    pub(crate) place: Place,
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Running text of a Markdown file.
    Prose,
    /// A row of a Markdown table.
    Table,
    /// A fenced block or the frontmatter of a Markdown file, or any other file.
    Code,
}

/// The lines of `text` with their places.
pub(crate) fn lines(kind: Kind, text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut markdown = (kind == Kind::Markdown).then(Markdown::default);
    text.split('\n').zip(1..).map(move |(text, number)| {
        let text = text.strip_suffix('\r').unwrap_or(text);
        let place = markdown.as_mut().map_or(Place::Code, |markdown| markdown.place(number, text));
        Line { number, text, place }
    })
}

/// Where each physical line of a text starts.
pub(crate) struct LineStarts(Vec<usize>);

impl LineStarts {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at + 1).collect())
    }

    /// Number, from 1, of the line that holds the byte at `offset`.
    pub(crate) fn line_at(&self, offset: usize) -> u32 {
        1 + self.0.partition_point(|&start| start <= offset) as u32
    }
}

/// How far a Markdown file was read.
#[derive(Default)]
struct Markdown {
    /// The open fence: its character and length.
    fence: Option<(u8, usize)>,
    frontmatter: bool,
}

impl Markdown {
    fn place(&mut self, number: u32, line: &str) -> Place {
        if number == 1 && line.trim_start_matches('\u{FEFF}').trim_end() == "---" {
            self.frontmatter = true;
            return Place::Code;
        }
        if self.frontmatter {
            self.frontmatter = line.trim_end() != "---";
            return Place::Code;
        }
        // Quotes and lists may hold a fence.
        let inner = line.trim_start_matches([' ', '\t', '>']);
        if let Some((character, length, info)) = fence(inner) {
            match self.fence {
                None => self.fence = Some((character, length)),
                Some((open, least)) if open == character && length >= least && info.is_empty() => {
                    self.fence = None;
                }
                Some(_) => {}
            }
            return Place::Code;
        }
        match self.fence {
            Some(_) => Place::Code,
            None if inner.starts_with('|') => Place::Table,
            None => Place::Prose,
        }
    }
}

/// Three or more backticks or tildes, possibly after a list marker, and what follows them.
fn fence(line: &str) -> Option<(u8, usize, &str)> {
    let line = line.trim_start_matches(['-', '*', '+']).trim_start();
    let character = *line.as_bytes().first().filter(|c| matches!(c, b'`' | b'~'))?;
    let length = line.bytes().take_while(|&c| c == character).count();
    let info = line[length..].trim();
    // A code span may start a line with three backticks; it closes on it.
    (length >= 3 && !info.contains('`')).then_some((character, length, info))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_a_markdown_file() {
        let text = "---\nname: a\n---\ntext\n| a | b |\n```sh\n| x\n````\ny\n- ~~~\n  z\n  ~~~\nend";
        let places: String = lines(Kind::Markdown, text)
            .map(|line| match line.place {
                Place::Prose => 'p',
                Place::Table => 't',
                Place::Code => 'c',
            })
            .collect();
        assert_eq!(places, "cccptcccpcccp");
        assert!(lines(Kind::Code, text).all(|line| line.place == Place::Code));
    }
}
