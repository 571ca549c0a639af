//! Repairs broken frontmatter in memory and says what it changed.
//!
//! The frontmatter is cut into its top-level entries, each is repaired alone, and the whole is read again:
//! what was sound is read as if nothing else were broken.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, Edit, FRONTMATTER_FENCE, FRONTMATTER_SCANNED};

use super::budget::{Budget, Limit, Work};
use super::draft::{Draft, lead_back};
use super::entries::{Entries, Entry, entries};
use super::fence::any_key;
use super::indent::white;
use super::lines::Line;
use super::node::{Pair, move_down};
use super::yaml::{Trouble, anchors, parse_map};

/// How many keys and stray lines there may be at the top.
const ENTRIES: usize = 1000;
/// How many bytes of YAML all attempts together may copy and parse.
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
pub(super) fn rescue(lines: &[Line<'_>]) -> Result<Rescued, Limit> {
    let mut work = Work::new(WORK);
    let Entries { entries, stray } = entries(lines);
    if entries.len() + stray.len() > ENTRIES {
        return Err(Limit("number of values"));
    }
    let text = lines.iter().map(|line| line.text).collect::<Vec<_>>().join("\n");
    let anchors = anchors(&text);
    let mut rescued = attempt(lines, &entries, &anchors, &mut work)?;
    if rescued.pairs.is_none() {
        // An alias to an anchor that is not there, or not before it: no text in an alias's place is read.
        rescued = attempt(lines, &entries, &HashSet::new(), &mut work)?;
    }
    let Attempt { pairs, mut parts, mut found, unrepaired } = rescued;
    found.extend(stray.into_iter().map(|index| left_out(lines, index)));
    let pairs = pairs.unwrap_or_else(|| std::mem::take(&mut parts));
    Ok(Rescued { pairs, found, unrepaired })
}

/// One pass over all entries.
struct Attempt {
    /// The pairs of the whole; `None` if an alias has no anchor.
    pairs: Option<Vec<Pair>>,
    /// The pairs entry by entry.
    parts: Vec<Pair>,
    found: Vec<Diagnostic>,
    unrepaired: Option<Trouble>,
}

fn attempt(
    lines: &[Line<'_>],
    entries: &[Entry<'_>],
    anchors: &HashSet<&str>,
    work: &mut Work,
) -> Result<Attempt, Limit> {
    // A line that belongs to no entry is a comment: a blank one would be part of a text below `|+`.
    let mut whole = vec!["#".to_owned(); lines.len()];
    let mut attempt = Attempt { pairs: None, parts: Vec::new(), found: Vec::new(), unrepaired: None };
    let mut drafts = Vec::with_capacity(entries.len());
    let mut budget = Budget::new();
    for entry in entries {
        let mut draft = Draft::new(entry, lines, anchors, work);
        let mut pairs = draft.read(&mut attempt.unrepaired)?;
        for (line, text) in whole[entry.lines.clone()].iter_mut().zip(draft.current()) {
            *line = text;
        }
        // Each entry was read within limits of its own; together they keep those of a whole.
        budget.pairs(&pairs)?;
        move_down(&mut pairs, entry.lines.start as u32);
        attempt.parts.append(&mut pairs);
        attempt.found.append(&mut draft.found);
        drafts.extend(draft.lines);
    }
    let starts: Vec<usize> = entries.iter().flat_map(|entry| entry.lines.clone()).collect();
    let back = |pairs: &mut Vec<Pair>| lead_back(pairs, &starts, &drafts);
    back(&mut attempt.parts);
    if anchors.is_empty() {
        attempt.pairs = Some(std::mem::take(&mut attempt.parts));
    } else {
        match parse_map(&(whole.join("\n") + "\n")) {
            Ok(mut pairs) => {
                back(&mut pairs);
                attempt.pairs = Some(pairs);
            }
            Err(Trouble { limit: Some(limit), .. }) => return Err(Limit(limit)),
            Err(_) => {}
        }
    }
    Ok(attempt)
}

fn left_out(lines: &[Line<'_>], index: usize) -> Diagnostic {
    let text = lines[index].text;
    let is_fence = lines[index].is_fence() || lines[index].is_end_mark();
    let (rule, message) = if is_fence {
        (&FRONTMATTER_FENCE, format!("{} between the fields; it was left out", text.trim_end()))
    } else {
        (&FRONTMATTER_SCANNED, "text that belongs to no key; it was left out".to_owned())
    };
    let said = Diagnostic::new(rule, message).at(index as u32 + 1, 1, text.chars().count() as u32 + 1, text);
    let edit = Edit { range: lines[index].start..lines[index].next, text: String::new() };
    // Only where fields go on behind it is it sure that it was not meant.
    let after = lines[index..].iter().find(|line| !line.is_fence() && !line.is_end_mark());
    let fields = after.is_some_and(|line| any_key(&line.text[white(line.text)..]).is_some());
    if is_fence && fields { said.edit(edit) } else { said }
}
