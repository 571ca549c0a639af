//! Pairs whose halves are in two files of a bundle: one downloads to a path and another one runs it, one reads a
//! credential and another one, which it runs or imports, sends what it is given.
//!
//! Variables are those of one file. A path is taken for the same only if it is written alike; where no path is named,
//! one of the files must name the other.

use std::collections::BTreeMap;

use skill_bundle::Bundle;
use skill_core::verdict::Severity;

use super::super::Notes;
use super::Half;
use crate::Hit;
use crate::file::SourceFile;
use crate::ruleset::PatternRule;
use crate::work::Work;

/// How many halves of all files are kept.
const MOST: usize = 4096;

/// The halves that no other half of their own file was found for.
#[derive(Default)]
pub(crate) struct Across<'r> {
    halves: Vec<Left<'r>>,
}

/// A half, and where it is.
struct Left<'r> {
    rule: &'r PatternRule,
    second: bool,
    file: String,
    is_program: bool,
    line: u32,
    path: Option<String>,
    severity: Severity,
    evidence: String,
}

impl<'r> Across<'r> {
    pub(super) fn keep(&mut self, file: &SourceFile<'_>, half: Half<'r>) {
        // A name that only this file knows.
        let is_known = if half.named.is_some() { half.path.is_some() } else { half.rule.across };
        if self.halves.len() >= MOST || !is_known {
            return;
        }
        let severity = half.mention.severity(half.rule.about.severity);
        let (path, is_program) = (file.path().to_owned(), file.is_program());
        // Of those that name nothing one of a file says as much as all.
        let same = |left: &&mut Left<'_>| {
            let of_file = left.file == path && left.second == half.second;
            half.path.is_none() && left.path.is_none() && of_file && std::ptr::eq(left.rule, half.rule)
        };
        if let Some(left) = self.halves.iter_mut().rfind(same) {
            if severity > left.severity {
                (left.severity, left.line, left.evidence) = (severity, half.line, half.evidence);
            }
            return;
        }
        let Half { rule, second, line, path: named, evidence, .. } = half;
        self.halves.push(Left {
            rule,
            second,
            file: path,
            is_program,
            line,
            path: named,
            severity,
            evidence,
        });
    }

    /// Notes every second half whose first one is in another file of `bundle`. Gives the file at which that took
    /// more work than there was.
    pub(crate) fn note(&self, bundle: &Bundle, work: &mut Work, hits: &mut Vec<Hit>) -> Option<&str> {
        let mut firsts: BTreeMap<(&str, Option<&str>), Vec<&Left<'r>>> = BTreeMap::new();
        for half in self.halves.iter().filter(|half| !half.second) {
            firsts.entry(half.key()).or_default().push(half);
        }
        let mut texts = Texts { bundle, read: BTreeMap::new(), work };
        let mut unread = None;
        for half in self.halves.iter().filter(|half| half.second) {
            let mut fits = |first: &&&Left<'r>| {
                first.file != half.file && (half.path.is_some() || texts.link(first, half))
            };
            let first = firsts.get(&half.key()).and_then(|firsts| firsts.iter().find(&mut fits));
            if texts.work.was_refused() {
                unread = unread.or(Some(half.file.as_str()));
            }
            let Some(first) = first else { continue };
            let about = &half.rule.about;
            let source: String = first.evidence.chars().take(90).collect();
            let evidence = format!("{}: {source} … {}", first.file, half.evidence);
            let severity = first.severity.min(half.severity);
            let mut notes = Notes::at(&half.file, half.is_program, hits);
            notes.note_as(about, severity, half.line, &about.message, &evidence);
        }
        unread
    }
}

impl Left<'_> {
    fn key(&self) -> (&str, Option<&str>) {
        (&self.rule.about.id, self.path.as_deref())
    }
}

/// The texts of programs, which may name other files anywhere; a page does in the command itself.
struct Texts<'b, 'w> {
    bundle: &'b Bundle,
    read: BTreeMap<String, String>,
    work: &'w mut Work,
}

impl Texts<'_, '_> {
    /// Whether the file of one half names that of the other.
    fn link(&mut self, one: &Left<'_>, other: &Left<'_>) -> bool {
        self.names(one, &other.file) || self.names(other, &one.file)
    }

    fn names(&mut self, half: &Left<'_>, path: &str) -> bool {
        if !half.is_program {
            return names(&half.evidence, path);
        }
        let text = self.read.entry(half.file.clone()).or_insert_with(|| text_of(self.bundle, &half.file));
        self.work.take(text.len()) && names(text, path)
    }
}

fn text_of(bundle: &Bundle, path: &str) -> String {
    let file = bundle.files().find(|(at, _)| at.as_str() == path);
    file.map_or_else(String::new, |(_, file)| SourceFile::read(path, file.content(), None).text().to_owned())
}

/// Whether a text names the file at `path`: by its name, or as a module.
fn names(text: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, ending)) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) else {
        return false;
    };
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let stands = |at: usize, length: usize| {
        !text[..at].ends_with(is_word) && !text[at + length..].starts_with(is_word)
    };
    if text.match_indices(name).any(|(at, _)| stands(at, name.len())) {
        return true;
    }
    let imports: &[&str] = match ending {
        "py" => &["from ", "from .", "import ", "import_module(\"", "import_module('"],
        "js" | "mjs" | "cjs" | "ts" => &["\"./", "'./", "\"../", "'../"],
        _ => &[],
    };
    imports.iter().any(|import| {
        let module = format!("{import}{stem}");
        text.match_indices(&module).any(|(at, _)| stands(at, module.len()))
    })
}

/// A path as every file of a bundle may write it; `None` for a variable, or what is no more than a word.
pub(super) fn path(named: &str) -> Option<String> {
    let named =
        named.trim_matches(['"', '\'', '`']).replace('\\', "/").replace("${HOME}", "~").replace("$HOME", "~");
    let mut path = named.as_str();
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    let is_path = path.contains('/') || path.contains('.');
    let is_known = !path.starts_with(['$', '%', '-']) && !path.contains(['{', '}']) && path.len() > 2;
    (is_path && is_known).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_are_the_same() {
        for (named, as_all) in [
            ("./tools/a.sh", Some("tools/a.sh")),
            ("\"$HOME/.x/a\"", Some("~/.x/a")),
            (".//./a.sh", Some("a.sh")),
            ("a.sh", Some("a.sh")),
            ("$F", None),
            ("$DIR/a.sh", None),
            ("tool", None),
            ("-", None),
        ] {
            assert_eq!(path(named).as_deref(), as_all, "{named}");
        }
    }

    #[test]
    fn who_names_whom() {
        for (text, path) in [
            ("from read import k", "read.py"),
            ("from .read import k", "lib/read.py"),
            ("k=$(./read.sh)", "bin/read.sh"),
            ("const k = require(\"./read\")", "read.js"),
        ] {
            assert!(names(text, path), "{text}");
        }
        for (text, path) in [
            ("from reader import k", "read.py"),
            ("read the docs", "read.py"),
            ("thread.sh", "read.sh"),
            ("require(\"read\")", "read.js"),
        ] {
            assert!(!names(text, path), "{text}");
        }
    }
}
