//! What of a scan goes where in a SARIF log.

use serde_json::{Value, json};
use skill_core::diagnostic::Level;
use skill_core::verdict::{Finding, Severity};
use skill_scan::{About, RuleSet};

use super::Scanned;
use crate::failure::Failure;
use crate::report::Detail;
use crate::sarif::{self, Found, Log, Rule};

/// The log. What could not be read, and what was left out, are notifications (section 3.58).
pub(super) fn document(scanned: &Scanned) -> Value {
    let Scanned { packing, report, .. } = scanned;
    let shown = packing.shown.as_str();
    let place = |path: &str| json!([{ "physicalLocation": artifact(shown, path.trim_end_matches('/')) }]);
    let unread = packing.unread.iter().map(|one| {
        let mut told = notification(one.error.code(), Level::Error, &one.error.to_string());
        told["locations"] = place(&one.path);
        told
    });
    let excluded = packing.excluded.iter().map(|(path, reason)| {
        let mut told = notification("left-out", Level::Note, &format!("{path} was not scanned: {reason}"));
        told["locations"] = place(path);
        told
    });
    let notifications: Vec<Value> = unread.chain(excluded).collect();
    let is_found = |rule: &&About| report.findings.iter().any(|found| found.rule_id == rule.id);
    let log = Log {
        tool: "skill scan",
        rules: RuleSet::builtin().rules().filter(is_found).map(about).collect(),
        about: Some(json!({ "ruleset": report.ruleset_name, "rulesetSha256": report.ruleset_sha256 })),
        columns: None,
        run: vec![
            ("invocations", json!([invocation(report.analysable, notifications)])),
            ("properties", json!({ "verdict": report.verdict })),
        ],
        found: report.findings.iter().map(|found| result(shown, found)).collect(),
    };
    log.document()
}

/// The log of a scan that came to no verdict.
pub(super) fn failed(failure: &Failure) -> Value {
    let because = failure.details.iter().filter_map(|detail| match detail {
        Detail::Because(fact) => Some(fact.as_str()),
        _ => None,
    });
    let text = std::iter::once(failure.message.as_str()).chain(because).collect::<Vec<_>>().join("; ");
    let told = vec![notification(failure.code.as_str(), Level::Error, &text)];
    let log = Log {
        tool: "skill scan",
        rules: Vec::new(),
        about: None,
        columns: None,
        run: vec![("invocations", json!([invocation(false, told)]))],
        found: Vec::new(),
    };
    log.document()
}

fn invocation(is_whole: bool, notifications: Vec<Value>) -> Value {
    let mut invocation = json!({ "executionSuccessful": is_whole });
    if !notifications.is_empty() {
        invocation["toolExecutionNotifications"] = Value::from(notifications);
    }
    invocation
}

fn notification(id: &str, level: Level, text: &str) -> Value {
    json!({ "descriptor": { "id": id }, "level": level, "message": { "text": text } })
}

fn artifact(shown: &str, file: &str) -> Value {
    json!({ "artifactLocation": { "uri": uri(shown, file), "uriBaseId": sarif::ROOT } })
}

fn about(rule: &About) -> Rule<'_> {
    Rule {
        id: &rule.id,
        title: rule.title().into(),
        why: &rule.why,
        help: json!({ "text": format!("{} {}", rule.why, rule.advice) }),
        level: level(rule.severity),
        properties: Some(json!({ "tags": ["security", rule.owasp.as_str()] })),
    }
}

const fn level(severity: Severity) -> Level {
    match severity {
        Severity::Critical => Level::Error,
        Severity::Warn => Level::Warning,
        Severity::Info => Level::Note,
    }
}

fn result<'f>(shown: &str, found: &'f Finding) -> Found<'f> {
    let mut place = artifact(shown, &found.file);
    if found.line > 0 {
        place["region"] = json!({ "startLine": found.line });
        if !found.evidence.is_empty() {
            place["region"]["snippet"] = json!({ "text": found.evidence });
        }
    }
    Found {
        rule: &found.rule_id,
        level: level(found.severity),
        message: &found.message,
        place,
        fingerprint: (
            "ruleFileEvidence/v1",
            format!("{}\n{}\n{}", found.rule_id, found.file, found.evidence),
        ),
        fixes: None,
    }
}

/// The path of a file, relative and percent-encoded.
fn uri(shown: &str, file: &str) -> String {
    let is_inside = !shown.starts_with(['/', '~', '`']) && !shown.starts_with("..");
    let path = if shown == "." || !is_inside {
        file.to_owned()
    } else {
        format!("{}/{file}", shown.trim_end_matches('/'))
    };
    sarif::path(path.as_bytes())
}
