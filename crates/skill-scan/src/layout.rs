//! Where a line of a file stands: in prose, in a table, in code.

/// How the lines of a file are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Manner {
    /// It is prose with blocks of code in it.
    pub(crate) markdown: bool,
    /// U+2028 and U+2029 end a line, as in JavaScript.
    pub(crate) separators: bool,
    /// It is what can be read of a binary, and has no lines of its own.
    pub(crate) binary: bool,
}

impl Manner {
    /// Every line is code or data.
    pub(crate) const CODE: Self = Self { markdown: false, separators: false, binary: false };
}

/// A physical line, without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'t> {
    /// From 1; 0 in a binary.
    pub(crate) number: u32,
    /// Where it starts in the text, in bytes.
    pub(crate) start: usize,
    pub(crate) text: &'t str,
    pub(crate) place: Place,
    /// Whether it is code by its place alone, without a fence.
    pub(crate) indented: bool,
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Running text of a Markdown file.
    Prose,
    /// A row of a Markdown table.
    Table,
    /// A fenced or indented block or the frontmatter of a Markdown file, or any other file.
    Code,
}

/// The lines of `text` with their places.
pub(crate) fn lines(manner: Manner, text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut markdown = manner.markdown.then(Markdown::default);
    physical(manner, text).zip(1..).map(move |((start, text), number)| {
        let place = markdown.as_mut().map_or(Place::Code, |markdown| markdown.place(number, text));
        let indented = markdown.as_ref().is_some_and(|markdown| markdown.indented);
        Line { number: if manner.binary { 0 } else { number }, start, text, place, indented }
    })
}

/// Where each line starts, and what it says. It ends at `\n`, at carriage returns with or without
/// one, and where separators count at these.
fn physical(manner: Manner, text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let mut ends = text[start..].match_indices(['\n', '\r', '\u{2028}', '\u{2029}']);
        let end = ends.find(|(_, end)| end.len() == 1 || manner.separators);
        let end = end.map(|(at, end)| (start + at, end.len()));
        next = end.map(|(at, bytes)| {
            // Two returns are what a conversion leaves that was done twice.
            let long = ["\r\n", "\r\r\n"].into_iter().find(|end| text[at..].starts_with(end));
            at + long.map_or(bytes, str::len)
        });
        Some((start, &text[start..end.map_or(text.len(), |(at, _)| at)]))
    })
}

/// Where each physical line of a text starts.
pub(crate) struct LineStarts {
    starts: Vec<usize>,
    binary: bool,
}

impl LineStarts {
    pub(crate) fn new(manner: Manner, text: &str) -> Self {
        Self { starts: physical(manner, text).map(|(start, _)| start).collect(), binary: manner.binary }
    }

    /// Number, from 1, of the line that holds the byte at `offset`; 0 in a binary.
    pub(crate) fn line_at(&self, offset: usize) -> u32 {
        if self.binary { 0 } else { self.starts.partition_point(|&start| start <= offset) as u32 }
    }
}

/// How far a Markdown file was read.
#[derive(Default)]
struct Markdown {
    /// The open fence: its character and length.
    fence: Option<(u8, usize)>,
    frontmatter: bool,
    /// Whether the line before was empty, or ends a block.
    after_gap: bool,
    /// Whether this line is in a block that is code by its indent.
    indented: bool,
    /// The column at which the text of the item of a list begins that is open.
    item: usize,
}

impl Markdown {
    fn place(&mut self, number: u32, line: &str) -> Place {
        if number == 1 && line.trim_start_matches('\u{FEFF}').trim_end() == "---" {
            (self.frontmatter, self.after_gap) = (true, true);
            return Place::Code;
        }
        if self.frontmatter {
            self.frontmatter = line.trim_end() != "---";
            return Place::Code;
        }
        // Quotes and lists may hold a fence.
        let inner = line.trim_start_matches([' ', '\t', '>']);
        if let Some((character, length, info)) = fence(inner) {
            (self.indented, self.after_gap) = (false, true);
            match self.fence {
                None => self.fence = Some((character, length)),
                Some((open, least)) if open == character && length >= least && info.is_empty() => {
                    self.fence = None;
                }
                Some(_) => {}
            }
            return Place::Code;
        }
        if self.fence.is_some() || self.is_indented(line) {
            return Place::Code;
        }
        if inner.starts_with('|') { Place::Table } else { Place::Prose }
    }
}

