//! Repairs the entries of broken frontmatter, in memory, and says what it changed.

use std::ops::Range;

use crate::diagnostic::{
    Diagnostic, Edit, FRONTMATTER_COLON, FRONTMATTER_JSON5, FRONTMATTER_QUOTED, FRONTMATTER_SCANNED,
    FRONTMATTER_TAB,
};

use super::FrontmatterError;
use super::entries::{Entry, entries};
use super::lines::Line;
use super::node::{Node, Pair, Place, move_down};
use super::yaml::{Trouble, parse_map};
use super::{json5, quote};

/// How many changes one entry may need before it is taken as plain text.
const CHANGES: usize = 24;
/// How many keys and stray lines there may be at the top.
const ENTRIES: usize = 1000;
/// How many bytes of YAML all attempts together may parse.
const WORK: usize = 8 << 20;

/// What could be read of broken frontmatter.
#[derive(Debug, Default)]
pub(super) struct Rescued {
    /// The pairs, their places relative to the lines given.
    pub(super) pairs: Vec<Pair>,
    /// What was changed or left out, places as above.
    pub(super) found: Vec<Diagnostic>,
    /// The first trouble that no repair removed.
    pub(super) unrepaired: Option<Trouble>,
}

/// Reads the lines between the fences entry by entry.
pub(super) fn rescue(lines: &[Line<'_>]) -> Result<Rescued, FrontmatterError> {
    let mut rescued = Rescued::default();
    let mut work = WORK;
    let (entries, stray) = entries(lines);
    if entries.len() + stray.len() > ENTRIES {
        return Err(FrontmatterError::Limit { limit: "number of values" });
    }
    for index in stray {
        let length = lines[index].text.chars().count() as u32;
        let said = Diagnostic::new(&FRONTMATTER_SCANNED, "text that belongs to no key; it was left out");
        rescued.found.push(said.at(index as u32 + 1, 1, length + 1, lines[index].text));
    }
    for entry in &entries {
        let mut draft = Draft::new(&lines[entry.lines.clone()], &mut work);
        let mut pairs = draft.pairs(entry, &mut rescued.unrepaired)?;
        let above = entry.lines.start as u32;
        move_down(&mut pairs, above);
        rescued.pairs.append(&mut pairs);
        rescued.found.extend(draft.found.into_iter().map(|mut found| {
            found.line += above;
            found
        }));
    }
    Ok(rescued)
}

/// One entry on its way to being YAML.
struct Draft<'a, 'w> {
    lines: &'a [Line<'a>],
    /// The lines as changed so far.
    text: Vec<String>,
    /// By how many bytes each line has grown, so that a place in it leads back to the file. Changes
    /// to one line go from left to right: indentation, colon, value.
    grown: Vec<usize>,
    found: Vec<Diagnostic>,
    work: &'w mut usize,
}

