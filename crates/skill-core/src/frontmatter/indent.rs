//! Repairs of the indentation of an entry.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Edit, FRONTMATTER_INDENT, FRONTMATTER_TAB};

use super::budget::Limit;
use super::draft::{Draft, is_block_mark};
use super::fence::is_zero_width;
use super::node::{Kind, Pair, to_map};
use super::yaml::Trouble;
use super::{quote, reason};

/// How many lines above the place of a trouble may be the cause of it.
const NEAR: usize = 3;
/// From how many lines above a line may take its indentation.
const ABOVE: usize = 100;

/// How many bytes of white space a line begins with, whichever it is.
pub(super) fn white(line: &str) -> usize {
    line.len() - line.trim_start_matches(is_space).len()
}

/// How many blanks a line begins with: its indentation to YAML.
pub(super) fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A line with that many blanks before its text.
fn indented(line: &str, wanted: usize) -> String {
    format!("{}{}", " ".repeat(wanted), line.trim_start_matches(' '))
}

/// White space, and characters without width.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || is_zero_width(c)
}

/// The lines (from 1) of plain keys that begin with white space other than blanks, in order.
pub(super) fn odd_keys(pairs: &[Pair], lines: &[String]) -> Vec<u32> {
    let mut odd = Vec::new();
    collect(pairs, lines, &mut 0, &mut odd);
    odd
}

/// `seen` is the last line whose first key was looked at.
fn collect(pairs: &[Pair], lines: &[String], seen: &mut u32, odd: &mut Vec<u32>) {
    for pair in pairs {
        let at = pair.at;
        let line = lines.get(at.line as usize - 1).filter(|_| *seen != at.line).map_or("", String::as_str);
        *seen = at.line;
        // In quotes it is part of the key.
        let first = pair.key.chars().next().filter(|&c| c != ' ' && is_space(c));
        if first.is_some() && line.chars().nth(at.column as usize - 1) == first {
            odd.push(at.line);
        }
        collect(pair.value.pairs(), lines, seen, odd);
    }
}

/// What stands before a line, as blanks: `tab` for each tab, one for other white space, none for characters
/// without width.
pub(super) fn blanks(before: &str, tab: usize) -> String {
    let width = |c: char| match c {
        '\t' => tab,
        c if c.is_whitespace() => 1,
        _ => 0,
    };
    " ".repeat(before.chars().map(width).sum())
}

/// The finding for what indents a line instead of blanks.
pub(super) fn not_blank(before: &str) -> Diagnostic {
    let first = before.chars().find(|&c| c != ' ').unwrap_or('\t');
    let message = match first {
        '\t' => "a tab indents this line; YAML allows blanks only".to_owned(),
        other => format!("U+{:04X} indents this line; YAML allows blanks only", other as u32),
    };
    Diagnostic::new(&FRONTMATTER_TAB, message)
}

/// Which lines are text below `>` or `|`: they say nothing to YAML, whatever they look like.
pub(super) fn block_texts(lines: &[String]) -> Vec<bool> {
    let mut least = None;
    let inside = |line: &String| {
        let blanks = indentation(line);
        if let Some((from, settled)) = least {
            if blanks == line.len() {
                return true;
            }
            if blanks >= from {
                // The first line of a text says how far all of it is indented.
                least = Some((if settled { from } else { blanks }, true));
                return true;
            }
        }
        least = block_text(line);
        false
    };
    lines.iter().map(inside).collect()
}

/// How many blanks the text has at least that a line with a block mark at its end begins, and whether the mark
/// says so itself.
fn block_text(line: &str) -> Option<(usize, bool)> {
    let quote::Parts { prefix, value } = quote::take_apart(line)?;
    let value = value.split(" #").next().unwrap_or("").trim_end();
    let (before, mark) = value.rsplit_once(' ').unwrap_or(("", value));
    let is_property = |word: &str| word.starts_with(['&', '!']);
    if !is_block_mark(mark) || !before.split_whitespace().all(is_property) {
        return None;
    }
    let item = prefix.trim_end();
    let key = prefix.len() - prefix.trim_start_matches([' ', '\t', '-']).len();
    let owner = if item.ends_with(':') { key } else { item.len() - 1 };
    Some((owner + 1, mark.contains(|c: char| c.is_ascii_digit())))
}

