//! A Markdown page as the manifest and lint look at it: lines, headings, code and numbered steps.
//!
//! After CommonMark 0.31, as far as they need it: fences (4.5), ATX headings (4.2), comments and `<pre>` (4.6), code spans
//! (6.1) and list items (5.2).

use std::ops::Range;

use crate::frontmatter::lines::lines;

/// A longer line is not written by a person, in bytes.
const PROSE: usize = 20_000;

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Running text, a list item, a table row or nothing.
    Text,
    /// An ATX heading.
    Heading,
    /// A fence.
    Fence,
    /// Inside of fenced code, or of `<pre>`.
    Code,
    /// Inside of an HTML comment.
    Comment,
}

/// A line of a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageLine<'a> {
    /// Its number in the file, from 1.
    pub(crate) number: u32,
    /// Its text without the end.
    pub(crate) text: &'a str,
    /// Where it begins in the text that was given.
    pub(crate) start: usize,
    pub(crate) kind: Kind,
}

/// Fenced code.
#[derive(Debug, Clone)]
pub(crate) struct CodeBlock<'a> {
    /// The first word behind the fence, as written.
    pub(crate) language: &'a str,
    /// The lines between the fences, as indices of the page's.
    pub(crate) lines: Range<usize>,
}

/// A page.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    pub(crate) lines: Vec<PageLine<'a>>,
    pub(crate) code: Vec<CodeBlock<'a>>,
}

/// A numbered list at the margin.
#[derive(Debug, Clone)]
pub(crate) struct List<'a> {
    /// The heading above it.
    pub(crate) heading: Option<&'a str>,
    pub(crate) steps: Vec<Step<'a>>,
}

/// An item of a numbered list at the margin.
#[derive(Debug, Clone)]
pub(crate) struct Step<'a> {
    /// Its number as written.
    pub(crate) label: &'a str,
    /// Its lines, as indices of the page's.
    pub(crate) lines: Range<usize>,
    /// Its first paragraph, behind the number.
    pub(crate) text: String,
    /// Where its text begins in its first line.
    pub(crate) at: usize,
}

/// What is open at the end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    /// Fenced code, with the character of its fence and how many there are.
    Fence(char, usize),
    /// An HTML comment.
    Comment,
    /// `<pre>`.
    Pre,
}

/// The lines of a text whose first line is line `first` of its file, one after another.
pub(crate) fn read(text: &str, first: u32) -> impl Iterator<Item = PageLine<'_>> {
    let mut open = Open::Nothing;
    (first..).zip(lines(text)).map(move |(number, line)| {
        let kind;
        (kind, open) = follow(line.text, open);
        PageLine { number, text: line.text, start: line.start, kind }
    })
}

/// What a line is, and what is open behind it.
fn follow(line: &str, open: Open) -> (Kind, Open) {
    match open {
        Open::Comment => comment(line),
        Open::Pre => (Kind::Code, if line.contains("</pre>") { Open::Nothing } else { Open::Pre }),
        Open::Fence(mark, length) if closes(line, mark, length) => (Kind::Fence, Open::Nothing),
        Open::Fence(..) => (Kind::Code, open),
        Open::Nothing => {
            let text = line.trim_start();
            if let Some((mark, length)) = fence(text) {
                (Kind::Fence, Open::Fence(mark, length))
            } else if text.starts_with("<!--") {
                comment(line)
            } else if begins_pre(text) {
                (Kind::Code, if text.contains("</pre>") { Open::Nothing } else { Open::Pre })
            } else if heading(line).is_some() {
                (Kind::Heading, Open::Nothing)
            } else {
                (Kind::Text, Open::Nothing)
            }
        }
    }
}

/// A line that begins in a comment.
fn comment(line: &str) -> (Kind, Open) {
    match line.rsplit_once("-->") {
        None => (Kind::Comment, Open::Comment),
        Some((_, shown)) if shown.trim().is_empty() => (Kind::Comment, Open::Nothing),
        Some(_) => (Kind::Text, Open::Nothing),
    }
}

fn begins_pre(text: &str) -> bool {
    text.strip_prefix("<pre").is_some_and(|rest| rest.is_empty() || rest.starts_with(['>', ' ', '\t']))
}

impl<'a> Page<'a> {
    /// Reads a text whose first line is line `first` of its file.
    pub(crate) fn of(text: &'a str, first: u32) -> Self {
        let mut page = Self { lines: Vec::new(), code: Vec::new() };
        let mut in_code = false;
        for (index, line) in read(text, first).enumerate() {
            if line.kind == Kind::Fence {
                in_code = !in_code;
                if in_code {
                    page.open_code(line.text, index + 1);
                }
            } else if let Some(block) = page.code.last_mut().filter(|_| in_code) {
                block.lines.end = index + 1;
            }
            page.lines.push(line);
        }
        page
    }