impl Markdown {
    /// Whether a line is code as four blanks stand before it, counted from the text of the item of
    /// a list that it belongs to, and no paragraph goes on with it (CommonMark 4.4).
    fn is_indented(&mut self, line: &str) -> bool {
        let text = line.trim_start();
        if text.is_empty() {
            (self.indented, self.after_gap) = (false, true);
            return false;
        }
        let indent = line[..line.len() - text.len()]
            .bytes()
            .fold(0, |column, byte| if byte == b'\t' { column / 4 * 4 + 4 } else { column + 1 });
        if indent < self.item && self.after_gap {
            self.item = 0;
        }
        self.indented = self.after_gap && indent >= self.item + 4;
        self.after_gap = self.indented || text.starts_with('#');
        if !self.indented
            && let Some(width) = item(text)
        {
            self.item = indent + width;
        }
        self.indented
    }
}

/// How many columns the marker of an item of a list takes, with the blanks behind it.
fn item(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match text.as_bytes().get(digits)? {
        b'-' | b'*' | b'+' if digits == 0 => 1,
        b'.' | b')' if (1..=9).contains(&digits) => digits + 1,
        _ => return None,
    };
    let blanks = text[marker..].bytes().take_while(|&byte| byte == b' ').count();
    match blanks {
        0 => None,
        1..=4 => Some(marker + blanks),
        _ => Some(marker + 1),
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

    const MARKDOWN: Manner = Manner { markdown: true, ..Manner::CODE };

    #[test]
    fn places_of_a_markdown_file() {
        let text = "---\nname: a\n---\ntext\n| a | b |\n```sh\n| x\n````\ny\n- ~~~\n  z\n  ~~~\nend";
        let places: String = lines(MARKDOWN, text)
            .map(|line| match line.place {
                Place::Prose => 'p',
                Place::Table => 't',
                Place::Code => 'c',
            })
            .collect();
        assert_eq!(places, "cccptcccpcccp");
        assert!(lines(Manner::CODE, text).all(|line| line.place == Place::Code));
    }

    #[test]
    fn code_by_its_indent() {
        let code = |text: &str| {
            lines(MARKDOWN, text).map(|line| if line.indented { 'c' } else { '-' }).collect::<String>()
        };
        assert_eq!(code("a\n\n    b\n\tc\n\n    d\ne"), "--cc-c-");
        assert_eq!(code("# a\n    b\n---\n\n   c"), "-c---");
        assert_eq!(code("a\n    goes on"), "--");
        assert_eq!(code("- a\n\n    text\n\n      code\n\nb\n\n    code"), "----c---c");
        assert_eq!(code("1. a\n   - b\n\n        text\n\n         code"), "-----c");
    }

    #[test]
    fn where_a_line_ends() {
        let text = "a\nb\r\nc\r\r\nd\re\r\rf\u{2028}g\n";
        let all = |manner| lines(manner, text).map(|line| line.text).collect::<Vec<_>>();
        assert_eq!(all(Manner::CODE), ["a", "b", "c", "d", "e", "", "f\u{2028}g", ""]);
        let script = Manner { separators: true, ..Manner::CODE };
        assert_eq!(all(script), ["a", "b", "c", "d", "e", "", "f", "g", ""]);
        let starts = LineStarts::new(script, text);
        for line in lines(script, text) {
            assert_eq!(starts.line_at(line.start), line.number, "{line:?}");
        }
    }
}
