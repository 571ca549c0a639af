//! Rules about two things that are harmless apart: a file that is downloaded and then run, a
//! credential that is read where something is sent.

pub(crate) mod across;

use super::Notes;
use super::mention::{Mention, head};
use super::reading::Reading;
use crate::file::SourceFile;
use crate::layout::Place;
use crate::ruleset::{Found, PatternRule};
use crate::units::{BORDER, Unit};
use crate::work::Work;
use across::Across;

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
    /// The same as other files of the bundle may name it.
    path: Option<String>,
    mention: Mention,
    evidence: String,
}

impl<'r> Pairs<'r> {
    /// Looks for both halves in `unit`, and notes a pair at its second half.
    pub(super) fn look<'n>(
        &mut self,
        reading: &Reading<'_>,
        rule: &'r PatternRule,
        unit: &Unit<'_>,
        (line, plain): (&str, Option<&str>),
        work: &mut Work,
        notes: &mut Notes<'n>,
    ) where
        'r: 'n,
    {
        // A sentence that names both tells what a skill is about; a command does it, in a block or in a code span.
        let (first, second) = if unit.place == Place::Code || rule.sentence {
            (
                halves((line, plain), &mut |line| rule.find(line, work)),
                halves((line, plain), &mut |line| rule.find_second(line, work)),
            )
        } else {
            (
                in_spans(line, &mut |span| rule.find(span, work)),
                in_spans(line, &mut |span| rule.find_second(span, work)),
            )
        };
        let half = |found: &Found, second| Half {
            rule,
            second,
            line: unit.line_at(found.start),
            named: found.named.as_deref().map(base_name),
            path: found.named.as_deref().and_then(across::path),
            mention: Mention::of(reading, unit, found),
            evidence: head(&unit.raw[found.start..], LONGEST_EVIDENCE).to_owned(),
        };
        let first: Vec<_> = first.iter().map(|found| half(found, false)).collect();
        let second: Vec<_> = second.iter().map(|found| half(found, true)).collect();
        for half in first.into_iter().chain(second) {
            match self.other_half(reading.file, &half) {
                Some(other) => note(other, &half, notes),
                None => self.keep(half),
            }
        }
    }

    /// Looks for commands that are nothing but the path or the variable that a half names: `/tmp/a`,
    /// `"$F" --go`.
    pub(super) fn look_for_runs<'n>(
        &mut self,
        reading: &Reading<'_>,
        unit: &Unit<'_>,
        (line, plain): (&str, Option<&str>),
        work: &mut Work,
        notes: &mut Notes<'n>,
    ) where
        'r: 'n,
    {
        // What PowerShell puts into a variable is no command where that stands alone.
        let is_value = |half: &Half<'_>| {
            half.evidence.starts_with('$') && half.named.as_ref().is_some_and(|named| named.starts_with('$'))
        };
        let runs = |half: &Half<'_>| half.rule.runs && !half.second && !is_value(half);
        if unit.place != Place::Code || !self.waiting.iter().any(runs) || !work.take(line.len() * 2) {
            return;
        }
        let disguised = commands(plain.unwrap_or_default()).map(|(_, word)| (0, word)).take(MOST_COMMANDS);
        for (start, word) in commands(line).take(MOST_COMMANDS).chain(disguised) {
            let named = base_name(word);
            let Some(source) =
                self.waiting.iter().rfind(|half| runs(half) && half.named.as_ref() == Some(&named))
            else {
                continue;
            };
            let found = Found { start, end: start, message: String::new(), named: None };
            let run = Half {
                rule: source.rule,
                second: true,
                line: unit.line_at(start),
                named: Some(named),
                path: None,
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

    /// What waits for another file, at the end of this one.
    pub(super) fn leave(self, file: &SourceFile<'_>, across: &mut Across<'r>) {
        for half in self.waiting {
            across.keep(file, half);
        }
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

/// What is found in a line as it stands, and what only the plain line shows: that stands somewhere in it.
fn halves((line, plain): (&str, Option<&str>), find: &mut dyn FnMut(&str) -> Vec<Found>) -> Vec<Found> {
    let mut found = find(line);
    for plain in plain.map_or_else(Vec::new, find) {
        if found.iter().all(|found| found.named != plain.named) {
            found.push(Found { start: 0, end: 0, ..plain });
        }
    }
    found
}

/// What is found in the code spans of a line of prose, if it has a name that the other half must have.
fn in_spans(line: &str, find: &mut dyn FnMut(&str) -> Vec<Found>) -> Vec<Found> {
    let mut at = 0;
    let mut all = Vec::new();
    for (number, piece) in line.split(BORDER).enumerate() {
        if number % 2 == 1 {
            let found = find(piece).into_iter().filter(|found| found.named.is_some());
            all.extend(found.map(|found| Found { start: found.start + at, end: found.end + at, ..found }));
        }
        at += piece.len() + 1;
    }
    all
}

/// Notes the pair of a half that waited and one that was found now.
fn note<'r: 'n, 'n>(waiting: &Half<'r>, now: &Half<'r>, notes: &mut Notes<'n>) {
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
