//! The findings as a SARIF log (OASIS SARIF 2.1.0), as code hosts and editors read them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use skill_core::digest::Sha256;
use skill_core::verdict::{Finding, Severity};
use skill_scan::{About, RuleSet, ScanReport};

/// What stays as it is in the path of a URI (RFC 3986, section 3.3).
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The log; `shown` is the folder or archive as text shows it.
pub(super) fn document(shown: &str, report: &ScanReport) -> Value {
    let is_found = |rule: &&About| report.findings.iter().any(|found| found.rule_id == rule.id);
    let rules: Vec<&About> = RuleSet::builtin().rules().filter(is_found).collect();
    let results = report.findings.iter().map(|found| result(shown, &rules, found));
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "skill scan",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|rule| about(rule)).collect::<Vec<_>>(),
                "properties": { "ruleset": report.ruleset_name, "rulesetSha256": report.ruleset_sha256 },
            }},
            "originalUriBaseIds": { "%SRCROOT%": { "description": { "text": "where the program was run" } } },
            "invocations": [{ "executionSuccessful": report.analysable }],
            "properties": { "verdict": report.verdict },
            "results": results.collect::<Value>(),
        }],
    })
}

fn about(rule: &About) -> Value {
    json!({
        "id": rule.id,
        "shortDescription": { "text": rule.title() },
        "fullDescription": { "text": rule.why },
        "help": { "text": format!("{} {}", rule.why, rule.advice) },
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": { "tags": ["security", rule.owasp.as_str()] },
    })
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "error",
        Severity::Warn => "warning",
        Severity::Info => "note",
    }
}

fn result(shown: &str, rules: &[&About], found: &Finding) -> Value {
    let mut place =
        json!({ "artifactLocation": { "uri": uri(shown, &found.file), "uriBaseId": "%SRCROOT%" } });
    if found.line > 0 {
        place["region"] = json!({ "startLine": found.line });
        if !found.evidence.is_empty() {
            place["region"]["snippet"] = json!({ "text": found.evidence });
        }
    }
    json!({
        "ruleId": found.rule_id,
        "ruleIndex": rules.iter().position(|rule| rule.id == found.rule_id),
        "level": level(found.severity),
        "message": { "text": found.message },
        "locations": [{ "physicalLocation": place }],
        "partialFingerprints": { "ruleFileEvidence/v1": fingerprint(found) },
    })
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
fn fingerprint(found: &Finding) -> String {
    let text = format!("{}\n{}\n{}", found.rule_id, found.file, found.evidence);
    Sha256::of(text.as_bytes()).to_string()[..32].to_owned()
}
