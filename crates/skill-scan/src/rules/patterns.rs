//! Rules that are expressions over logical lines, and what is inside of encoded texts.

use std::borrow::Cow;

use skill_core::verdict::Severity;

use super::Notes;
use super::guard::Guards;
use super::manifests;
use super::mention::Mention;
use super::pairs::Pairs;
use super::pairs::across::Across;
use super::prose;
use super::reading::Reading;
use super::secret;
use crate::comments::Comments;
use crate::encoded;
use crate::file::SourceFile;
use crate::layout::{LineStarts, Manner, Place, lines};
use crate::plain::Variables;
use crate::ruleset::{Found, MOST_OF_A_LINE, PatternRule, PatternRules, Where};
use crate::units::{Unit, units};
use crate::work::Work;
use crate::{Hit, RuleSet};

/// How often a text inside of a decoded text is decoded again.
const DEEPEST: u32 = 3;

/// Notes what is in one file, and leaves what waits for another one in `across`.
pub(crate) fn scan<'r>(
    file: &SourceFile<'_>,
    rules: &'r RuleSet,
    across: &mut Across<'r>,
    work: &mut Work,
    hits: &mut Vec<Hit>,
) {
    let patterns = &rules.patterns;
    let reading = Reading::of(file, work);
    let mut notes = Notes::new(file, hits);
    if patterns.may_find(file.text()) {
        scan_lines(&reading, patterns, work, &mut notes).leave(file, across);
    }
    manifests::scan(file, patterns, work, &mut notes);
    prose::scan(&reading, patterns, work, &mut notes);
}

/// Holds each logical line against the rules, as it stands and as a shell reads it.
fn scan_lines<'r: 'n, 'n>(
    reading: &Reading<'_>,
    patterns: &'r PatternRules,
    work: &mut Work,
    notes: &mut Notes<'n>,
) -> Pairs<'r> {
    let file = reading.file;
    let mut pairs = Pairs::default();
    let mut variables = Variables::default();
    let mut opens = false;
    let guards = Guards::of(file, file.text());
    for unit in units(lines(file.manner(), file.text()), &reading.comments) {
        let line = unit.text();
        let plain = if unit.place == Place::Code { plain(&mut variables, &unit, &line) } else { None };
        for rule in patterns.with_anchor_in_any([&line, plain.as_deref().unwrap_or_default()]) {
            if rule.then.is_some() && rule.reads(file.path(), file.is_program()) {
                pairs.look(reading, rule, &unit, (&line, plain.as_deref()), work, notes);
            }
        }
        for rule in patterns.with_anchor_in(&unit.raw) {
            if rule.place == Where::Decoded
                || rule.then.is_some()
                || !rule.reads(file.path(), file.is_program())
            {
                continue;
            }
            let found = rule.find(&line, work);
            if let Some(entropy) = rule.secret {
                secret::note(rule, &unit, &found, entropy, notes);
                continue;
            }
            let Some((found, mention)) = weightiest(reading, &unit, found) else { continue };
            opens |= rule.opens && mention == Mention::Command;
            // The expression may end before the command does; a reader wants the rest.
            let (line, evidence) = (unit.line_at(found.start), &unit.raw[found.start..]);
            let mut severity = mention.severity(rule.about.severity);
            if rule.is_weaker(evidence) || guards.hold(line, rule.sentence) {
                severity = severity.min(Severity::Warn);
            }
            notes.note_as(&rule.about, severity, line, &found.message, evidence);
        }
        pairs.look_for_runs(reading, &unit, (&line, plain.as_deref()), work, notes);
        if let Some(plain) = plain {
            note_disguised(reading, patterns, &unit, &line, &plain, work, notes);
        }
    }
    if opens {
        look_inside(patterns, file, work, notes);
    }
    pairs
}

/// The line as it is run, if that may be another one than it seems.
fn plain(variables: &mut Variables, unit: &Unit<'_>, line: &str) -> Option<String> {
    let said = unit.without_asides(line);
    let plain = variables.plain(&said);
    plain.or(if let Cow::Owned(said) = said { Some(said) } else { None })
}

/// Notes what a line does once a shell has undone its tricks, and is not seen as it stands.
fn note_disguised<'r>(
    reading: &Reading<'_>,
    patterns: &'r PatternRules,
    unit: &Unit<'_>,
    line: &str,
    plain: &str,
    work: &mut Work,
    notes: &mut Notes<'r>,
) {
    let file = reading.file;
    for rule in patterns.with_anchor_in(plain) {
        let looks = rule.place != Where::Decoded && rule.then.is_none() && rule.secret.is_none();
        if !looks || !rule.reads(file.path(), file.is_program()) || !rule.find(line, work).is_empty() {
            continue;
        }
        if let Some(found) = rule.find(plain, work).into_iter().next() {
            let mention = Mention::of(reading, unit, &Found { start: 0, end: 0, ..found });
            let severity = mention.severity(rule.about.severity);
            notes.note_as(&rule.about, severity, unit.line_at(0), &rule.about.title(), &unit.raw);
        }
    }
}

/// The first command of a logical line, or else the first mention of one: a warning does not
/// cover what stands beside it. A line with more of them than are looked at is a command.
pub(super) fn weightiest(
    reading: &Reading<'_>,
    unit: &Unit<'_>,
    found: Vec<Found>,
) -> Option<(Found, Mention)> {
    let mut first = None;
    for (count, found) in found.into_iter().enumerate() {
        let mention = Mention::of(reading, unit, &found);
        if mention == Mention::Command || count + 1 == MOST_OF_A_LINE {
            return Some((found, Mention::Command));
        }
        first = first.or(Some((found, mention)));
    }
    first
}

/// Decodes every encoded text of a file that decodes and runs one, and looks for a download in
/// there: which of them is run is not worked out.
fn look_inside<'r>(
    patterns: &'r PatternRules,
    file: &SourceFile<'_>,
    work: &mut Work,
    notes: &mut Notes<'r>,
) {
    let Some(verdict) = patterns.rules.iter().find(|rule| rule.place == Where::Decoded) else { return };
    let starts = LineStarts::new(file.manner(), file.text());
    for encoded in encoded::texts(file.text()) {
        if let Some(evidence) = download(patterns, &encoded.decoded, DEEPEST, work) {
            let line = starts.line_at(encoded.start);
            notes.note(&verdict.about, line, &verdict.about.message, &evidence);
        }
    }
}

/// What in a decoded text downloads and runs something, if anything does.
fn download(patterns: &PatternRules, decoded: &str, depth: u32, work: &mut Work) -> Option<String> {
    for unit in units(lines(Manner::CODE, decoded), &Comments::default()) {
        let line = unit.text();
        let inside = |rule: &&PatternRule| rule.place != Where::Source;
        if patterns.with_anchor_in(&line).filter(inside).any(|rule| !rule.find(&line, work).is_empty()) {
            return Some(unit.raw.into_owned());
        }
    }
    let depth = depth.checked_sub(1)?;
    encoded::texts(decoded).find_map(|encoded| download(patterns, &encoded.decoded, depth, work))
}
