//! Characters that a reader does not see: `rules/hidden_unicode.toml`.
//!
//! What is legitimate, and never found: a byte-order mark at the start; the flags of England,
//! Scotland, Wales and other regions; a variation selector after a character; joiners between
//! emoji, and in scripts that are written with them; zero-width spaces beside scripts without
//! blanks; soft hyphens between letters of prose; direction controls that are closed on their line, and marks, where text runs right to
//! left; fillers beside Korean.

mod script;

use super::Notes;
use crate::file::SourceFile;
use crate::layout::{Line, Place, lines};
use crate::ruleset::{Class, HiddenRules, Shape};
use crate::{Hit, RuleSet};

/// From this many in a row on, hidden characters can carry something.
const RUN: usize = 4;

/// From this many characters on, a hidden text is a message.
const MESSAGE: usize = 4;

/// Hidden characters in a row.
struct Run<'l> {
    class: Class,
    text: &'l str,
    count: usize,
    before: Option<char>,
    after: Option<char>,
}

/// What a line says about the order in which it is read.
#[derive(Clone, Copy)]
struct Direction {
    right_to_left: bool,
    /// Every passage is closed that it opens.
    closed: bool,
}

impl Direction {
    fn of(line: &str) -> Self {
        Self { right_to_left: line.chars().any(script::runs_right_to_left), closed: script::is_closed(line) }
    }
}

pub(crate) fn scan(file: &SourceFile<'_>, rules: &RuleSet, hits: &mut Vec<Hit>) {
    let (hidden, text) = (&rules.hidden, file.text());
    // Most files end here: plain ASCII is told by its bytes alone.
    if text.is_ascii() || !text.chars().any(|c| !c.is_ascii() && hidden.class(c).is_some()) {
        return;
    }
    let mut notes = Notes::new(file, hits);
    for line in lines(file.manner(), text) {
        if line.text.is_ascii() {
            continue;
        }
        let direction = Direction::of(line.text);
        let mut reported: Vec<&str> = Vec::new();
        let runs = runs(hidden, &line);
        if let Some(first) = spread(&runs, &line, direction)
            && let Some(about) = hidden.rule(Class::ZeroWidth, Shape::Run)
        {
            reported.push(&about.id);
            notes.note(about, line.number, &about.message, &surroundings(&line, first));
        }
        for run in runs {
            let Some(shape) = shape(&run, &line, direction) else { continue };
            // A class without a rule for this shape has one for the plainest.
            let rule = hidden.rule(run.class, shape).or_else(|| hidden.rule(run.class, Shape::Single));
            let Some(about) = rule.filter(|about| !reported.contains(&about.id.as_str())) else { continue };
            reported.push(&about.id);
            let evidence = message(&run).unwrap_or_else(|| surroundings(&line, &run));
            notes.note(about, line.number, &about.message, &evidence);
        }
    }
}

/// The first of zero-width characters that nothing needs, if a line has as many of them as make a run.
fn spread<'r, 'l>(runs: &'r [Run<'l>], line: &Line<'_>, direction: Direction) -> Option<&'r Run<'l>> {
    let needless = |run: &&Run<'_>| run.class == Class::ZeroWidth && shape(run, line, direction).is_some();
    let count: usize = runs.iter().filter(needless).map(|run| run.count).sum();
    runs.iter().find(needless).filter(|_| count >= RUN)
}

fn runs<'l>(hidden: &HiddenRules, line: &Line<'l>) -> Vec<Run<'l>> {
    let start = usize::from(line.number == 1 && line.text.starts_with('\u{FEFF}')) * '\u{FEFF}'.len_utf8();
    let text = &line.text[start..];
    let mut runs: Vec<Run<'l>> = Vec::new();
    let mut open: Option<(Class, usize)> = None;
    let mut close = |from: usize, to: usize, class| {
        runs.push(Run {
            class,
            text: &text[from..to],
            count: text[from..to].chars().count(),
            before: text[..from].chars().next_back(),
            after: text[to..].chars().next(),
        });
    };
    for (at, character) in text.char_indices() {
        let class = if character.is_ascii() { None } else { hidden.class(character) };
        if let Some((previous, from)) = open.filter(|&(previous, _)| class != Some(previous)) {
            close(from, at, previous);
            open = None;
        }
        open = open.or(class.map(|class| (class, at)));
    }
    if let Some((class, from)) = open {
        close(from, text.len(), class);
    }
    runs
}

/// How a run stands; `None` if it is legitimate.
fn shape(run: &Run<'_>, line: &Line<'_>, direction: Direction) -> Option<Shape> {
    let in_code = line.place == Place::Code;
    match run.class {
        Class::Tag if script::is_flag(run.before, run.text) => None,
        Class::Tag if message(run).is_some() => Some(Shape::Message),
        Class::Tag => Some(Shape::Single),
        Class::Variation if run.count < RUN => None,
        Class::Variation if message(run).is_some() => Some(Shape::Message),
        Class::Variation => Some(Shape::Run),
        Class::ZeroWidth if run.count >= RUN => Some(Shape::Run),
        Class::ZeroWidth
            if run.text == "\u{AD}" && !in_code && [run.before, run.after].into_iter().all(is_letter) =>
        {
            None
        }
        Class::ZeroWidth if run.count == 1 && script::needs_joiner(run.before, run.text, run.after) => None,
        Class::ZeroWidth => {
            let inside_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
            let code = in_code && inside_word(run.before) && inside_word(run.after);
            Some(if code { Shape::Code } else { Shape::Single })
        }
        Class::Filler if [run.before, run.after].into_iter().flatten().any(script::is_korean) => None,
        Class::Filler => Some(if in_code { Shape::Code } else { Shape::Single }),
        Class::Override => Some(Shape::Single),
        Class::Isolate if direction.right_to_left && direction.closed => None,
        Class::Isolate => Some(if in_code { Shape::Code } else { Shape::Single }),
        Class::Mark => (!direction.right_to_left).then_some(Shape::Single),
    }
}

fn is_letter(character: Option<char>) -> bool {
    character.is_some_and(char::is_alphabetic)
}

/// What tags or variation selectors spell, if it is more than noise.
fn message(run: &Run<'_>) -> Option<String> {
    let spelt: Option<String> = match run.class {
        Class::Tag => Some(run.text.chars().filter_map(script::tag_letter).collect()),
        Class::Variation => {
            let bytes: Vec<u8> = run.text.chars().filter_map(script::variation_byte).collect();
            let plain = bytes.iter().filter(|byte| matches!(byte, b' '..=b'~' | b'\n')).count();
            (plain * 10 >= bytes.len() * 9).then(|| String::from_utf8_lossy(&bytes).into_owned())
        }
        _ => None,
    };
    spelt.filter(|text| text.chars().filter(|c| !c.is_whitespace()).count() >= MESSAGE)
}

/// The run with what stands beside it.
fn surroundings(line: &Line<'_>, run: &Run<'_>) -> String {
    const BESIDE: usize = 30;
    let at = run.text.as_ptr() as usize - line.text.as_ptr() as usize;
    let (before, rest) = line.text.split_at(at);
    let (hidden, after) = rest.split_at(run.text.len());
    let skipped = before.chars().count().saturating_sub(BESIDE);
    let before: String = before.chars().skip(skipped).collect();
    let after: String = after.chars().take(BESIDE).collect();
    format!("{before}{hidden}{after}")
}
