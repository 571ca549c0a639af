//! JSON and JSON5 where a frontmatter holds it.

use serde_json::Value;

use crate::diagnostic::{Diagnostic, FRONTMATTER_JSON5};

use super::fence::{Block, top_key};
use super::node::{Kind, Node, Pair};

/// The most lists and maps in a JSON5 text. The parser recurses without a limit of its own, and only
/// a count that never goes down bounds its depth without knowing where strings and comments end.
const BRACKETS: usize = 200;

/// Reads a text as JSON, else as JSON5 (comments, trailing commas, bare keys).
pub(crate) fn parse(text: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let brackets = text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
    (brackets <= BRACKETS).then(|| json5::from_str(text).ok()).flatten()
}

/// A text as JSON5 if YAML took its comments for keys and values: `read` is what YAML made of it.
pub(super) fn meant(text: &str, read: &Value) -> Option<Value> {
    if !holds_comments(read) {
        return None;
    }
    parse(text).filter(|meant| !holds_comments(meant))
}

fn holds_comments(value: &Value) -> bool {
    let is_comment = |text: &str| {
        ["//", "/*"].iter().any(|mark| text.starts_with(mark) || text.contains(&format!(" {mark}")))
    };
    match value {
        Value::String(text) => is_comment(text),
        Value::Array(items) => items.iter().any(holds_comments),
        Value::Object(map) => map.iter().any(|(key, value)| is_comment(key) || holds_comments(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Maps and lists in brackets whose comments are JSON's: to YAML `// note` is part of the next key or value.
pub(super) fn in_flow(pairs: &mut [Pair], block: &Block<'_>, found: &mut Vec<Diagnostic>) {
    let mut end = block.end;
    for pair in pairs.iter_mut().rev() {
        let start = pair.at.line as usize - 1;
        let lines = block.head.get(start..end).unwrap_or_default();
        let text = lines.iter().map(|line| line.text).collect::<Vec<_>>().join("\n");
        end = start;
        let Some((_, value)) = text.split_once(':').filter(|_| top_key(&text) == Some(&pair.key)) else {
            continue;
        };
        let flow = value.trim_start().starts_with(['{', '[']) && !matches!(pair.value.kind, Kind::Scalar(_));
        let Some(meant) = flow.then(|| meant(value, &pair.value.to_value())).flatten() else { continue };
        let message = format!("{} holds comments of JSON5, which are text to YAML", pair.key);
        let said = Diagnostic::new(&FRONTMATTER_JSON5, message);
        found.push(said.at(pair.at.line, pair.at.column, pair.at.column + pair.at.length, lines[0].text));
        pair.value = Node::from_value(meant, pair.at);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_are_read() {
        assert_eq!(parse(r#"{"a": [1]}"#), Some(json!({"a": [1]})));
        assert_eq!(parse("{a: 'b', // why\n c: [1,],}"), Some(json!({"a": "b", "c": [1]})));
        assert_eq!(parse("{a: "), None);
        assert_eq!(parse("plain"), None);
    }

    #[test]
    fn nesting_without_end_is_no_crash() {
        assert_eq!(parse(&"[".repeat(200_000)), None);
        assert_eq!(parse(&format!("{}'x',{}", "[".repeat(100_000), "]".repeat(100_000))), None);
    }

    #[test]
    fn brackets_in_strings_do_not_hide_depth() {
        assert_eq!(parse(&"[']',".repeat(100_000)), None);
    }
}
