//! Files as a whole: what the other rules cannot read, and what is not what it seems:
//! `rules/files.toml`.

use super::Notes;
use crate::file::{Kind, SourceFile};
use crate::{Hit, RuleSet};

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
    note(file, id, rules, hits);
}

/// Says that a file was left before its end.
pub(crate) fn note_unread(file: &SourceFile<'_>, rules: &RuleSet, hits: &mut Vec<Hit>) {
    note(file, "too-much-to-read", rules, hits);
}

fn note(file: &SourceFile<'_>, id: &str, rules: &RuleSet, hits: &mut Vec<Hit>) {
    if let Some(about) = rules.files.get(id) {
        Notes::new(file, hits).note(about, 0, &about.message, "");
    }
}
