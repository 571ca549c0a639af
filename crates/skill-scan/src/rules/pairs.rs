//! Rules about two things that are harmless apart: a file that is downloaded and then run, a
//! credential that is read where something is sent.

use super::Notes;
use super::mention::{Mention, head};
use super::reading::Reading;
use crate::file::SourceFile;
use crate::layout::Place;
use crate::ruleset::{Found, PatternRule};
use crate::units::Unit;
use crate::work::Work;

/// How many halves of one rule wait for their other half; the latest do.
const MOST_WAITING: usize = 64;

/// How much of a half is kept to be shown.
const LONGEST_EVIDENCE: usize = 400;

/// The halves that were seen in one file so far.
#[derive(Default)]
pub(super) struct Pairs<'r> {
    waiting: Vec<Half<'r>>,
}

struct Half<'r> {
    rule: &'r PatternRule,
    /// Whether it is the second one.
    second: bool,
    line: u32,
    /// What both must name; `None` if the halves need not name the same.
    named: Option<String>,
    mention: Mention,
    evidence: String,
}

impl<'r> Pairs<'r> {
    /// Looks for both halves in `unit`, and notes a pair at its second half.
    pub(super) fn look(
        &mut self,
        reading: &Reading<'_>,
        rule: &'r PatternRule,
        unit: &Unit<'_>,
        line: &str,
        work: &mut Work,
        notes: &mut Notes<'r>,
    ) {
        // A sentence that names both tells what a skill is about; a command does it.
        if unit.place != Place::Code {
            return;
        }
        let half = |found: &Found, second| Half {
            rule,
            second,
            line: unit.line_at(found.start),
            named: found.named.as_deref().map(base_name),
            mention: Mention::of(reading, unit, found),
            evidence: head(&unit.raw[found.start..], LONGEST_EVIDENCE).to_owned(),
        };
        let first = rule.find(line, work).iter().map(|found| half(found, false)).collect::<Vec<_>>();
        let second = rule.find_second(line, work).iter().map(|found| half(found, true)).collect::<Vec<_>>();
        for half in first.into_iter().chain(second) {
            if let Some(other) = self.other_half(reading.file, &half) {
                let (source, sink) = if half.second { (other, &half) } else { (&half, other) };
                let severity = [source, sink].map(|half| half.mention.severity(rule.about.severity));
                let severity = severity[0].min(severity[1]);
                let evidence = if source.line == sink.line {
                    source.evidence.clone()
                } else {
                    // Both must be seen; a line may be long.
                    let source: String = source.evidence.chars().take(90).collect();
                    format!("{source} … {}", sink.evidence)
                };
                let line = source.line.max(sink.line);
                notes.note_as(&rule.about, severity, line, &rule.about.message, &evidence);
                continue;
            }
            self.keep(half);
        }
    }

    /// The half that waits for this one. Where the halves name a file, the first comes first.
    fn other_half(&self, file: &SourceFile<'_>, half: &Half<'_>) -> Option<&Half<'r>> {
        let within = half.rule.then.as_ref().map_or(0, |then| then.within);
        self.waiting.iter().rev().find(|waiting| {
            let same = std::ptr::eq(waiting.rule, half.rule) && waiting.second != half.second;
            let ordered = half.named.is_none() || half.second;
            let near = file.is_program() || half.line.abs_diff(waiting.line) <= within;
            same && ordered && near && waiting.named == half.named
        })
    }

    fn keep(&mut self, half: Half<'r>) {
        let of_rule = |waiting: &Half<'_>| std::ptr::eq(waiting.rule, half.rule);
        if self.waiting.iter().filter(|waiting| of_rule(waiting)).count() >= MOST_WAITING
            && let Some(oldest) = self.waiting.iter().position(of_rule)
        {
            self.waiting.remove(oldest);
        }
        self.waiting.push(half);
    }
}

/// The last segment of a path, without quotes.
fn base_name(path: &str) -> String {
    let path = path.trim_matches(['"', '\'', '`']);
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
}
