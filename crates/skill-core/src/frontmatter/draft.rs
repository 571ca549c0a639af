//! One top-level entry on its way to being YAML.

use std::collections::HashSet;
use std::ops::Range;

use crate::diagnostic::{
    Diagnostic, Edit, FRONTMATTER_COLON, FRONTMATTER_JSON5, FRONTMATTER_QUOTED, FRONTMATTER_SCANNED, Rule,
};

use super::budget::{Limit, Work};
use super::entries::Entry;
use super::lines::Line;
use super::node::{Node, Pair, Place, replace};
use super::patch::{Columns, Patched};
use super::yaml::{Trouble, parse_part};
use super::{indent, json5, quote};

/// How many changes one entry may need before it is taken as plain text.
const CHANGES: usize = 200;
/// How many lines above a trouble may be the one that is quoted.
const ABOVE: usize = 100;
const NO_BLANK: &str = "no blank after the colon";

/// What to call a text whose keys were misread, on a line.
pub(super) fn misread(line: u32) -> Trouble {
    Trouble { line, column: 1, reason: NO_BLANK.to_owned(), limit: None }
}

/// An entry and what is changed in it.
pub(super) struct Draft<'a, 'w> {
    key: &'a str,
    /// Index of its first line in the frontmatter.
    first: usize,
    pub(super) lines: Vec<Patched<'a>>,
    /// Findings; lines are those of the frontmatter.
    pub(super) found: Vec<Diagnostic>,
    anchors: &'w HashSet<&'w str>,
    work: &'w mut Work,
}

