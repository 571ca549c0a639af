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

/// How many commands of one line are looked at.
const MOST_COMMANDS: usize = 256;

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
        (line, plain): (&str, Option<&str>),
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
        // What only the plain line shows stands somewhere in the line as it is written.
        let halves = |find: &mut dyn FnMut(&str) -> Vec<Found>, second| {
            let found = find(line);
            let plain = plain.filter(|_| found.is_empty()).map_or_else(Vec::new, find);
            let plain = plain.into_iter().map(|found| Found { start: 0, end: 0, ..found });
            found.into_iter().chain(plain).map(|found| half(&found, second)).collect::<Vec<_>>()
        };
        let first = halves(&mut |line| rule.find(line, work), false);
        let second = halves(&mut |line| rule.find_second(line, work), true);
        for half in first.into_iter().chain(second) {
            match self.other_half(reading.file, &half) {
                Some(other) => note(other, &half, notes),
                None => self.keep(half),
            }
        }
    }

    /// Looks for commands that are nothing but the path or the variable that a half names: `/tmp/a`,
    /// `"$F" --go`.
    pub(super) fn look_for_runs(
        &mut self,
        reading: &Reading<'_>,
        unit: &Unit<'_>,
        line: &str,
        work: &mut Work,
        notes: &mut Notes<'r>,
    ) {
        let runs = |half: &Half<'_>| half.rule.runs && !half.second && !half.evidence.starts_with('$');
        if unit.place != Place::Code || !self.waiting.iter().any(runs) || !work.take(line.len()) {
            return;
        }
        for (start, word) in commands(line).take(MOST_COMMANDS) {
            let named = base_name(word);
            let Some(source) =
                self.waiting.iter().rfind(|half| runs(half) && half.named.as_ref() == Some(&named))
            else {
                continue;
            };
            let found = Found { start, end: start + word.len(), message: String::new(), named: None };
            let run = Half {
                rule: source.rule,
                second: true,
                line: unit.line_at(start),
                named: Some(named),
                mention: Mention::of(reading, unit, &found),
                evidence: head(&unit.raw[start..], LONGEST_EVIDENCE).to_owned(),
            };
            if let Some(other) = self.other_half(reading.file, &run) {
                note(other, &run, notes);
            }
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

/// Notes the pair of a half that waited and one that was found now.
fn note<'r>(waiting: &Half<'r>, now: &Half<'r>, notes: &mut Notes<'r>) {
    let (source, sink) = if now.second { (waiting, now) } else { (now, waiting) };
    let about = &source.rule.about;
    let [a, b] = [source, sink].map(|half| half.mention.severity(about.severity));
    let evidence = if source.line == sink.line {
        source.evidence.clone()
    } else {
        // Both must be seen; a line may be long.
        let source: String = source.evidence.chars().take(90).collect();
        format!("{source} … {}", sink.evidence)
    };
    notes.note_as(about, a.min(b), source.line.max(sink.line), &about.message, &evidence);
}

/// The last segment of a path, without quotes; `${A}` is `$A`.
fn base_name(path: &str) -> String {
    let path = path.trim_matches(['"', '\'', '`']);
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match name.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) {
        Some(variable) => format!("${variable}"),
        None => name.to_owned(),
    }
}

/// Words before a command that are none themselves.
const BEFORE_COMMAND: [&str; 13] =
    ["!", "command", "do", "elif", "else", "env", "exec", "if", "nohup", "setsid", "sudo", "then", "while"];

/// The paths and variables that stand where a command does, and where each begins.
fn commands(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let begin = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
    let pieces = line.split([';', '&', '|', '(', '`', '\u{1e}', '\u{1f}']);
    pieces.filter_map(move |piece| {
        let sets = |word: &str| word.split_once('=').is_some_and(|(name, _)| name.bytes().all(is_name));
        let mut words = piece.split_ascii_whitespace();
        let word = words.find(|word| !BEFORE_COMMAND.contains(word) && !sets(word))?;
        let bare = word.trim_matches(['"', '\'']);
        let is_path = bare.starts_with('$') || bare.contains('/');
        (is_path && !words.next().is_some_and(|next| next.starts_with('='))).then(|| (begin(word), word))
    })
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
