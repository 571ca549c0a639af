use serde_json::{Value, json};
use skill_core::verdict::{Finding, Severity};

use super::{Cell, Column, Role, Table};

/// What a scan found, worst first: severity, place, rule, and below them the message.
pub fn findings_table(findings: &[Finding]) -> Table {
    let mut table = Table::new([Column::new(""), Column::new("").whole(), Column::new("").whole()]);
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort();
    for finding in sorted {
        let role = match finding.severity {
            Severity::Critical => Role::Error,
            Severity::Warn => Role::Warning,
            Severity::Info => Role::Note,
        };
        let place = match finding.line {
            0 => finding.file.clone(),
            line => format!("{}:{line}", finding.file),
        };
        let row = table.push([
            Cell::of(role, finding.severity.as_str()),
            Cell::from(place),
            Cell::from(finding.rule_id.as_str()),
        ]);
        row.under.push(finding.message.clone());
    }
    table
}

/// The same as the JSON documents hold it.
pub fn findings_document(findings: &[Finding]) -> Value {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort();
    let document = |finding: &Finding| {
        json!({
            "ruleId": finding.rule_id,
            "severity": finding.severity,
            "file": finding.file,
            "line": finding.line,
            "message": finding.message,
        })
    };
    sorted.into_iter().map(document).collect()
}
