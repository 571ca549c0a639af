//! Programs and archives that these rules cannot read, and that a text of the skill runs or unpacks by name: what the
//! skill does is not known then.

use aho_corasick::AhoCorasick;
use skill_bundle::Bundle;

use super::Notes;
use crate::file::{Kind, SourceFile};
use crate::layout::{Place, lines};
use crate::{Hit, RuleSet};

/// What unpacks an archive, or runs what is in it, where its name stands in the same line.
const UNPACKS: [&str; 20] = [
    "unzip",
    "untar",
    "tar ",
    "tarfile",
    "zipfile",
    "unpack",
    "extract",
    "bsdtar",
    "7z",
    "7za",
    "unrar",
    "unar",
    "gunzip",
    "gzip",
    "zcat",
    "unxz",
    "expand-archive",
    "-jar",
    "pip install",
    "npm install",
];

/// What a sentence says that wants a file to be run.
const VERBS: [&str; 7] = ["run ", "execute", "launch", "start ", "unzip", "unpack", "extract"];

/// A file that nobody could read.
pub(crate) struct Opaque<'b> {
    path: &'b str,
    kind: Kind,
}

impl<'b> Opaque<'b> {
    /// `file`, if it is one that can be run or unpacked.
    pub(crate) fn of(file: &SourceFile<'b>) -> Option<Self> {
        let runs = matches!(file.kind(), Kind::Program | Kind::Archive | Kind::LockedArchive);
        runs.then(|| Self { path: file.path(), kind: file.kind() })
    }

    fn name(&self) -> &'b str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }
}

/// Notes every line that runs one of `opaque`; whether there is any.
pub(crate) fn scan(bundle: &Bundle, opaque: &[Opaque<'_>], rules: &RuleSet, hits: &mut Vec<Hit>) -> bool {
    let (Some(about), false) = (rules.files.get("opaque-run"), opaque.is_empty()) else { return false };
    // Names are plain text of at most a few bytes each: they fit an automaton.
    let Ok(names) = AhoCorasick::new(opaque.iter().map(Opaque::name)) else { return true };
    let mut runs = false;
    for (path, file) in bundle.files() {
        let source = SourceFile::read(path.as_str(), file.content(), None);
        let text = source.text();
        if !names.is_match(text) || !source.is_program() && !source.is_page() {
            continue;
        }
        let mut notes = Notes::new(&source, hits);
        for line in lines(source.manner(), text) {
            let is_run = |at: usize, end: usize, kind| {
                stands_alone(line.text, at, end) && orders(line.text, at, kind, line.place)
            };
            let found = names
                .find_overlapping_iter(line.text)
                .find(|found| is_run(found.start(), found.end(), opaque[found.pattern().as_usize()].kind));
            if found.is_some() {
                notes.note(about, line.number, &about.message, line.text.trim());
                runs = true;
            }
        }
    }
    runs
}

/// Whether the name at `at` is not a part of a longer one. A name without a dot, which may be any word, stands behind
/// a slash, in quotes, or where a command begins.
fn stands_alone(line: &str, at: usize, end: usize) -> bool {
    let (before, name, after) = (&line[..at], &line[at..end], &line[end..]);
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let goes_on = after.starts_with(is_inner)
        || after.strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    if goes_on || before.ends_with(|c| is_inner(c) || c == '.') {
        return false;
    }
    let begins = before.trim_end().is_empty() || before.trim_end().ends_with(['$', ';', '&', '|', '(', '`']);
    name.contains('.') || before.ends_with(['/', '\\']) || begins || in_quotes(before, after)
}

fn in_quotes(before: &str, after: &str) -> bool {
    ["\"", "'"].iter().any(|quote| before.ends_with(quote) && after.starts_with(quote))
}

/// Whether the line is about running it: code is, a sentence is if it names it in a code span or says so.
fn orders(line: &str, at: usize, kind: Kind, place: Place) -> bool {
    let folded = line.to_ascii_lowercase();
    if kind != Kind::Program && !UNPACKS.iter().any(|word| folded.contains(word)) {
        return false;
    }
    let in_span = line[..at].matches('`').count() % 2 == 1;
    place == Place::Code || in_span || VERBS.iter().any(|verb| folded.contains(verb))
}
