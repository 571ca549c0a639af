use std::collections::BTreeSet;

use skill_bundle::Unread;
use skill_core::verdict::{Finding, Severity};
use skill_scan::RuleSet;
use skill_scan::capabilities::{Capabilities, Capability};

use super::Scanned;
use crate::report::{Block, Cell, Column, Line, Role, Table};
use crate::text::number;

/// How many entries that were not read, or left out, text names one by one.
const MOST_NAMED: usize = 100;

/// The findings, what the skill reaches for, and what it adds up to.
pub(super) fn rows(scanned: &Scanned) -> Vec<Block> {
    let Scanned { packing, report, capabilities } = scanned;
    let mut rows: Vec<Block> = Vec::new();
    if !packing.unread.is_empty() {
        rows.extend([unread(&packing.unread).into(), Block::Blank]);
    }
    if !report.findings.is_empty() {
        rows.extend([findings(&report.findings).into(), Block::Blank]);
    }
    if !capabilities.capabilities.is_empty() {
        rows.extend([reaches_for(capabilities).into(), Block::Blank]);
    }
    if !packing.excluded.is_empty() {
        rows.extend([left_out(&packing.excluded).into(), Block::Blank]);
    }
    let unread = match packing.unread.len() {
        0 => String::new(),
        unread => format!(", {} not read", number::counted(unread, "entry", "entries")),
    };
    let files = number::counted(packing.bundle.len(), "file", "files");
    let counts = [
        number::counted(report.counts.critical, "critical", "critical"),
        number::counted(report.counts.warnings, "warning", "warnings"),
        number::counted(report.counts.notes, "note", "notes"),
    ];
    let rules = format!("{} by rules {}", report.verdict, report.ruleset_name);
    rows.push(Line::from(format!("{files}{unread}: {}; {rules}", counts.join(", "))).into());
    rows
}

/// What could not be looked at, by name.
fn unread(unread: &[Unread]) -> Table {
    let mut table = Table::new([Column::new(""), Column::new("").whole(), Column::new("").whole()]);
    for Unread { path, error } in unread.iter().take(MOST_NAMED) {
        let row = table.push([
            Cell::of(Role::Error, "not read"),
            Cell::from(path.as_str()),
            Cell::from(error.code()),
        ]);
        row.under.push(error.to_string());
    }
    if let Some(row) = table.rows.last_mut().filter(|_| unread.len() > MOST_NAMED) {
        let more = number::counted(unread.len() - MOST_NAMED, "more entry", "more entries");
        row.under.push(format!("{more} not read, which `--json` names"));
    }
    table
}

/// What was not looked at because no skill holds it, by name.
fn left_out(excluded: &[(String, String)]) -> Table {
    let mut table =
        Table::new([Column::new("not scanned"), Column::new("").whole(), Column::new("").whole()]);
    for (path, reason) in excluded.iter().take(MOST_NAMED) {
        table.push([Cell::from(""), Cell::from(path.as_str()), Cell::from(reason.as_str())]);
    }
    if let Some(row) = table.rows.last_mut().filter(|_| excluded.len() > MOST_NAMED) {
        let more = number::counted(excluded.len() - MOST_NAMED, "more entry", "more entries");
        row.under.push(format!("{more}, which `--json` names"));
    }
    table
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
