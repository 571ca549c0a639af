//! The findings as a SARIF log (OASIS SARIF 2.1.0), as code hosts and editors read them.
//!
//! Columns count code points, as everywhere in this program, and the log says so (`columnKind`, section 3.14.17). Paths
//! are relative to where the program was run, as hosts take them relative to the repository.

use serde_json::{Value, json};
use skill_core::diagnostic::{Diagnostic, Edit, Level, Rule, place};
use skill_core::digest::Sha256;
use skill_core::lint::rules;

use super::Judged;
use super::artifact::Base;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log; `base` is where the files lie.
pub(super) fn document(base: &Base, judged: &Judged<'_>) -> Value {
    let found = judged.found;
    let rules: Vec<&Rule> =
        rules().filter(|rule| found.iter().any(|found| found.code == rule.code)).collect();
    let results: Vec<Value> = found.iter().map(|found| result(base, judged, &rules, found)).collect();
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

fn result(base: &Base, judged: &Judged<'_>, rules: &[&Rule], found: &Diagnostic) -> Value {
    let artifact = base.location(judged.draft.on_disk(&found.file));
    let region =
        json!({ "startLine": found.line, "startColumn": found.column, "endColumn": found.end_column });
    let mut place = json!({ "artifactLocation": artifact, "region": region });
    if !found.excerpt.is_empty() {
        // The excerpt is the whole line, and a snippet is the text of its own region (section 3.30.13).
        place["contextRegion"] = json!({ "startLine": found.line, "snippet": { "text": found.excerpt } });
    }
    let mut result = json!({
        "ruleId": found.code,
        "ruleIndex": rules.iter().position(|rule| rule.code == found.code),
        "level": level(found.severity),
        "message": { "text": found.message },
        "locations": [{ "physicalLocation": place }],
        "partialFingerprints": { "codeAndLine/v1": fingerprint(found) },
    });
    if let Some(edit) = &found.edit
        && let Some(content) = judged.draft.content(&found.file, judged.dry_run)
    {
        let replacement =
            json!({ "deletedRegion": deleted(content, edit), "insertedContent": { "text": edit.text } });
        let change = json!({ "artifactLocation": artifact, "replacements": [replacement] });
        let text = found.fix.clone().unwrap_or_else(|| "apply the change".to_owned());
        result["fixes"] = json!([{ "description": { "text": text }, "artifactChanges": [change] }]);
    }
    result
}

/// What stays the same when lines above it come or go.
fn fingerprint(found: &Diagnostic) -> String {
    let text = format!("{}\n{}\n{}\n{}", found.code, found.file, found.column, found.excerpt.trim());
    let digest = Sha256::of(text.as_bytes()).to_string();
    digest[..32].to_owned()
}

/// The text that an edit takes away, as lines and columns and as bytes.
fn deleted(content: &[u8], edit: &Edit) -> Value {
    let text = String::from_utf8_lossy(content);
    let (line, column) = place(&text, edit.range.start);
    let (end_line, end_column) = place(&text, edit.range.end);
    json!({
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
        "byteOffset": edit.range.start,
        "byteLength": edit.range.len(),
    })
}