impl<'a, 'w> Draft<'a, 'w> {
    /// A draft of an entry. `anchors` may be defined in other entries; `work` is what all entries share.
    pub(super) fn new(
        entry: &Entry<'a>,
        lines: &[Line<'a>],
        anchors: &'w HashSet<&'w str>,
        work: &'w mut Work,
    ) -> Self {
        let lines = lines[entry.lines.clone()].iter().map(|line| Patched::new(*line)).collect();
        let (first, found) = (entry.lines.start, Vec::new());
        Self { key: entry.key, first, lines, found, anchors, work }
    }

    /// The pairs of the entry (one, but for merges), repaired or as plain text. Places are those of the
    /// changed lines, counted from the entry's first.
    pub(super) fn read(&mut self, unrepaired: &mut Option<Trouble>) -> Result<Vec<Pair>, Limit> {
        for change in 0..CHANGES {
            let lines = self.current();
            let trouble = match self.parse(&lines)? {
                Ok(pairs) => match misread_line(&pairs, &lines) {
                    None => return indent::without_needless(self, pairs),
                    Some(line) => misread(line),
                },
                Err(Trouble { limit: Some(limit), .. }) => return Err(Limit(limit)),
                Err(trouble) => trouble,
            };
            // What stands in the file does not change.
            if change == 0
                && let Some(value) = self.json5()?
            {
                return Ok(vec![self.replaced(value)]);
            }
            if !self.repair(&trouble)? {
                return Ok(vec![self.plain(trouble, unrepaired)]);
            }
        }
        let trouble = Trouble { line: 1, column: 1, reason: "too many faults".to_owned(), limit: None };
        Ok(vec![self.plain(trouble, unrepaired)])
    }

    /// Makes the first change that helps.
    fn repair(&mut self, trouble: &Trouble) -> Result<bool, Limit> {
        Ok(indent::without_tabs(self, trouble)?
            || indent::of_block(self, trouble)?
            || indent::of_list(self)?
            || self.one_line(trouble)?
            || indent::as_above(self, trouble)?
            || self.joined(trouble)?)
    }

    /// The entry as YAML, a line for each of its lines.
    pub(super) fn current(&self) -> Vec<String> {
        self.lines.iter().map(|line| line.text().to_owned()).collect()
    }

    /// Reads lines as the entry; the outer error is that all the work is spent.
    pub(super) fn parse(&mut self, lines: &[String]) -> Result<Result<Vec<Pair>, Trouble>, Limit> {
        // With the end of the last line, which is part of a text below `|+`.
        let text = lines.join("\n") + "\n";
        self.work.attempt(lines.len(), text.len())?;
        Ok(parse_part(&text, self.anchors))
    }

    /// Whether the lines are better than those that gave `trouble`: no trouble, or trouble later.
    pub(super) fn better(&mut self, lines: &[String], trouble: &Trouble) -> Result<bool, Limit> {
        self.reads_beyond(lines, (trouble.line, trouble.column))
    }

    /// Whether lines give no trouble, or one beyond a line and column.
    pub(super) fn reads_beyond(&mut self, lines: &[String], place: (u32, u32)) -> Result<bool, Limit> {
        Ok(match self.parse(lines)? {
            Ok(_) => true,
            Err(next) => next.limit.is_none() && (next.line, next.column) > place,
        })
    }

    /// Makes a change to one line if that is better, and gives the bytes of the file's line that it changes.
    pub(super) fn accept(
        &mut self,
        index: usize,
        range: Range<usize>,
        text: &str,
        trouble: &Trouble,
    ) -> Result<Option<Range<usize>>, Limit> {
        let mut lines = self.current();
        lines[index].replace_range(range.clone(), text);
        Ok(self.better(&lines, trouble)?.then(|| self.lines[index].change(range, text)))
    }

    /// The line of the trouble, or one not far above it, is quoted or gets the blank after its colon.
    fn one_line(&mut self, trouble: &Trouble) -> Result<bool, Limit> {
        let last = (trouble.line as usize).clamp(1, self.lines.len());
        let texts = indent::block_texts(&self.current());
        for index in (last.saturating_sub(ABOVE)..last).rev().filter(|&index| !texts[index]) {
            if self.spaced(index, trouble)? || self.quoted(index, trouble)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn spaced(&mut self, index: usize, trouble: &Trouble) -> Result<bool, Limit> {
        let line = self.lines[index].text().to_owned();
        let Some((colon, fixed)) = quote::spaced(&line) else { return Ok(false) };
        let colon = colon..colon + line[colon..].chars().next().map_or(1, char::len_utf8);
        let wide = colon.len() > 1;
        let Some(old) = self.accept(index, colon, ": ", trouble)? else { return Ok(false) };
        let message = if wide { "a full-width colon after the key" } else { NO_BLANK };
        let edit = self.edit(index, old.clone(), ": ");
        let finding = Diagnostic::new(&FRONTMATTER_COLON, message).fix(fixed).edit(edit);
        self.find(finding, index, old);
        Ok(true)
    }

    fn quoted(&mut self, index: usize, trouble: &Trouble) -> Result<bool, Limit> {
        let line = self.lines[index].text().to_owned();
        let Some(quote::Parts { prefix, value }) = quote::take_apart(&line) else { return Ok(false) };
        let quoted = quote::double_quoted(quote::meant(value));
        let range = prefix.len()..prefix.len() + value.len();
        if self.lines[index].is_put_in(&range) {
            // Quoted before: the trouble is another line's.
            return Ok(false);
        }
        let Some(old) = self.accept(index, range, &quoted, trouble)? else { return Ok(false) };
        let (at, message, label) = quote::explain(value, &trouble.reason);
        let length = value[at..].chars().next().map_or(1, char::len_utf8);
        let edit = self.edit(index, old.clone(), &quoted);
        let finding =
            Diagnostic::new(&FRONTMATTER_QUOTED, message).fix(format!("{prefix}{quoted}")).edit(edit);
        let from = (old.start + at).min(self.lines[index].line.text.len());
        let marked = from..(from + length).min(self.lines[index].line.text.len());
        self.find(Diagnostic { label: label.map(str::to_owned), ..finding }, index, marked);
        Ok(true)
    }

    /// A text over several lines becomes one quoted line.
    fn joined(&mut self, trouble: &Trouble) -> Result<bool, Limit> {
        let first = self.lines[0].text().to_owned();
        let Some(quote::Parts { prefix, value }) = quote::take_apart(&first) else { return Ok(false) };
        // As it stands in the file: it may have been quoted before.
        let value = quote::take_apart(self.lines[0].line.text).map_or(value, |parts| parts.value);
        if self.lines.len() < 2 || value.starts_with(['{', '[']) || is_block_mark(value) {
            return Ok(false);
        }
        let more = self.lines[1..].iter().map(|line| line.line.text.trim()).filter(|line| !line.is_empty());
        let whole = std::iter::once(value).chain(more).collect::<Vec<_>>().join(" ");
        let quoted = quote::double_quoted(quote::meant(&whole));
        let mut lines = vec![String::new(); self.lines.len()];
        lines[0] = format!("{prefix}{quoted}");
        if self.parse(&lines)?.is_err() {
            return Ok(false);
        }
        let index = (trouble.line as usize).clamp(1, self.lines.len()) - 1;
        let at = self.lines[index].original_column(trouble.column);
        let line = self.lines[index].line.text;
        let at = line.char_indices().nth(at as usize - 1).map_or(0, |(at, _)| at);
        let (at, message) = if line[at..].starts_with(':') {
            (at, "a colon inside plain text")
        } else {
            (0, "text that goes on in the next line without being indented")
        };
        let last = &self.lines[self.lines.len() - 1].line;
        let end = last.start + last.text.len();
        let old = self.lines[0].change(prefix.len()..first.len(), &quoted);
        let start = self.lines[0].line.start + old.start;
        for line in &mut self.lines[1..] {
            line.change(0..line.text().len(), "");
        }
        // What was changed in the value before is part of this change.
        self.found.retain(|found| found.edit.as_ref().is_some_and(|edit| edit.range.end <= start));
        let finding = Diagnostic::new(&FRONTMATTER_QUOTED, message)
            .label("text over several lines needs quotes")
            .fix(&*lines[0])
            .edit(Edit { range: start..end, text: quoted });
        self.find(finding, index, at..at + 1);
        Ok(true)
    }

    /// The value as JSON5, if it begins like JSON.
    fn json5(&mut self) -> Result<Option<serde_json::Value>, Limit> {
        let value = self.value();
        if !value.trim_start().starts_with(['{', '[']) {
            return Ok(None);
        }
        self.work.attempt(self.lines.len(), value.len())?;
        let Some(parsed) = json5::parse(&value) else { return Ok(None) };
        let message = format!("{} is JSON5, which YAML readers refuse", self.key);
        let key = self.key_bytes();
        self.find(Diagnostic::new(&FRONTMATTER_JSON5, message), 0, key);
        Ok(Some(parsed))
    }

    /// The value as plain text: the last resort.
    fn plain(&mut self, trouble: Trouble, unrepaired: &mut Option<Trouble>) -> Pair {
        let index = (trouble.line as usize).clamp(1, self.lines.len()) - 1;
        let line = self.lines[index].line.text;
        let column = self.lines[index].original_column(trouble.column);
        let number = (self.first + index) as u32 + 1;
        let message =
            format!("{} is no valid YAML ({}); it was kept as plain text", self.key, trouble.reason);
        let said = Diagnostic::new(&FRONTMATTER_SCANNED, message).at(number, column, column + 1, line);
        self.found = vec![said];
        unrepaired.get_or_insert(Trouble { line: number, column, ..trouble });
        let text = self.value();
        self.replaced(quote::meant(text.trim()).into())
    }

    /// The pair with another value; the entry becomes one line that holds it.
    fn replaced(&mut self, value: serde_json::Value) -> Pair {
        let key = self.key_bytes();
        let first = self.lines[0].line;
        let at = Place {
            line: 1,
            column: self.lines[0].column_of(key.start),
            length: first.text[key.clone()].chars().count() as u32,
        };
        let yaml = format!("{}{}: {value}", " ".repeat(key.start), quote::double_quoted(self.key));
        self.lines[0] = Patched::replaced(first, key, yaml);
        for line in &mut self.lines[1..] {
            *line = Patched::replaced(line.line, 0..0, String::new());
        }
        Pair { key: self.key.to_owned(), at, value: Node::from_value(value, at) }
    }

    /// The bytes of the first line that the key takes.
    fn key_bytes(&self) -> Range<usize> {
        let first = self.lines[0].line.text;
        let start = first.len() - first.trim_start().len();
        start..first.find([':', '：']).unwrap_or(first.len()).max(start)
    }

    /// Everything after the key's colon, as it stands in the file.
    fn value(&self) -> String {
        let first = self.lines[0].line.text.split_once([':', '：']).map_or("", |(_, value)| value);
        let more = self.lines[1..].iter().map(|line| line.line.text);
        std::iter::once(first).chain(more).collect::<Vec<_>>().join("\n")
    }

    /// The change of a line as a change of the file.
    pub(super) fn edit(&self, index: usize, bytes: Range<usize>, text: &str) -> Edit {
        let start = self.lines[index].line.start;
        Edit { range: start + bytes.start..start + bytes.end, text: text.to_owned() }
    }

    /// The lines, as indices, that findings of a rule are about.
    pub(super) fn lines_with(&self, rule: &Rule) -> Vec<usize> {
        let of_rule = self.found.iter().filter(|found| found.code == rule.code);
        of_rule.map(|found| found.line as usize - 1 - self.first).collect()
    }

    /// Adds a finding at a range of bytes of a line, as it stands in the file.
    pub(super) fn find(&mut self, finding: Diagnostic, index: usize, bytes: Range<usize>) {
        if let Some(Edit { range, .. }) = &finding.edit {
            // What it changes again is part of it.
            for before in &mut self.found {
                before.edit.take_if(|edit| range.start <= edit.range.start && edit.range.end <= range.end);
            }
        }
        let line = &self.lines[index];
        let (from, to) = (line.column_of(bytes.start), line.column_of(bytes.end));
        self.found.push(finding.at((self.first + index) as u32 + 1, from, to, line.line.text));
    }
}

/// The line (from 1) of the first key that YAML reads, but not as it was meant.
fn misread_line(pairs: &[Pair], lines: &[String]) -> Option<u32> {
    if lacks_blank(pairs, lines) { Some(1) } else { indent::odd_keys(pairs, lines).first().copied() }
}

/// Whether a colon without a blank became part of a key: `description:reads a file: any`.
pub(super) fn lacks_blank(pairs: &[Pair], lines: &[String]) -> bool {
    pairs.iter().any(|pair| {
        let line = lines.get(pair.at.line as usize - 1).map_or("", |line| line.trim_start());
        line.starts_with(&*pair.key)
            && pair.key.split_once([':', '：']).is_some_and(|(key, _)| matches!(key, "name" | "description"))
    })
}

/// Leads the places of pairs back to the file. `numbers` are the lines that were changed, as indices of the
/// frontmatter, in order.
pub(super) fn lead_back(pairs: &mut [Pair], numbers: &[usize], lines: &[Patched<'_>]) {
    if lines.iter().all(|line| !line.is_changed()) {
        return;
    }
    let columns: Vec<Option<Columns>> =
        lines.iter().map(|line| line.is_changed().then(|| line.columns())).collect();
    replace(pairs, &|at: Place| {
        let line = numbers.binary_search(&(at.line as usize).saturating_sub(1));
        let Some(columns) = line.ok().and_then(|index| columns[index].as_ref()) else { return at };
        let columns = columns.originals(at.column..at.column + at.length);
        Place { line: at.line, column: columns.start, length: columns.end - columns.start }
    });
}

/// Whether a value is `>` or `|` with its signs and nothing else.
pub(super) fn is_block_mark(value: &str) -> bool {
    value.strip_prefix(['>', '|']).is_some_and(|rest| {
        rest.len() <= 2 && rest.bytes().all(|sign| matches!(sign, b'+' | b'-' | b'1'..=b'9'))
    })
}
