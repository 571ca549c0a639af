//! Passages of a page that nobody sees and an agent reads: `rules/hidden_text.toml`.

mod shown;

use super::Notes;
use crate::file::SourceFile;
use crate::layout::LineStarts;
use crate::ruleset::Opening;
use crate::work::Work;
use crate::{Hit, RuleSet};
use shown::Shown;

/// Elements that hold nothing (WHATWG HTML, "Void elements").
const VOID: [&str; 13] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

pub(crate) fn scan(file: &SourceFile<'_>, rules: &RuleSet, work: &mut Work, hits: &mut Vec<Hit>) {
    let text = file.text();
    if file.is_program() || file.is_binary() || !work.take(text.len()) {
        return;
    }
    let mut notes = Notes::new(file, hits);
    // Most texts end here, before anything is known of their lines.
    let mut layout = None;
    for rule in &rules.spans {
        let openings = rule.openings(text);
        if openings.is_empty() {
            continue;
        }
        let (starts, shown) =
            layout.get_or_insert_with(|| (LineStarts::new(file.manner(), text), Shown::of(file, text)));
        for (start, passage) in passages(text, openings, shown) {
            if let Some(order) = rule.order(passage, work) {
                notes.note(&rule.about, starts.line_at(start), &rule.about.message, order);
            }
        }
    }
}

/// The passages of a text that it does not show, none inside of another: every byte is read once for
/// each rule.
fn passages<'t>(text: &'t str, openings: Vec<Opening<'_>>, shown: &Shown) -> Vec<(usize, &'t str)> {
    let mut end = 0;
    let mut passages = Vec::new();
    for opening in openings {
        if opening.start < end || shown.holds(opening.start) {
            continue;
        }
        let rest = &text[opening.inside..];
        let passage = &rest[..length(rest, &opening)];
        end = opening.inside + passage.len();
        passages.push((opening.start, passage));
    }
    passages
}

/// How far a passage goes: up to what closes it, or to the end of the text.
fn length(rest: &str, opening: &Opening<'_>) -> usize {
    let end = match opening.element {
        Some(name) if VOID.iter().any(|void| void.eq_ignore_ascii_case(name)) => Some(0),
        Some(name) => end_of_element(rest, name),
        None => opening.closes.iter().filter_map(|close| rest.find(close.as_str())).min(),
    };
    end.unwrap_or(rest.len())
}

/// Where the element that is open ends, those of its name inside of it counted.
fn end_of_element(rest: &str, name: &str) -> Option<usize> {
    let mut open = 1_usize;
    for (at, _) in rest.match_indices('<') {
        let tag = &rest[at + 1..];
        let (closes, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
        let named = tag.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
        if !named || tag[name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-') {
            continue;
        }
        open = if closes { open - 1 } else { open + 1 };
        if open == 0 {
            return Some(at);
        }
    }
    None
}
