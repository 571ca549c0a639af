//! Files as a whole: what the other rules cannot read, and what is not what it seems:
//! `rules/files.toml`.

use super::Notes;
use crate::file::{Kind, SourceFile};
use crate::layout::lines;
use crate::{Hit, RuleSet};

/// What is said of a text in which no character but one is wrong.
const ZERO: &str = "a script or text with U+0000 in it, at which some programs end it and others do not";

pub(crate) fn scan(file: &SourceFile<'_>, rules: &RuleSet, hits: &mut Vec<Hit>) {
    let id = match file.kind() {
        Kind::Program if file.is_disguised() => "disguised-program",
        _ if !file.is_readable() => "unreadable-text",
        Kind::Program => "opaque-program",
        Kind::LockedArchive => "locked-archive",
        Kind::Archive => "archive-inside",
        Kind::Opaque => "opaque-file",
        Kind::Markdown | Kind::Code | Kind::Media => return,
    };
    if let (Some(about), "unreadable-text", true) = (rules.files.get(id), id, file.has_zero()) {
        Notes::new(file, hits).note(about, 0, ZERO, "");
        return;
    }
    note(file, id, rules, hits);
}

/// Notes the lines of a program that end in a carriage return alone, or in U+2028 or U+2029.
pub(crate) fn scan_line_ends(file: &SourceFile<'_>, rules: &RuleSet, hits: &mut Vec<Hit>) {
    let (text, manner) = (file.text(), file.manner());
    let has_any = text.contains('\r') || (manner.separators && text.contains(['\u{2028}', '\u{2029}']));
    let Some(about) = rules.files.get("hidden-line-end").filter(|_| has_any && file.is_program()) else {
        return;
    };
    let mut notes = Notes::new(file, hits);
    for line in lines(manner, text) {
        let after = &text[line.start + line.text.len()..];
        let usual = ["\n", "\r\n", "\r\r\n"].iter().any(|end| after.starts_with(end));
        if !usual && after.chars().nth(1).is_some() {
            notes.note(about, line.number, &about.message, &text[line.start..]);
        }
    }
}

/// Says that a file was left before its end.
pub(crate) fn note_unread(path: &str, is_program: bool, rules: &RuleSet, hits: &mut Vec<Hit>) {
    if let Some(about) = rules.files.get("too-much-to-read") {
        Notes::at(path, is_program, hits).note(about, 0, &about.message, "");
    }
}

fn note(file: &SourceFile<'_>, id: &str, rules: &RuleSet, hits: &mut Vec<Hit>) {
    if let Some(about) = rules.files.get(id) {
        Notes::new(file, hits).note(about, 0, &about.message, "");
    }
}
