//! The findings as a SARIF log (OASIS SARIF 2.1.0), as code hosts and editors read them.
//!
//! Columns count code points, as everywhere in this program, and the log says so (`columnKind`, section 3.14.17). Paths
//! are relative to where the program was run, as hosts take them relative to the repository.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use skill_core::diagnostic::{Diagnostic, Edit, Level, Rule};
use skill_core::digest::Sha256;
use skill_core::lint::rules;

use super::draft::Draft;

/// What stays as it is in the path of a URI (RFC 3986, section 3.3).
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log. `shown` is the folder as text shows it, `draft` has the files that the findings are about.
pub(super) fn document(shown: &str, draft: &Draft, found: &[Diagnostic]) -> Value {
    let rules: Vec<&Rule> =
        rules().filter(|rule| found.iter().any(|found| found.code == rule.code)).collect();
    let results: Vec<Value> = found.iter().map(|found| result(shown, draft, &rules, found)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "skill lint",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|rule| about(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "%SRCROOT%": { "description": { "text": "where the program was run" } } },
            "results": results,
        }],
    })
}

fn about(rule: &Rule) -> Value {
    let help = format!("{} {} Source: {}.", rule.why, rule.fix, rule.source);
    let markdown = format!("{}\n\n**What to do.** {}\n\n*Source: {}.*", rule.why, rule.fix, rule.source);
    json!({
        "id": rule.code,
        "shortDescription": { "text": rule.meaning },
        "fullDescription": { "text": rule.why },
        "help": { "text": help, "markdown": markdown },
        "defaultConfiguration": { "level": level(rule.level) },
    })
}

const fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}

fn result(shown: &str, draft: &Draft, rules: &[&Rule], found: &Diagnostic) -> Value {
    let mut region =
        json!({ "startLine": found.line, "startColumn": found.column, "endColumn": found.end_column });
    if !found.excerpt.is_empty() {
        region["snippet"] = json!({ "text": found.excerpt });
    }
    let artifact = json!({ "uri": uri(shown, draft.on_disk(&found.file)), "uriBaseId": "%SRCROOT%" });
    let mut result = json!({
        "ruleId": found.code,
        "ruleIndex": rules.iter().position(|rule| rule.code == found.code),
        "level": level(found.severity),
        "message": { "text": found.message },
        "locations": [{ "physicalLocation": { "artifactLocation": artifact, "region": region } }],
        "partialFingerprints": { "codeAndLine/v1": fingerprint(found) },
    });
    if let Some(edit) = &found.edit
        && let Some(content) = draft.content(&found.file)
    {
        let replacement =
            json!({ "deletedRegion": deleted(content, edit), "insertedContent": { "text": edit.text } });
        let change = json!({ "artifactLocation": artifact, "replacements": [replacement] });
        let text = found.fix.clone().unwrap_or_else(|| "apply the change".to_owned());
        result["fixes"] = json!([{ "description": { "text": text }, "artifactChanges": [change] }]);
    }
    result
}

/// The path of a file, relative and percent-encoded.
fn uri(shown: &str, file: &str) -> String {
    let is_inside = !shown.starts_with(['/', '~', '`']) && !shown.starts_with("..");
    let path = if shown == "." || !is_inside {
        file.to_owned()
    } else {
        format!("{}/{file}", shown.trim_end_matches('/'))
    };
    utf8_percent_encode(&path, PATH).to_string()
}

/// What stays the same when lines above it come or go.
fn fingerprint(found: &Diagnostic) -> String {
    let text = format!("{}\n{}\n{}\n{}", found.code, found.file, found.column, found.excerpt.trim());
    let digest = Sha256::of(text.as_bytes()).to_string();
    digest[..32].to_owned()
}

/// The text that an edit takes away, as lines and columns and as bytes.
fn deleted(content: &[u8], edit: &Edit) -> Value {
    let (line, column) = place(content, edit.range.start);
    let (end_line, end_column) = place(content, edit.range.end);
    json!({
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
        "byteOffset": edit.range.start,
        "byteLength": edit.range.len(),
    })
}

/// Line and column of a byte, both from 1.
fn place(content: &[u8], byte: usize) -> (usize, usize) {
    let before = String::from_utf8_lossy(content.get(..byte).unwrap_or(content));
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[start..].trim_start_matches('\u{feff}').chars().count() + 1)
}