/// Tabs and other white space in the indentation become blanks, as many as make the entry readable; only where
/// the trouble is a tab or stands on such a line, and never inside of a text.
pub(super) fn without_tabs(draft: &mut Draft<'_, '_>, trouble: &Trouble) -> Result<bool, Limit> {
    let lines = draft.current();
    let texts = block_texts(&lines);
    let odd: Vec<usize> = (0..lines.len())
        .filter(|&index| !texts[index] && lines[index][..white(&lines[index])].chars().any(|c| c != ' '))
        .collect();
    let at = (trouble.line as usize).clamp(1, lines.len()) - 1;
    let on_odd_line = odd.binary_search(&at).is_ok();
    if odd.is_empty() || (trouble.reason != reason::TAB && !on_odd_line) {
        return Ok(false);
    }
    // On such a line there may be more than one trouble: then it is enough that none comes before.
    let better = [2, 4, 8].map(|tab| (tab, (trouble.line, trouble.column)));
    let no_worse = on_odd_line.then_some((2, (trouble.line, 0)));
    for (tab, beyond) in better.into_iter().chain(no_worse) {
        let mut spread = lines.clone();
        for &index in &odd {
            let before = white(&lines[index]);
            spread[index].replace_range(..before, &blanks(&lines[index][..before], tab));
        }
        if draft.reads_beyond(&spread, beyond)? {
            spread_tabs(draft, &odd, &lines, &spread);
            return Ok(true);
        }
    }
    Ok(false)
}

fn spread_tabs(draft: &mut Draft<'_, '_>, odd: &[usize], lines: &[String], changed: &[String]) {
    for &index in odd {
        let original = draft.lines[index].line.text;
        let before = white(&lines[index]);
        let new = &changed[index][..white(&changed[index])];
        let old = draft.lines[index].change(0..before, new);
        let said = not_blank(&original[old.clone()]).fix(&*changed[index]).edit(draft.edit(index, old, new));
        let odd = original.find(|c: char| c != ' ').unwrap_or(0);
        let length = original[odd..].chars().next().map_or(0, char::len_utf8);
        draft.find(said, index, odd..odd + length);
    }
}

/// Takes back what was put in the place of tabs if another change was the one that helped. `pairs` are what the
/// draft reads as.
pub(super) fn without_needless(draft: &mut Draft<'_, '_>, pairs: Vec<Pair>) -> Result<Vec<Pair>, Limit> {
    let spread = draft.lines_with(&FRONTMATTER_TAB);
    if spread.is_empty() {
        return Ok(pairs);
    }
    let mut lines = draft.current();
    for &index in &spread {
        let original = draft.lines[index].line.text;
        let before = white(&lines[index]);
        lines[index].replace_range(..before, &original[..white(original)]);
    }
    match draft.parse(&lines)? {
        Ok(same) if to_map(&same) == to_map(&pairs) && odd_keys(&same, &lines).is_empty() => {
            for &index in &spread {
                let original = draft.lines[index].line.text;
                let before = white(draft.lines[index].text());
                draft.lines[index].change(0..before, &original[..white(original)]);
            }
            draft.found.retain(|found| found.code != FRONTMATTER_TAB.code);
            Ok(same)
        }
        _ => Ok(pairs),
    }
}

