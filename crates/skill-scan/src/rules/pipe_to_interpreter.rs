//! Downloads and decoded texts that go straight into an interpreter:
//! `rules/pipe_to_interpreter.toml`.

use super::Notes;
use super::mention::Mention;
use crate::encoded;
use crate::file::{Kind, SourceFile};
use crate::layout::{LineStarts, lines};
use crate::ruleset::{Found, MOST_OF_A_LINE, PatternRule, PatternRules, Where};
use crate::units::{Unit, units};
use crate::{Hit, RuleSet};

/// How often a text inside of a decoded text is decoded again.
const DEEPEST: u32 = 3;

pub(crate) fn scan(file: &SourceFile<'_>, text: &str, rules: &RuleSet, hits: &mut Vec<Hit>) {
    let family = &rules.patterns;
    if !family.anchors.is_match(text) {
        return;
    }
    let mut notes = Notes::new(file.path(), hits);
    let mut opens = false;
    for unit in units(lines(file.kind(), text)) {
        if !family.anchors.is_match(unit.raw.as_ref()) {
            continue;
        }
        let line = unit.text();
        for rule in family.rules.iter().filter(|rule| rule.place != Where::Decoded) {
            let Some((found, mention)) = weightiest(file, &unit, rule.find(&line)) else { continue };
            opens |= rule.opens && mention == Mention::Command;
            let severity = mention.severity(rule.about.severity);
            // The expression may end before the command does; a reader wants the rest.
            let evidence = &unit.raw[found.start..];
            notes.note_as(&rule.about, severity, unit.line_at(found.start), &found.message, evidence);
        }
    }
    if opens {
        look_inside(family, text, &mut notes);
    }
}

/// The first command of a logical line, or else the first mention of one: a warning does not
/// cover what stands beside it. A line with more of them than are looked at is a command.
fn weightiest(
    file: &SourceFile<'_>,
    unit: &Unit<'_>,
    found: impl Iterator<Item = Found>,
) -> Option<(Found, Mention)> {
    let mut first = None;
    for (count, found) in found.enumerate() {
        let mention = Mention::of(file, unit, &found);
        if mention == Mention::Command || count + 1 == MOST_OF_A_LINE {
            return Some((found, Mention::Command));
        }
        first = first.or(Some((found, mention)));
    }
    first
}

/// Decodes every encoded text of a file that decodes and runs one, and looks for a download in
/// there: which of them is run is not worked out.
fn look_inside<'r>(family: &'r PatternRules, text: &str, notes: &mut Notes<'r>) {
    let Some(verdict) = family.rules.iter().find(|rule| rule.place == Where::Decoded) else { return };
    let starts = LineStarts::new(text);
    for encoded in encoded::texts(text) {
        if let Some(evidence) = download(family, &encoded.decoded, DEEPEST) {
            let line = starts.line_at(encoded.start);
            notes.note(&verdict.about, line, &verdict.about.message, &evidence);
        }
    }
}

/// What in a decoded text downloads and runs something, if anything does.
fn download(family: &PatternRules, decoded: &str, depth: u32) -> Option<String> {
    let inside = |rule: &&PatternRule| rule.place != Where::Source;
    for unit in units(lines(Kind::Code, decoded)) {
        let line = unit.text();
        if family.rules.iter().filter(inside).any(|rule| rule.find(&line).next().is_some()) {
            return Some(unit.raw.into_owned());
        }
    }
    let depth = depth.checked_sub(1)?;
    encoded::texts(decoded).find_map(|encoded| download(family, &encoded.decoded, depth))
}
