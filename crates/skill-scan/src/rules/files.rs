//! Files that the other rules cannot read: `rules/files.toml`.

use super::Notes;
use crate::file::{Kind, SourceFile};
use crate::{Hit, RuleSet};

pub(crate) fn scan(file: &SourceFile<'_>, rules: &RuleSet, hits: &mut Vec<Hit>) {
    let id = match file.kind() {
        _ if !file.is_readable() => "unreadable-text",
        Kind::Program => "opaque-program",
        Kind::Opaque => "opaque-file",
        Kind::Markdown | Kind::Code | Kind::Media => return,
    };
    if let Some(about) = rules.files.get(id) {
        Notes::new(file.path(), hits).note(about, 0, &about.message, "");
    }
}
