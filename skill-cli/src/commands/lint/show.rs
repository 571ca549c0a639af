//! One finding, as text and as data.

use serde_json::{Value, json};
use skill_core::diagnostic::{Diagnostic, Level};

use crate::report::{Block, Line, Marked, Role};

/// The word that a finding begins with.
pub(super) const fn label(level: Level) -> (Role, &'static str) {
    match level {
        Level::Error => (Role::Error, "error"),
        Level::Warning => (Role::Warning, "warning"),
        Level::Note => (Role::Note, "note"),
    }
}

/// Its place, code and message, the line with a caret, and the fix.
pub(super) fn rows(found: &Diagnostic) -> Vec<Block> {
    let (role, word) = label(found.severity);
    let place = format!("{}:{}:{}: ", found.file, found.line, found.column);
    let head = Line::new()
        .plain(place)
        .role(role, format!("{word}[{}]:", found.code))
        .plain(format!(" {}", found.message));
    let mut rows: Vec<Block> = vec![head.indent(0, 2).into()];
    if !found.excerpt.is_empty() {
        rows.push(Block::Excerpt(Marked {
            line: found.line,
            column: found.column,
            end_column: found.end_column,
            text: found.excerpt.clone(),
            label: found.label.clone(),
        }));
    }
    rows.extend(found.fix.iter().flat_map(|fix| fix.lines().enumerate()).map(|(index, line)| {
        let label = if index == 0 { "fix: " } else { "     " };
        Line::new().role(Role::Note, label).plain(line).indent(2, 7).into()
    }));
    rows
}

/// The same as the document holds it; `fixable` says whether `--fix` can make the fix.
pub(super) fn document(found: &Diagnostic) -> Value {
    let mut document = serde_json::to_value(found).unwrap_or_default();
    document["fixable"] = json!(found.is_fixable());
    document
}
