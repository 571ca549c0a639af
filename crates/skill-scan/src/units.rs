//! Logical lines: what a shell, or a reader, takes as one.
//!
//! A command may run over several lines (a backslash, a backtick in PowerShell, a caret in a
//! batch file, a pipe at either end of a line, with comments and empty lines behind it), a paragraph of prose as well. The text of a unit is as long
//! as the lines that it was made of, so that every offset in it belongs to a line.

use std::borrow::Cow;
use std::ops::Range;

use crate::comments::Comments;
use crate::layout::{Line, Place};

/// Stands for a `||`, byte by byte: no pipe.
const OR: u8 = 0x1E;
/// Stands for the border of a table cell or of a code span, or for `\|`, byte by byte.
pub(crate) const BORDER: char = '\u{1F}';

/// The most physical lines that make one logical line.
const MOST_LINES: usize = 400;

/// A logical line.
#[derive(Debug)]
pub(crate) struct Unit<'t> {
    pub(crate) place: Place,
    /// As it is written, the lines joined by blanks.
    pub(crate) raw: Cow<'t, str>,
    /// Where each physical line starts in it, and that line.
    starts: Vec<(usize, Line<'t>)>,
    /// What stands between a pipe and the lines of its command, and seems to be a comment.
    asides: Vec<Range<usize>>,
    /// The line before it, which may say what it is about.
    pub(crate) before: &'t str,
    /// The heading that it stands below, in a Markdown file.
    pub(crate) heading: &'t str,
    /// The heading above that one, of a higher level.
    pub(crate) above: &'t str,
    /// The line that ends in a colon and leads to it, in a Markdown file.
    pub(crate) lead: &'t str,
}

impl Unit<'_> {
    /// The physical line that holds the byte at `offset`.
    pub(crate) fn line_at(&self, offset: usize) -> u32 {
        self.holding(offset).map_or(0, |(_, line)| line.number)
    }

    /// Where in the file the byte at `offset` stands.
    pub(crate) fn in_file(&self, offset: usize) -> usize {
        self.holding(offset).map_or(0, |(start, line)| line.start + (offset - start))
    }

    /// `text`, which is that of the unit, as it is run if its asides are comments; as long as it.
    pub(crate) fn without_asides<'s>(&self, text: &'s str) -> Cow<'s, str> {
        let mut said = Cow::Borrowed(text);
        for aside in &self.asides {
            said.to_mut().replace_range(aside.clone(), &" ".repeat(aside.len()));
        }
        said
    }

    fn holding(&self, offset: usize) -> Option<&(usize, Line<'_>)> {
        let after = self.starts.partition_point(|&(start, _)| start <= offset);
        self.starts.get(after.saturating_sub(1))
    }

    /// The text to match against: pipes that are none, and the borders of code spans, are taken
    /// out. As long as `raw`.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        if !self.raw.contains(['|', '`']) {
            return Cow::Borrowed(&self.raw);
        }
        Cow::Owned(with_borders(&self.raw, self.place))
    }
}

/// Joins `lines` to logical ones; what ends in one of `comments` goes on only where a pipe stands before that.
pub(crate) fn units<'t>(
    lines: impl Iterator<Item = Line<'t>>,
    comments: &Comments,
) -> impl Iterator<Item = Unit<'t>> {
    let mut lines = lines.peekable();
    let (mut before, mut heading, mut above, mut lead) = ("", "", "", "");
    std::iter::from_fn(move || {
        let first = lines.next()?;
        if first.place == Place::Prose && is_heading(first.text) {
            if level(first.text) > level(heading) {
                above = heading;
            } else if level(first.text) <= level(above) {
                above = "";
            }
            (heading, lead) = (first.text, "");
        }
        let mut unit = Unit {
            place: first.place,
            raw: Cow::Borrowed(first.text),
            starts: vec![(0, first)],
            asides: Vec::new(),
            before,
            heading,
            above,
            lead,
        };
        let (mut last, mut start) = (first, 0);
        let mut end = End::of(&first, false, comments);
        while unit.starts.len() < MOST_LINES
            && let Some(next) = lines.next_if(|next| continues(&last, end, next))
        {
            let raw = unit.raw.to_mut();
            if end.mark {
                raw.truncate(raw.trim_end().len() - 1);
            }
            unit.asides
                .extend(end.aside.map(|aside| start + aside..raw.len()).filter(|aside| !aside.is_empty()));
            raw.push(' ');
            start = raw.len();
            unit.starts.push((start, next));
            raw.push_str(next.text);
            end = End::of(&next, end.pipe, comments);
            last = next;
        }
        before = last.text;
        if first.place == Place::Prose && !starts_block(first.text) {
            lead = if leads(last.text) { last.text } else { "" };
        }
        Some(unit)
    })
}

