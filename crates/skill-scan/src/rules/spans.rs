//! Passages of a page that nobody sees and an agent reads: `rules/hidden_text.toml`.

use super::Notes;
use super::mention::{head, tail};
use crate::file::SourceFile;
use crate::layout::{LineStarts, Place, lines};
use crate::ruleset::SpanRule;
use crate::work::Work;
use crate::{Hit, RuleSet};

/// How much of a passage is read.
const LONGEST: usize = 4096;
/// How far before a passage the code span may begin that it is in.
const BESIDE: usize = 1024;

pub(crate) fn scan(file: &SourceFile<'_>, rules: &RuleSet, work: &mut Work, hits: &mut Vec<Hit>) {
    let text = file.text();
    if file.is_program() || file.is_binary() || !work.take(text.len()) {
        return;
    }
    let mut notes = Notes::new(file, hits);
    // Most texts end here, before anything is known of their lines.
    let mut layout = None;
    for rule in &rules.spans {
        for (start, passage) in passages(rule, text) {
            let Some(order) = rule.order(passage, work) else { continue };
            let layout = layout.get_or_insert_with(|| Layout::of(file, text));
            if !layout.shows(text, start) {
                notes.note(&rule.about, layout.starts.line_at(start), &rule.about.message, order);
            }
        }
    }
}

/// The passages of a text, none inside of another: every byte is read once for each rule.
fn passages<'t>(rule: &SpanRule, text: &'t str) -> Vec<(usize, &'t str)> {
    let mut openings: Vec<(usize, usize)> = rule.openings(text).collect();
    openings.sort_unstable();
    let mut end = 0;
    let mut passages = Vec::new();
    for (start, inside) in openings {
        if start < end {
            continue;
        }
        let passage = up_to(&text[inside..], &rule.closes);
        end = inside + passage.len();
        passages.push((start, passage));
    }
    passages
}

/// Up to what closes it, or as far as is read.
fn up_to<'t>(text: &'t str, closes: &[String]) -> &'t str {
    let text = head(text, LONGEST);
    let end = closes.iter().filter_map(|close| text.find(close.as_str())).min();
    &text[..end.unwrap_or(text.len())]
}

/// Where a page shows its source as it is.
struct Layout {
    starts: LineStarts,
    /// By line: whether it is part of a block of code of a page.
    code: Vec<bool>,
}

impl Layout {
    fn of(file: &SourceFile<'_>, text: &str) -> Self {
        let is_page = file.is_page();
        let code = lines(file.manner(), text).map(|line| is_page && line.place == Place::Code).collect();
        Self { starts: LineStarts::new(file.manner(), text), code }
    }

    /// Whether what begins at `start` is an example that is seen: in a block of code, or in a code span.
    fn shows(&self, text: &str, start: usize) -> bool {
        let line = self.starts.line_at(start) as usize - 1;
        let before = tail(&text[..start], BESIDE);
        let before = before.rsplit('\n').next().unwrap_or(before);
        let in_span = before.bytes().filter(|&b| b == b'`').count() % 2 == 1;
        self.code.get(line).copied().unwrap_or(false) || in_span
    }
}
