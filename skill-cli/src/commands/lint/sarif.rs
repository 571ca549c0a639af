//! What of the findings goes where in a SARIF log.
//!
//! Columns count code points, as everywhere in this program, and the log says so. Paths are relative to where the
//! program was run, as hosts take them relative to the repository.

use serde_json::{Value, json};
use skill_core::diagnostic::{self, Diagnostic, Edit, place};
use skill_core::lint::rules;

use super::Judged;
use super::artifact::Base;
use crate::sarif::{Found, Log, Rule};

/// The log; `base` is where the files lie.
pub(super) fn document(base: &Base, judged: &Judged<'_>) -> Value {
    let is_found = |rule: &&diagnostic::Rule| judged.found.iter().any(|found| found.code == rule.code);
    let log = Log {
        tool: "skill lint",
        rules: rules().filter(is_found).map(about).collect(),
        about: None,
        columns: Some("unicodeCodePoints"),
        run: Vec::new(),
        found: judged.found.iter().map(|found| result(base, judged, found)).collect(),
    };
    log.document()
}

fn about(rule: &diagnostic::Rule) -> Rule<'_> {
    let help = format!("{} {} Source: {}.", rule.why, rule.fix, rule.source);
    let markdown = format!("{}\n\n**What to do.** {}\n\n*Source: {}.*", rule.why, rule.fix, rule.source);
    Rule {
        id: rule.code,
        title: rule.meaning.into(),
        why: rule.why,
        help: json!({ "text": help, "markdown": markdown }),
        level: rule.level,
        properties: None,
    }
}

fn result<'f>(base: &Base, judged: &Judged<'_>, found: &'f Diagnostic) -> Found<'f> {
    let artifact = base.location(judged.draft.on_disk(&found.file));
    let region =
        json!({ "startLine": found.line, "startColumn": found.column, "endColumn": found.end_column });
    let mut place = json!({ "artifactLocation": artifact, "region": region });
    if !found.excerpt.is_empty() {
        // The excerpt is the whole line, and a snippet is the text of its own region (section 3.30.13).
        place["contextRegion"] = json!({ "startLine": found.line, "snippet": { "text": found.excerpt } });
    }
    let key = format!("{}\n{}\n{}\n{}", found.code, found.file, found.column, found.excerpt.trim());
    Found {
        rule: found.code,
        level: found.severity,
        message: &found.message,
        place,
        fingerprint: ("codeAndLine/v1", key),
        fixes: fixes(judged, found, &artifact),
    }
}

fn fixes(judged: &Judged<'_>, found: &Diagnostic, artifact: &Value) -> Option<Value> {
    let edit = found.edit.as_ref()?;
    let content = judged.draft.content(&found.file, judged.dry_run)?;
    let replacement =
        json!({ "deletedRegion": deleted(content, edit), "insertedContent": { "text": edit.text } });
    let change = json!({ "artifactLocation": artifact, "replacements": [replacement] });
    let text = found.fix.clone().unwrap_or_else(|| "apply the change".to_owned());
    Some(json!([{ "description": { "text": text }, "artifactChanges": [change] }]))
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
