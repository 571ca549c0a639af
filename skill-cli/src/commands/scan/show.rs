use std::collections::BTreeSet;

use skill_core::verdict::{Finding, Severity};
use skill_scan::RuleSet;
use skill_scan::capabilities::{Capabilities, Capability};

use super::Scanned;
use crate::report::{Block, Cell, Column, Line, Role, Table};
use crate::text::number;

/// The findings, what the skill reaches for, and what it adds up to.
pub(super) fn rows(scanned: &Scanned) -> Vec<Block> {
    let Scanned { packing, report, capabilities } = scanned;
    let mut rows: Vec<Block> = Vec::new();
    if !report.findings.is_empty() {
        rows.extend([findings(&report.findings).into(), Block::Blank]);
    }
    if !capabilities.capabilities.is_empty() {
        rows.extend([reaches_for(capabilities).into(), Block::Blank]);
    }
    let out = match packing.excluded.len() {
        0 => String::new(),
        out => format!(", {} left out and not scanned", number::counted(out, "entry", "entries")),
    };
    let files = number::counted(packing.bundle.len(), "file", "files");
    let count = |severity| report.findings.iter().filter(|found| found.severity == severity).count();
    let counts = [
        number::counted(count(Severity::Critical), "critical", "critical"),
        number::counted(count(Severity::Warn), "warning", "warnings"),
        number::counted(count(Severity::Info), "note", "notes"),
    ];
    let rules = format!("{} by rules {}", report.verdict, report.ruleset_name);
    rows.push(Line::from(format!("{files}{out}: {}; {rules}", counts.join(", "))).into());
    rows
}

/// Each with what was matched; why it matters and what to do once for each rule.
fn findings(findings: &[Finding]) -> Table {
    let mut table = Table::new([Column::new(""), Column::new("").whole(), Column::new("").whole()]);
    let mut explained: BTreeSet<&str> = BTreeSet::new();
    for finding in findings {
        let role = match finding.severity {
            Severity::Critical => Role::Error,
            Severity::Warn => Role::Warning,
            Severity::Info => Role::Note,
        };
        let row = table.push([
            Cell::of(role, finding.severity.as_str()),
            Cell::from(place(&finding.file, finding.line)),
            Cell::from(finding.rule_id.as_str()),
        ]);
        row.under.push(finding.message.clone());
        if !finding.evidence.is_empty() {
            row.under.push(format!("| {}", finding.evidence));
        }
        let about = RuleSet::builtin().rule(&finding.rule_id);
        if let Some(about) = about.filter(|_| explained.insert(&finding.rule_id)) {
            row.under.push(format!("why: {}", about.why));
            row.under.push(format!("fix: {}", about.advice));
        }
    }
    table
}

fn reaches_for(capabilities: &Capabilities) -> Table {
    let mut table = Table::new([
        Column::new("reaches for"),
        Column::new("").whole(),
        Column::new("SKILL.md"),
        Column::new("first place").whole(),
    ]);
    for one in &capabilities.capabilities {
        let Capability { kind, name, declared, place: site, .. } = one;
        let said = if *declared { Cell::from("declared") } else { Cell::of(Role::Warning, "says nothing") };
        let site = site.as_ref().map_or_else(|| "nowhere".to_owned(), |site| place(&site.file, site.line));
        table.push([Cell::from(kind.as_str()), Cell::from(name.as_str()), said, Cell::from(site)]);
    }
    table
}

fn place(file: &str, line: u32) -> String {
    match line {
        0 => file.to_owned(),
        line => format!("{file}:{line}"),
    }
}