    fn open_code(&mut self, fence: &'a str, first: usize) {
        let info = fence.trim_start().trim_start_matches(['`', '~']).trim();
        let language = info.split([' ', ',', '{']).next().unwrap_or_default();
        self.code.push(CodeBlock { language, lines: first..first });
    }

    /// The lines that are shown as text: neither code nor comment, nor data that somebody put into one line.
    pub(crate) fn prose(&self) -> impl Iterator<Item = &PageLine<'a>> {
        let shown = |line: &&PageLine<'_>| matches!(line.kind, Kind::Text | Kind::Heading);
        self.lines.iter().filter(shown).filter(|line| line.text.len() <= PROSE)
    }

    /// The headings as they are read, without marks.
    pub(crate) fn headings(&self) -> impl Iterator<Item = (usize, &'a str)> {
        let marked = self.lines.iter().enumerate().filter(|(_, line)| line.kind == Kind::Heading);
        marked.filter_map(|(index, line)| Some((index, heading(line.text)?)))
    }

    /// The numbered lists at the margin that begin with 1.
    pub(crate) fn numbered(&self) -> Vec<List<'a>> {
        let mut lists: Vec<List<'a>> = Vec::new();
        let (mut open, mut above) = (false, None);
        for (index, line) in self.lines.iter().enumerate() {
            if line.kind == Kind::Heading {
                (open, above) = (false, heading(line.text));
                continue;
            }
            if let Some((label, at)) = numbered(line).filter(|_| line.kind == Kind::Text) {
                if label == "1" || lists.is_empty() || !open {
                    lists.push(List { heading: above, steps: Vec::new() });
                }
                open = true;
                if let Some(list) = lists.last_mut() {
                    list.steps.push(Step { label, lines: index..index + 1, text: String::new(), at });
                }
                continue;
            }
            let before = index.checked_sub(1).map(|before| self.lines[before].text.trim().is_empty());
            let belongs =
                line.text.starts_with([' ', '\t']) || line.text.trim().is_empty() || before == Some(false);
            let in_code = matches!(line.kind, Kind::Code | Kind::Fence);
            if !open || !(belongs || in_code) {
                open = false;
                continue;
            }
            if let Some(step) = lists.last_mut().and_then(|list| list.steps.last_mut()) {
                step.lines.end = index + 1;
            }
        }
        for step in lists.iter_mut().flat_map(|list| &mut list.steps) {
            step.text = self.first_paragraph(step);
        }
        lists.retain(|list| list.steps.first().is_some_and(|step| step.label == "1"));
        lists
    }

    fn first_paragraph(&self, step: &Step<'_>) -> String {
        let mut text = self.lines[step.lines.start].text[step.at..].to_owned();
        for line in &self.lines[step.lines.start + 1..step.lines.end] {
            let trimmed = line.text.trim();
            let ends = trimmed.is_empty() || line.kind != Kind::Text || begins_item(trimmed);
            if ends || text.len() + trimmed.len() > PROSE {
                break;
            }
            text.push(' ');
            text.push_str(trimmed);
        }
        text
    }
}

/// The number of a list item at the margin, and where its text begins.
fn numbered<'a>(line: &PageLine<'a>) -> Option<(&'a str, usize)> {
    let text = line.text;
    let indent = text.len() - text.trim_start_matches(' ').len();
    let digits = text[indent..].bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[indent + digits..].strip_prefix(['.', ')'])?;
    let blanks = rest.len() - rest.trim_start().len();
    let fits =
        text.len() <= PROSE && indent <= 1 && (1..=3).contains(&digits) && blanks > 0 && rest.len() > blanks;
    fits.then(|| (&text[indent..indent + digits], text.len() - rest.len() + blanks))
}

/// Whether a trimmed line begins a list item, a quote or a table row.
fn begins_item(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    ["- ", "* ", "+ ", "> ", "|", "• "].iter().any(|mark| text.starts_with(mark))
        || digits > 0 && text[digits..].starts_with([')', '.'])
}

/// The text of an ATX heading, without its marks.
pub(crate) fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    let fits = line.len() - text.len() <= 3 && (1..=6).contains(&level) && rest.starts_with([' ', '\t']);
    fits.then(|| rest.trim().trim_end_matches('#').trim_end())
}

/// The code fence that a line without indentation opens, as its character and length (CommonMark 4.5).
fn fence(text: &str) -> Option<(char, usize)> {
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = text.trim_start_matches(mark);
    let length = text.len() - rest.len();
    (length >= 3 && !(mark == '`' && rest.contains('`'))).then_some((mark, length))
}