/// How a line of code ends.
#[derive(Debug, Clone, Copy, Default)]
struct End {
    /// In a comment beyond doubt.
    comment: bool,
    /// In a mark that says that it goes on.
    mark: bool,
    /// In a pipe, but for what may be a comment: its command is on a further line.
    pipe: bool,
    /// Where that begins in the line.
    aside: Option<usize>,
}

impl End {
    /// `after_pipe` if the line before it ended in a pipe.
    fn of(line: &Line<'_>, after_pipe: bool, comments: &Comments) -> Self {
        let text = line.text;
        if line.place != Place::Code {
            return Self::default();
        }
        let proven = text.len().checked_sub(1).and_then(|last| comments.start_at(line.start + last));
        let comment = proven.map(|start| start.saturating_sub(line.start));
        let (trimmed, mark) = (text.trim_start(), comment.is_none() && has_mark(text));
        let indent = text.len() - trimmed.len();
        let is_aside =
            trimmed.is_empty() || trimmed.starts_with('#') || comment.is_some_and(|at| at <= indent);
        if after_pipe && is_aside {
            return Self { comment: comment.is_some(), mark, pipe: true, aside: Some(0) };
        }
        let aside = comment.or_else(|| behind_pipe(text));
        let pipe = ends_in_pipe(aside.map_or(text, |at| &text[..at]));
        Self { comment: comment.is_some(), mark, pipe, aside: aside.filter(|_| pipe) }
    }
}

/// Where a `#` stands behind a pipe with nothing but blanks between them.
fn behind_pipe(line: &str) -> Option<usize> {
    line.match_indices('#').map(|(at, _)| at).find(|&at| line[..at].trim_end().ends_with('|'))
}

/// Whether `next` belongs to the same logical line as `line`.
fn continues(line: &Line<'_>, end: End, next: &Line<'_>) -> bool {
    if line.place != next.place || end.comment && !end.pipe {
        return false;
    }
    if opens_key(line.text) {
        return true;
    }
    match line.place {
        Place::Table => false,
        Place::Prose => !line.text.trim().is_empty() && !starts_block(next.text) && !is_heading(line.text),
        Place::Code => end.mark || end.pipe || starts_with_pipe(next.text),
    }
}

/// The first line of a private key, which says nothing without the next one.
fn opens_key(line: &str) -> bool {
    line.trim_end().ends_with("PRIVATE KEY-----") && line.contains("BEGIN")
}

/// A mark at the end of a line that says that it goes on.
fn has_mark(line: &str) -> bool {
    let line = line.trim_end();
    let marks = line.bytes().rev().take_while(|&b| b == b'\\').count();
    marks % 2 == 1 || line.ends_with(" `") || line.ends_with(" ^")
}

/// A pipe at the end, but not the one that opens a block of text in YAML.
fn ends_in_pipe(line: &str) -> bool {
    let line = line.trim_end();
    line.strip_suffix('|').is_some_and(|rest| !rest.trim_end().ends_with([':', '-']) && !rest.ends_with('|'))
}

/// A pipe at the start, also inside of a string that goes on.
fn starts_with_pipe(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches(['"', '\'', 'f', '+', ' ']);
    line.starts_with('|') && !line.starts_with("||")
}

