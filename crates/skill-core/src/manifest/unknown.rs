//! Names keys that nothing reads, and what was probably meant.

use strsim::osa_distance;

use crate::diagnostic::{Diagnostic, FRONTMATTER_UNKNOWN};
use crate::frontmatter::node::Pair;

use super::fields::{Fields, folded};

/// Top-level keys that are read.
pub(super) const TOP: &[&str] = &[
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
    "when_to_use",
    "when_not_to_use",
    "version",
    "author",
    "emoji",
    "homepage",
    "website",
    "url",
    "links",
    "repository",
    "documentation",
    "changelog",
    "skillKey",
    "primaryEnv",
    "always",
    "user-invocable",
    "disable-model-invocation",
    "command-dispatch",
    "command-tool",
    "os",
    "requires",
    "install",
    "workflow",
    "input_parameters",
    "output_parameters",
    "dry_run",
    "envVars",
    "platform",
];

/// Keys that Claude Code reads at the top, as its documentation says: nothing here does, and nobody has misspelled them.
pub(crate) const OF_CLIENTS: &[&str] =
    &["argument-hint", "model", "effort", "context", "agent", "hooks", "paths", "shell"];

/// A finding for every top-level key that no field took and no other client is known to read; in the block for agents only where a known
/// key was probably meant, since that block is free for others to extend.
pub(super) fn unknown(fields: &mut Fields<'_>) {
    let top: Vec<Pair> = fields.unknown_at_top().cloned().collect();
    for pair in top.iter().filter(|pair| !OF_CLIENTS.contains(&pair.key.as_str())) {
        let meant = closest(&pair.key, TOP);
        let said = finding(fields, pair, meant.as_deref());
        fields.found.push(said);
    }
    let block: Vec<Pair> = fields.block().filter(|(_, taken)| !taken).map(|(pair, _)| pair.clone()).collect();
    for pair in &block {
        misspelled(fields, pair, TOP);
    }
}

/// A finding if a key is close to one of the known ones.
pub(super) fn misspelled(fields: &mut Fields<'_>, pair: &Pair, known: &[&str]) {
    if let Some(meant) = closest(&pair.key, known) {
        let said = finding(fields, pair, Some(&meant));
        fields.found.push(said);
    }
}

fn finding(fields: &Fields<'_>, pair: &Pair, meant: Option<&str>) -> Diagnostic {
    let key = &pair.key;
    let (line, column) = (pair.at.line, pair.at.column);
    let message = format!("{key} is not a known key");
    let said = Diagnostic::new(&FRONTMATTER_UNKNOWN, message).at(
        line,
        column,
        column + pair.at.length,
        fields.line(line),
    );
    // What a person may write instead, and no change that a program makes: the key may be the skill's own.
    match meant {
        Some(meant) => said.fix(meant),
        None => said,
    }
}

/// The one known key within the distance that a slip of the finger makes; none if two are as close.
fn closest(key: &str, known: &[&str]) -> Option<String> {
    let key = folded(key);
    let limit = match key.chars().count() {
        0..3 => return None,
        3..8 => 1,
        _ => 2,
    };
    let mut near: Vec<(usize, &str)> = known
        .iter()
        .map(|name| (osa_distance(&key, &folded(name)), *name))
        .filter(|(far, _)| *far <= limit)
        .collect();
    near.sort_by_key(|(far, _)| *far);
    match near[..] {
        [(first, _), (second, _), ..] if first == second => None,
        [(_, name), ..] => Some(name.to_owned()),
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger() {
        assert_eq!(closest("descriptoin", TOP).as_deref(), Some("description"));
        assert_eq!(closest("licence", TOP).as_deref(), Some("license"));
        assert_eq!(closest("allowed_tool", TOP).as_deref(), Some("allowed-tools"));
        assert_eq!(closest("ulr", TOP).as_deref(), Some("url"));
        for key in ["triggers", "tags", "model", "role", "title", "argument-hint", "library", "scope"] {
            assert_eq!(closest(key, TOP), None, "{key}");
        }
        // Words of their own, two letters from a key.
        for key in ["alias", "session", "vision", "lists", "linked"] {
            assert_eq!(closest(key, TOP), None, "{key}");
        }
    }
}
