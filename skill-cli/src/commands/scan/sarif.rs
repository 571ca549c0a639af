//! What of a scan goes where in a SARIF log.

use serde_json::{Value, json};
use skill_core::diagnostic::Level;
use skill_core::verdict::{Finding, Severity};
use skill_scan::{About, RuleSet, ScanReport};

use crate::sarif::{self, Found, Log, Rule};

/// The log; `shown` is the folder or archive as text shows it.
pub(super) fn document(shown: &str, report: &ScanReport) -> Value {
    let is_found = |rule: &&About| report.findings.iter().any(|found| found.rule_id == rule.id);
    let log = Log {
        tool: "skill scan",
        rules: RuleSet::builtin().rules().filter(is_found).map(about).collect(),
        about: Some(json!({ "ruleset": report.ruleset_name, "rulesetSha256": report.ruleset_sha256 })),
        columns: None,
        run: vec![
            ("invocations", json!([{ "executionSuccessful": report.analysable }])),
            ("properties", json!({ "verdict": report.verdict })),
        ],
        found: report.findings.iter().map(|found| result(shown, found)).collect(),
    };
    log.document()
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
    let mut place =
        json!({ "artifactLocation": { "uri": uri(shown, &found.file), "uriBaseId": sarif::ROOT } });
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