/// The text below `>` or `|` is indented as far as its first line, at least by two blanks.
pub(super) fn of_block(draft: &mut Draft<'_, '_>, trouble: &Trouble) -> Result<bool, Limit> {
    let mut lines = draft.current();
    let is_block = quote::take_apart(&lines[0]).is_some_and(|parts| is_block_mark(parts.value));
    let key = indentation(&lines[0]);
    let Some(first) = lines[1..].iter().find(|line| !line.trim().is_empty()).filter(|_| is_block) else {
        return Ok(false);
    };
    let wanted = match indentation(first) {
        given if given > key => given,
        _ => key + 2,
    };
    let short: Vec<usize> = (1..lines.len())
        .filter(|&index| !lines[index].trim().is_empty() && indentation(&lines[index]) < wanted)
        .collect();
    for &index in &short {
        lines[index] = indented(&lines[index], wanted);
    }
    if short.is_empty() || !draft.better(&lines, trouble)? {
        return Ok(false);
    }
    // One finding, however long the text is.
    let (first, last) = (short[0], short[short.len() - 1]);
    let ends = draft.lines[first..=last].iter().map(|line| line.line.end);
    let text: String =
        lines[first..=last].iter().map(String::as_str).zip(ends).flat_map(<[&str; 2]>::from).collect();
    let end = draft.lines[last].line;
    let range = draft.lines[first].line.start..end.start + end.text.len();
    let edit = Edit { range, text: text[..text.len() - end.end.len()].to_owned() };
    for index in short {
        let line = draft.lines[index].text();
        let before = indentation(line);
        draft.lines[index].change(0..before, &" ".repeat(wanted));
    }
    let said =
        Diagnostic::new(&FRONTMATTER_INDENT, "text below > or | that is not indented as its first line");
    draft.find(said.fix(&*lines[first]).edit(edit), first, 0..0);
    Ok(true)
}

/// The items of a list of plain values are indented as its first.
pub(super) fn of_list(draft: &mut Draft<'_, '_>) -> Result<bool, Limit> {
    let mut lines = draft.current();
    let items: Vec<usize> = (1..lines.len()).filter(|&index| !lines[index].trim().is_empty()).collect();
    let is_item = |&index: &usize| lines[index].trim_start_matches(' ').starts_with("- ");
    let Some(&first) =
        items.first().filter(|_| lines[0].trim_end().ends_with(':') && items.iter().all(is_item))
    else {
        return Ok(false);
    };
    let wanted = indentation(&lines[first]);
    let other: Vec<usize> =
        items.iter().copied().filter(|&index| indentation(&lines[index]) != wanted).collect();
    for &index in &other {
        lines[index] = indented(&lines[index], wanted);
    }
    let read = draft.parse(&lines)?.unwrap_or_default();
    let all = matches!(read.first().map(|pair| &pair.value.kind), Some(Kind::List(list)) if list.len() == items.len());
    if other.is_empty() || !all {
        return Ok(false);
    }
    for index in other {
        indent(draft, index, wanted, "a list item that is indented unlike the first");
    }
    Ok(true)
}

/// A list item or key that is indented like no line above it gets the indentation of one of them.
pub(super) fn as_above(draft: &mut Draft<'_, '_>, trouble: &Trouble) -> Result<bool, Limit> {
    let lines = draft.current();
    let texts = block_texts(&lines);
    let last = (trouble.line as usize).clamp(1, lines.len());
    let begins = |line: &str| {
        let text = line.trim_start_matches(' ');
        text.starts_with("- ") || quote::take_apart(text).is_some() || text.ends_with(':')
    };
    for index in (1..last).rev().take(NEAR).filter(|&index| !texts[index] && begins(&lines[index])) {
        let near = &lines[index.saturating_sub(ABOVE).max(1)..index];
        let near = near.iter().filter(|line| !line.trim().is_empty());
        let above: BTreeSet<usize> = near.map(|line| indentation(line)).collect();
        for wanted in above.into_iter().rev().filter(|&wanted| wanted != indentation(&lines[index])) {
            let mut changed = lines.clone();
            changed[index] = indented(&lines[index], wanted);
            if draft.better(&changed, trouble)? {
                indent(draft, index, wanted, "a line that is indented like none above it");
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn indent(draft: &mut Draft<'_, '_>, index: usize, wanted: usize, message: &str) {
    let line = draft.lines[index].text();
    let before = indentation(line);
    let new = " ".repeat(wanted);
    let fixed = format!("{new}{}", &line[before..]);
    let old = draft.lines[index].change(0..before, &new);
    let edit = draft.edit(index, old.clone(), &new);
    draft.find(Diagnostic::new(&FRONTMATTER_INDENT, message).fix(fixed).edit(edit), index, old);
}
