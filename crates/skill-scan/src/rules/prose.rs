//! Rules about sentences, held against the text as a model reads it: folded, and in whole paragraphs.

use skill_core::verdict::Severity;

use super::Notes;
use super::patterns::weightiest;
use super::reading::Reading;
use crate::fold::Folded;
use crate::prose::prose;
use crate::ruleset::{Found, PatternRule, PatternRules};
use crate::units::{Unit, units};
use crate::work::Work;

/// Notes what only the folded text shows.
pub(super) fn scan<'r>(
    reading: &Reading<'_>,
    patterns: &'r PatternRules,
    work: &mut Work,
    notes: &mut Notes<'r>,
) {
    let file = reading.file;
    if file.is_program() {
        return;
    }
    for unit in units(prose(file, file.text()), &reading.comments) {
        let line = unit.text();
        if !work.take(line.len()) {
            return;
        }
        let folded = Folded::of(&line);
        let of_prose =
            |rule: &&PatternRule| rule.folded && rule.then.is_none() && rule.reads(file.path(), false);
        for rule in patterns.with_anchor_in(&folded.text).filter(of_prose) {
            note(reading, rule, &unit, &folded, work, notes);
        }
    }
}

fn note<'r>(
    reading: &Reading<'_>,
    rule: &'r PatternRule,
    unit: &Unit<'_>,
    folded: &Folded,
    work: &mut Work,
    notes: &mut Notes<'r>,
) {
    let found = rule.find(&folded.text, work).into_iter().map(|found| Found {
        start: folded.original(found.start),
        end: folded.original(found.end).clamp(folded.original(found.start), unit.raw.len()),
        ..found
    });
    let Some((found, mention)) = weightiest(reading, unit, found.collect()) else { return };
    let (line, evidence) = (unit.line_at(found.start), &unit.raw[found.start..]);
    let mut severity = mention.severity(rule.about.severity);
    if rule.is_weaker(evidence) {
        severity = severity.min(Severity::Warn);
    }
    if !notes.has(&rule.about, severity, line) {
        notes.note_as(&rule.about, severity, line, &found.message, evidence);
    }
}