impl<'a, 'w> Draft<'a, 'w> {
    fn new(lines: &'a [Line<'a>], work: &'w mut usize) -> Self {
        let text = lines.iter().map(|line| line.text.to_owned()).collect();
        Self { lines, text, grown: vec![0; lines.len()], found: Vec::new(), work }
    }

    /// The pairs of the entry (one, but for anchors and merges), repaired or as plain text.
    fn pairs(
        &mut self,
        entry: &Entry<'_>,
        unrepaired: &mut Option<Trouble>,
    ) -> Result<Vec<Pair>, FrontmatterError> {
        for _ in 0..CHANGES {
            let text = self.text.clone();
            let trouble = match self.parse(&text) {
                Ok(pairs) => return Ok(pairs),
                Err(Trouble { limit: Some(limit), .. }) => return Err(FrontmatterError::Limit { limit }),
                Err(trouble) => trouble,
            };
            if let Some(value) = self.json5(entry.key) {
                let at = Place { line: 1, column: 1, length: entry.key.chars().count() as u32 };
                return Ok(vec![Pair { key: entry.key.to_owned(), at, value: Node::from_value(value, at) }]);
            }
            if !(self.untabbed(&trouble) || self.one_line(&trouble) || self.joined(&trouble)) {
                return Ok(vec![self.plain(entry, trouble, unrepaired)]);
            }
        }
        let trouble = Trouble { line: 1, column: 1, reason: "too many faults".to_owned(), limit: None };
        Ok(vec![self.plain(entry, trouble, unrepaired)])
    }

    fn parse(&mut self, lines: &[String]) -> Result<Vec<Pair>, Trouble> {
        let text = lines.join("\n");
        let Some(left) = self.work.checked_sub(text.len().max(64)) else {
            let limit = Some("work of repairing it");
            return Err(Trouble { line: 1, column: 1, reason: "too many faults".to_owned(), limit });
        };
        *self.work = left;
        parse_map(&text)
    }

    /// Whether the lines are better than those that gave `trouble`: no trouble, or trouble later.
    fn better(&mut self, lines: &[String], trouble: &Trouble) -> bool {
        match self.parse(lines) {
            Ok(_) => true,
            Err(next) => next.limit.is_none() && (next.line, next.column) > (trouble.line, trouble.column),
        }
    }

    /// Tabs in the indentation become blanks, as many as make the entry readable.
    fn untabbed(&mut self, trouble: &Trouble) -> bool {
        let indentation = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        if !self.text.iter().any(|line| line[..indentation(line)].contains('\t')) {
            return false;
        }
        let spread = |width: usize| -> Vec<String> {
            let blanks = " ".repeat(width);
            let spread_line = |line: &String| {
                let (before, after) = line.split_at(indentation(line));
                before.replace('\t', &blanks) + after
            };
            self.text.iter().map(spread_line).collect()
        };
        let drafts = [2, 4, 8].map(spread);
        let Some(changed) = drafts.into_iter().find(|draft| self.better(draft, trouble)) else {
            return false;
        };
        for (index, line) in changed.iter().enumerate() {
            if *line == self.text[index] {
                continue;
            }
            let original = self.lines[index];
            let tab = original.text.find('\t').unwrap_or(0);
            let message = "a tab indents this line; YAML allows blanks only";
            let range = original.start..original.start + indentation(original.text);
            let text = line[..indentation(line)].to_owned();
            let finding = Diagnostic::new(&FRONTMATTER_TAB, message).fix(line).edit(Edit { range, text });
            self.found.push(self.at(finding, index, tab..tab + 1));
            self.grown[index] += line.len() - self.text[index].len();
        }
        self.text = changed;
        true
    }

    /// The line of the trouble, or one above it, is quoted or gets the blank after its colon.
    fn one_line(&mut self, trouble: &Trouble) -> bool {
        let last = (trouble.line as usize).clamp(1, self.text.len());
        for index in (0..last).rev() {
            let line = self.text[index].clone();
            if let Some((colon, spaced)) = quote::spaced(&line)
                && self.accept(index, &spaced, trouble)
            {
                let at = colon - self.grown[index];
                let insert = self.lines[index].start + at + 1;
                let edit = Edit { range: insert..insert, text: " ".to_owned() };
                let finding = Diagnostic::new(&FRONTMATTER_COLON, "no blank after the colon");
                self.found.push(self.at(finding.fix(spaced).edit(edit), index, at..at + 1));
                self.grown[index] += 1;
                return true;
            }
            if let Some(quote::Parts { prefix, value }) = quote::take_apart(&line) {
                let quoted = quote::double_quoted(quote::meant(value));
                let fixed = format!("{prefix}{quoted}");
                if self.accept(index, &fixed, trouble) {
                    let (at, message, label) = quote::explain(value);
                    let length = value[at..].chars().next().map_or(1, char::len_utf8);
                    let from = prefix.len() - self.grown[index];
                    let start = self.lines[index].start + from;
                    let edit = Edit { range: start..start + value.len(), text: quoted };
                    let finding = Diagnostic::new(&FRONTMATTER_QUOTED, message).fix(fixed).edit(edit);
                    let finding = self.at(finding, index, from + at..from + at + length);
                    self.found.push(Diagnostic { label: label.map(str::to_owned), ..finding });
                    return true;
                }
            }
        }
        false
    }

    fn accept(&mut self, index: usize, line: &str, trouble: &Trouble) -> bool {
        let mut draft = self.text.clone();
        line.clone_into(&mut draft[index]);
        let better = self.better(&draft, trouble);
        if better {
            self.text = draft;
        }
        better
    }

    /// A text over several lines becomes one quoted line.
    fn joined(&mut self, trouble: &Trouble) -> bool {
        let first = self.text[0].clone();
        let Some(quote::Parts { prefix, value }) = quote::take_apart(&first) else { return false };
        if self.lines.len() < 2 || value.starts_with(['{', '[']) || is_block_mark(value) {
            return false;
        }
        let more = self.lines[1..].iter().map(|line| line.text.trim()).filter(|line| !line.is_empty());
        let whole = std::iter::once(value).chain(more).collect::<Vec<_>>().join(" ");
        let quoted = quote::double_quoted(quote::meant(&whole));
        let mut draft = vec![String::new(); self.lines.len()];
        draft[0] = format!("{prefix}{quoted}");
        if self.parse(&draft).is_err() {
            return false;
        }
        let index = (trouble.line as usize).clamp(1, self.lines.len()) - 1;
        let line = self.lines[index].text;
        let at = line.char_indices().nth(trouble.column as usize - 1).map_or(0, |(at, _)| at);
        let (at, message) = if line[at..].starts_with(':') {
            (at, "a colon inside plain text")
        } else {
            (0, "text that goes on in the next line without being indented")
        };
        let start = self.lines[0].start + prefix.len() - self.grown[0];
        let last = self.lines[self.lines.len() - 1];
        let edit = Edit { range: start..last.start + last.text.len(), text: quoted };
        let finding = Diagnostic::new(&FRONTMATTER_QUOTED, message)
            .label("text over several lines needs quotes")
            .fix(&*draft[0])
            .edit(edit);
        // What was changed in the value before is part of this change.
        self.found.retain(|found| found.edit.as_ref().is_some_and(|edit| edit.range.end <= start));
        self.found.push(self.at(finding, index, at..at + 1));
        self.text = draft;
        true
    }

    /// The value as JSON5, if it begins like JSON.
    fn json5(&mut self, key: &str) -> Option<serde_json::Value> {
        let value = self.value();
        let parsed = value.trim_start().starts_with(['{', '[']).then(|| json5::parse(&value)).flatten()?;
        let message = format!("{key} is JSON5, which YAML readers refuse");
        let said = Diagnostic::new(&FRONTMATTER_JSON5, message);
        self.found.push(said.at(1, 1, key.chars().count() as u32 + 1, self.lines[0].text));
        Some(parsed)
    }

    /// The value as plain text: the last resort.
    fn plain(&mut self, entry: &Entry<'_>, trouble: Trouble, unrepaired: &mut Option<Trouble>) -> Pair {
        let index = (trouble.line as usize).clamp(1, self.lines.len()) - 1;
        let line = self.lines[index].text;
        let column = trouble.column.min(line.chars().count() as u32 + 1);
        let message =
            format!("{} is no valid YAML ({}); it was kept as plain text", entry.key, trouble.reason);
        let said = Diagnostic::new(&FRONTMATTER_SCANNED, message);
        self.found = vec![said.at(index as u32 + 1, column, column + 1, line)];
        unrepaired.get_or_insert(Trouble { line: (entry.lines.start + index) as u32 + 1, column, ..trouble });
        let at = Place { line: 1, column: 1, length: entry.key.chars().count() as u32 };
        let text = self.value();
        let text = quote::meant(text.trim()).to_owned();
        Pair { key: entry.key.to_owned(), at, value: Node::from_value(text.into(), at) }
    }

    /// Everything after the key's colon, as it stands in the file.
    fn value(&self) -> String {
        let first = self.lines[0].text.split_once(':').map_or("", |(_, value)| value);
        let more = self.lines[1..].iter().map(|line| line.text);
        std::iter::once(first).chain(more).collect::<Vec<_>>().join("\n")
    }

    /// The finding at a range of bytes of a line, as it stands in the file.
    fn at(&self, finding: Diagnostic, index: usize, bytes: Range<usize>) -> Diagnostic {
        let line = self.lines[index].text;
        let column = |at: usize| line.get(..at).map_or(1, |before| before.chars().count() as u32 + 1);
        finding.at(index as u32 + 1, column(bytes.start), column(bytes.end), line)
    }
}

fn is_block_mark(value: &str) -> bool {
    value
        .strip_prefix(['>', '|'])
        .is_some_and(|rest| rest.trim_matches(['+', '-', '1', '2', '3', '4']).is_empty())
}