/// Whether a line closes a fence: with one that is at least as long and stands alone.
fn closes(line: &str, mark: char, length: usize) -> bool {
    let text = line.trim();
    text.len() >= length && text.chars().all(|c| c == mark)
}

/// The ranges of bytes between runs of backticks of one length, the backticks with them (CommonMark 6.1).
pub(crate) fn code_spans(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('`').map(|next| at + next) {
        let length = text[start..].bytes().take_while(|&byte| byte == b'`').count();
        let mut close = start + length;
        let end = loop {
            let Some(next) = text[close..].find('`').map(|next| close + next) else { break None };
            let run = text[next..].bytes().take_while(|&byte| byte == b'`').count();
            if run == length {
                break Some(next + run);
            }
            close = next + run;
        };
        at = start + length;
        if let Some(end) = end {
            found.push(start..end);
            at = end;
        }
    }
    found
}

/// The name under which a heading can be linked to, as GitHub makes it: lower case, blanks as hyphens, other
/// punctuation left out.
pub(crate) fn anchor(heading: &str) -> String {
    // The text of a link counts, not its target; marks of emphasis and code do not.
    let (mut text, mut rest) = (String::new(), heading);
    while let Some((before, target)) = rest.split_once("](") {
        let Some((_, after)) = target.split_once(')') else { break };
        text.push_str(before);
        rest = after;
    }
    text.push_str(rest);
    text.trim()
        .chars()
        .filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_') || is_mark(c))
        .flat_map(char::to_lowercase)
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

/// A combining mark, as words of many scripts have them.
fn is_mark(c: char) -> bool {
    matches!(c as u32, 0x300..=0x36F | 0x900..=0x97F | 0xE00..=0xE7F)
}

#[cfg(test)]
mod tests {
    use super::Kind::{Code, Comment, Fence, Heading, Text};
    use super::*;

    #[test]
    fn lines_of_every_kind() {
        let page = Page::of("# T\n<!-- x\ny -->\n```sh\nls\n```\n    #no\n~~~ py\n```\n~~~\nend", 5);
        let kinds: Vec<Kind> = page.lines.iter().map(|line| line.kind).collect();
        assert_eq!(kinds, [Heading, Comment, Comment, Fence, Code, Fence, Text, Fence, Code, Fence, Text]);
        let blocks: Vec<(&str, Range<usize>)> =
            page.code.iter().map(|block| (block.language, block.lines.clone())).collect();
        assert_eq!(blocks, [("sh", 4..5), ("py", 8..9)]);
        assert_eq!(page.lines[0].number, 5);
    }

    #[test]
    fn what_stands_behind_a_comment_is_text() {
        let page = Page::of("<!-- a --> [x](gone.md)\n<!-- a\nb --> text\n<!-- a -->\n<!-- b\n-->\n", 1);
        let kinds: Vec<Kind> = page.lines.iter().map(|line| line.kind).collect();
        assert_eq!(kinds, [Text, Comment, Text, Comment, Comment, Comment]);
    }

    #[test]
    fn what_stands_in_pre_is_code() {
        let page =
            Page::of("<pre>\n[x](gone.md)\n```\n</pre>\n<pre class=\"a\">b</pre>\n<prefix>\n```sh\nls\n", 1);
        let kinds: Vec<Kind> = page.lines.iter().map(|line| line.kind).collect();
        assert_eq!(kinds, [Code, Code, Code, Code, Code, Text, Fence, Code]);
        assert_eq!(page.code.len(), 1);
        assert_eq!(page.code[0].lines, 7..8);
    }

    #[test]
    fn steps_with_what_belongs_to_them() {
        let text = "## Steps\n\n1. First\n   goes on\n\n   ```sh\n   ls\n   ```\n2) Second\n   - part\n\nText\n\n3. is none\n";
        let lists = Page::of(text, 1).numbered();
        let shape: Vec<Vec<(&str, &str, Range<usize>)>> = lists
            .iter()
            .map(|list| list.steps.iter().map(|step| (step.label, &*step.text, step.lines.clone())).collect())
            .collect();
        assert_eq!(shape, [[("1", "First goes on", 2..8), ("2", "Second", 8..11)]]);
    }

    #[test]
    fn spans_of_code() {
        assert_eq!(code_spans("a `b` ``c ` d`` `e"), [2..5, 6..15]);
        assert_eq!(code_spans("``"), [0..0; 0]);
    }

    #[test]
    fn names_of_headings() {
        for (heading, name) in [
            ("Quick Start", "quick-start"),
            ("`skill lint`: the rules!", "skill-lint-the-rules"),
            ("使用 步骤（一）", "使用-步骤一"),
            ("See [the API](x.md) & more", "see-the-api--more"),
        ] {
            assert_eq!(anchor(heading), name);
        }
    }
}
