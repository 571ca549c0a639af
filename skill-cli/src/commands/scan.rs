use std::path::PathBuf;

use serde_json::{Value, json};
use skill_bundle::Bundle;
use skill_core::manifest::Manifest;
use skill_core::verdict::{Verdict, findings_digest};
use skill_scan::capabilities::{Capabilities, capabilities};
use skill_scan::{RuleSet, ScanReport, scan};

use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::packing::Packing;
use crate::report::{Block, Report};
use crate::text::number;

mod sarif;
mod show;

/// Scan a folder or archive
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

/// Scans what would be packed, or what is in an archive.
///
/// # Errors
/// `scan-impossible`. Findings are no error of this function: they are in the report, with
/// `scan-found` if the verdict is not clean.
pub fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let packing = Packing::read(context, &args.path, args.subpath.as_deref()).map_err(impossible)?;
    let report = scan(&packing.bundle, RuleSet::builtin());
    let capabilities = reached(&packing.bundle, &packing.base_name, &report);
    let scanned = Scanned { packing, report, capabilities };
    let (document, rows) = if args.sarif {
        let document = sarif::document(&scanned.packing.shown, &scanned.report);
        let text = serde_json::to_string_pretty(&document).unwrap_or_default();
        (document, vec![Block::Verbatim(text + "\n")])
    } else {
        (document(&scanned), show::rows(&scanned))
    };
    let mut answer = Report::new(document, rows);
    if scanned.report.verdict != Verdict::Clean {
        let found = number::counted(scanned.report.findings.len(), "finding", "findings");
        let Scanned { packing, report, .. } = &scanned;
        answer.failure = Some(
            Failure::new(Code::ScanFound, format!("{} is {}, {found}", packing.shown, report.verdict))
                .hint("read the findings; docs/SCAN.md says what each rule is for"),
        );
    }
    Ok(answer)
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
    let excluded = packing.excluded.iter().map(|(path, reason)| json!({ "path": path, "reason": reason }));
    json!({
        "verdict": report.verdict,
        "analysable": report.analysable,
        "findings": findings.collect::<Value>(),
        "findingsDigest": findings_digest(&report.findings),
        "capabilities": capabilities.capabilities,
        "moreCapabilities": capabilities.more,
        "files": packing.bundle.len(),
        "excluded": excluded.collect::<Value>(),
        "treeDigest": packing.tree.digest(),
        "ruleset": { "name": report.ruleset_name, "sha256": report.ruleset_sha256 },
    })
}
