use std::path::PathBuf;

use serde_json::{Value, json};
use skill_bundle::Bundle;
use skill_core::manifest::Manifest;
use skill_core::verdict::{Verdict, findings_digest};
use skill_scan::capabilities::{Capabilities, capabilities};
use skill_scan::{RuleSet, ScanReport};

use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::packing::Packing;
use crate::report::{Block, Report};
use crate::sarif as log;
use crate::text::number;

mod sarif;
mod show;

/// Scan a folder or archive
///
/// Every file that lies there is looked at, whatever ignore files say.
///
/// The rules are in docs/SCAN.md. Exit 0 means clean, 5 anything else.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Examples:
  skill scan ./my-skill
  skill scan my-skill.skill --json
  skill scan ./my-skill --sarif")]
pub struct Args {
    /// Folder or archive of the skill
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    /// Folder inside PATH
    #[arg(long = "path", value_name = "PATH")]
    pub subpath: Option<PathBuf>,
    /// Print the findings as SARIF 2.1.0
    #[arg(long)]
    pub sarif: bool,
}

/// What was scanned, and what came of it.
struct Scanned {
    packing: Packing,
    report: ScanReport,
    capabilities: Capabilities,
}

/// Scans what lies in a folder, or what is unpacked of an archive.
///
/// # Errors
/// `scan-impossible`, `interrupted`, `usage`. Findings are no error of this function: they are in the report, with
/// `scan-found` if the verdict is not clean. With `--sarif` nothing is: a log says what stood in the way.
pub fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    log::is_alone(context, args.sarif)?;
    match scanned(context, args) {
        Err(failure) if args.sarif => {
            let failure = failure.nothing_changed_at_all();
            let mut answer = as_log(sarif::failed(&failure));
            answer.failure = Some(failure);
            Ok(answer)
        }
        answer => answer,
    }
}

fn as_log(log: Value) -> Report {
    let text = serde_json::to_string_pretty(&log).unwrap_or_default();
    Report::new(log, vec![Block::Verbatim(text + "\n")])
}

fn scanned(context: &Context, args: &Args) -> Result<Report, Failure> {
    let packing = Packing::look_at(context, &args.path, args.subpath.as_deref()).map_err(impossible)?;
    let mut report = context.scan(&packing.bundle)?;
    if !packing.unread.is_empty() {
        report = report.with_unread();
    }
    let capabilities = reached(&packing.bundle, &packing.base_name, &report);
    context.go_on()?;
    let scanned = Scanned { packing, report, capabilities };
    let mut answer = if args.sarif {
        as_log(sarif::document(&scanned))
    } else {
        Report::new(document(&scanned), show::rows(&scanned))
    };
    if scanned.report.verdict != Verdict::Clean {
        answer.failure = Some(found(&scanned));
    }
    Ok(answer)
}

fn found(scanned: &Scanned) -> Failure {
    let Scanned { packing, report, .. } = scanned;
    let mut message = format!("{} is {}", packing.shown, report.verdict);
    if report.counts.total() > 0 || packing.unread.is_empty() {
        let findings = number::counted(report.counts.total(), "finding", "findings");
        message = format!("{message}, {findings}");
    }
    if !packing.unread.is_empty() {
        let unread = number::counted(packing.unread.len(), "entry", "entries");
        message = format!("{message}, {unread} not read");
    }
    let hint = if report.findings.is_empty() {
        "nothing is known of what was not read: look at it yourself"
    } else {
        "read the findings; docs/SCAN.md says what each rule is for"
    };
    Failure::new(Code::ScanFound, message).hint(hint)
}

/// Whatever kept it from being read, it was not scanned.
fn impossible(reason: Failure) -> Failure {
    let Failure { code, message, details, hints, extra, .. } = reason;
    let mut failure = Failure::new(Code::ScanImpossible, message).key("reason", code.as_str());
    failure.details = details;
    failure.hints = hints;
    for (key, value) in *extra {
        failure = failure.key(&key, value);
    }
    failure
}

/// What it reaches for; a SKILL.md that nobody can read declares nothing.
fn reached(bundle: &Bundle, name: &str, report: &ScanReport) -> Capabilities {
    let read = |bytes: &[u8]| Manifest::read(bytes, name).map(|(manifest, _)| manifest);
    match read(bundle.skill_md()).or_else(|_| read(b"")) {
        Ok(manifest) => capabilities(bundle, &manifest, report),
        Err(_) => Capabilities::default(),
    }
}

fn document(scanned: &Scanned) -> Value {
    let Scanned { packing, report, capabilities } = scanned;
    let findings = report.findings.iter().map(|finding| {
        let rule = RuleSet::builtin().rule(&finding.rule_id);
        json!({
            "ruleId": finding.rule_id,
            "severity": finding.severity,
            "file": finding.file,
            "line": finding.line,
            "message": finding.message,
            "evidence": finding.evidence,
            "why": rule.map(|rule| &rule.why),
            "advice": rule.map(|rule| &rule.advice),
        })
    });
    let unread = packing
        .unread
        .iter()
        .map(|one| json!({ "path": one.path, "code": one.error.code(), "reason": one.error.to_string() }));
    let excluded = packing.excluded.iter().map(|(path, reason)| json!({ "path": path, "reason": reason }));
    json!({
        "verdict": report.verdict,
        "analysable": report.analysable,
        "counts": {
            "critical": report.counts.critical,
            "warnings": report.counts.warnings,
            "notes": report.counts.notes,
        },
        "findings": findings.collect::<Value>(),
        "findingsDigest": findings_digest(&report.findings),
        "capabilities": capabilities.capabilities,
        "moreCapabilities": capabilities.more,
        "files": packing.bundle.len(),
        "unread": unread.collect::<Value>(),
        "excluded": excluded.collect::<Value>(),
        "treeDigest": packing.tree.digest(),
        "ruleset": { "name": report.ruleset_name, "sha256": report.ruleset_sha256 },
    })
}
