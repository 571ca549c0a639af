//! JSON and JSON5 where a frontmatter holds it.

use serde_json::Value;

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