fn is_heading(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// How deep a heading is.
fn level(heading: &str) -> usize {
    heading.trim_start().bytes().take_while(|&b| b == b'#').count()
}

/// Whether what follows a line is what it talks about.
fn leads(line: &str) -> bool {
    line.trim_end_matches([' ', '\t', '*', '_', '`']).ends_with([':', '：'])
}

/// An empty line, a heading, or an item of a list.
fn starts_block(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    line.is_empty()
        || is_heading(line)
        || ["- ", "* ", "+ "].iter().any(|marker| line.starts_with(marker))
        || (digits > 0 && (line[digits..].starts_with(". ") || line[digits..].starts_with(") ")))
}

fn with_borders(raw: &str, place: Place) -> String {
    let mut bytes = raw.as_bytes().to_vec();
    let mut in_span = false;
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'`', _) if place != Place::Code => {
                // No command runs out of its code span.
                let single = bytes.get(at + 1) != Some(&b'`') && (at == 0 || raw.as_bytes()[at - 1] != b'`');
                if single {
                    bytes[at] = BORDER as u8;
                }
                in_span = !in_span;
            }
            (b'|', Some(b'|')) => {
                bytes[at..at + 2].fill(OR);
                at += 1;
            }
            (b'\\', Some(b'|')) => {
                // Markdown shows an escaped pipe as a pipe; a code span does so in tables only.
                let shown = place == Place::Table || (place == Place::Prose && !in_span);
                bytes[at..at + 2].copy_from_slice(if shown { b" |" } else { &[BORDER as u8; 2] });
                at += 1;
            }
            (b'|', _) if place == Place::Table && !in_span => bytes[at] = BORDER as u8,
            _ => {}
        }
        at += 1;
    }
    // Only ASCII was put in the place of ASCII.
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::layout::{Manner, lines};

    const MARKDOWN: Manner = Manner { markdown: true, ..Manner::CODE };

    fn texts(manner: Manner, text: &str) -> Vec<String> {
        units(lines(manner, text), &Comments::default()).map(|unit| unit.text().into_owned()).collect()
    }

    #[test]
    fn continuations_are_joined_and_keep_their_lines() {
        let text = "a \\\n  b |\n c\nd\n  | e\nf";
        let units: Vec<_> = units(lines(Manner::CODE, text), &Comments::default()).collect();
        let raw: Vec<_> = units.iter().map(|unit| unit.raw.as_ref()).collect();
        assert_eq!(raw, ["a    b |  c", "d   | e", "f"]);
        let at = |unit: usize, text: &str| units[unit].line_at(units[unit].raw.find(text).unwrap());
        assert_eq!((at(0, "a"), at(0, "b"), at(0, "c"), at(1, "e"), at(2, "f")), (1, 2, 3, 5, 6));
    }

    #[test]
    fn a_comment_does_not_go_on() {
        let text = "# a \\\nb \\\nc\nd # e \\\nf |\n# g |\nh\n";
        let comments = Comments::of(Language::Shell, text);
        let units: Vec<_> = units(lines(Manner::CODE, text), &comments).collect();
        let raw: Vec<_> = units.iter().map(|unit| unit.raw.as_ref()).collect();
        assert_eq!(raw, ["# a \\", "b  c", "d # e \\", "f | # g | h", ""]);
        assert_eq!(units[3].in_file(6), text.find('g').unwrap());
    }

    #[test]
    fn comments_behind_a_pipe() {
        let said = |language, text: &str| {
            let comments = Comments::of(language, text);
            units(lines(Manner::CODE, text), &comments)
                .map(|unit| {
                    let said = unit.without_asides(&unit.raw).into_owned();
                    assert_eq!(said.len(), unit.raw.len());
                    said.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
                })
                .collect::<Vec<_>>()
        };
        for language in [Language::Shell, Language::Unknown] {
            assert_eq!(said(language, "a | # b\n  c\nd"), ["a | c", "d"]);
            assert_eq!(said(language, "a |\n\n  # b | c\n#d \\\n\n e | # f\n g"), ["a | e | g"]);
            assert_eq!(said(language, "a |# b\nc"), ["a | c"]);
            assert_eq!(said(language, "a || # b\nc"), ["a || # b", "c"]);
            assert_eq!(said(language, "a: | # b\nc"), ["a: | # b", "c"]);
        }
        assert_eq!(said(Language::Shell, "# a | # b\nc"), ["# a | # b", "c"]);
    }

    #[test]
    fn what_does_not_go_on() {
        assert_eq!(texts(Manner::CODE, "run: |\n  x"), ["run: |", "  x"]);
        assert_eq!(texts(Manner::CODE, "x \\\\\ny").len(), 2);
        assert_eq!(texts(MARKDOWN, "a\nb\n\nc\n- d\n- e\n# f\ng").len(), 6 + 1);
    }

    #[test]
    fn headings_and_leads() {
        let text = "# A\n\nNever run:\n\n- a\n- b\n\n```\nc\n```\nd\n- e\n## B\nf";
        let all: Vec<_> = units(lines(MARKDOWN, text), &Comments::default())
            .filter(|unit| !unit.raw.trim().is_empty())
            .map(|unit| format!("{}|{}|{}", unit.raw, unit.heading, unit.lead))
            .collect();
        assert_eq!(
            all,
            [
                "# A|# A|",
                "Never run:|# A|",
                "- a|# A|Never run:",
                "- b|# A|Never run:",
                "```|# A|Never run:",
                "c|# A|Never run:",
                "```|# A|Never run:",
                "d|# A|Never run:",
                "- e|# A|",
                "## B|## B|",
                "f|## B|",
            ]
        );
    }

    #[test]
    fn pipes_that_are_none() {
        assert_eq!(texts(Manner::CODE, "a || b | c"), ["a \u{1e}\u{1e} b | c"]);
        assert_eq!(texts(Manner::CODE, r"grep 'a \| b'"), ["grep 'a \u{1f}\u{1f} b'"]);
        assert_eq!(
            texts(MARKDOWN, r"| `a | b` | c \| d |"),
            ["\u{1f} \u{1f}a | b\u{1f} \u{1f} c  | d \u{1f}"]
        );
        assert_eq!(texts(MARKDOWN, r"x \| y `p \| q`"), ["x  | y \u{1f}p \u{1f}\u{1f} q\u{1f}"]);
    }
}
