//! The built-in scanner: rules over an opened bundle, findings out of it, one verdict.
//!
//! Pure, and linear in the bytes: the expressions are finite automata, each runs once over each
//! place that one of its anchors points to, and no text is looked at more than a fixed number of
//! times. What rules look for is data (`rules/*.toml`); what they need to know of a file's layout
//! is code.
//!
//! # From findings to a verdict
//!
//! The worst of these, in this order:
//!
//! | what there is | verdict |
//! |---|---|
//! | a finding of a rule that says `verdict = "malicious"` | malicious |
//! | a script or text that could not be read as text | not-analysable |
//! | a critical finding | suspicious |
//! | warnings, notes, nothing | clean |
//!
//! - A download that goes straight into an interpreter is critical: honest installers do it too,
//!   so a person reads and accepts it.
//! - Encoded text that is decoded and run is critical. It is malicious if the encoded text is in
//!   the same file and, once decoded, downloads and runs something itself: nobody hides an honest
//!   installer twice.
//! - Hidden characters that spell a message are malicious; there is no honest use. Hidden
//!   characters that only could (runs, breaks inside words of code, reordered text) are critical.
//! - Text that *warns* of a command, and comments of scripts, are not commands: the finding stays,
//!   as a note or a warning, and does not weigh.
//! - A compiled program is a warning and any other binary a note: they are seen, not judged.

mod encoded;
mod evidence;
mod file;
mod layout;
mod rules;
mod ruleset;
mod units;

use skill_bundle::Bundle;
use skill_core::digest::Sha256;
use skill_core::verdict::{Finding, Severity, Verdict};

pub use ruleset::RuleSet;

use file::SourceFile;

/// What the rules say about a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanReport {
    /// What it adds up to.
    pub verdict: Verdict,
    /// Whether every script and text could be read.
    pub analysable: bool,
    /// What was found, worst first.
    pub findings: Vec<Finding>,
    /// Name of the rules.
    pub ruleset_name: String,
    /// Digest over the rules.
    pub ruleset_sha256: Sha256,
}

/// A finding, and what its rule makes of the bundle.
#[derive(Debug)]
pub(crate) struct Hit {
    pub(crate) finding: Finding,
    pub(crate) malicious: bool,
}

/// Holds every file of `bundle` against `rules`.
pub fn scan(bundle: &Bundle, rules: &RuleSet) -> ScanReport {
    let mut hits = Vec::new();
    let mut analysable = true;
    for (path, file) in bundle.files() {
        let source = SourceFile::read(path.as_str(), file.content());
        analysable &= source.is_readable();
        rules::files::scan(&source, rules, &mut hits);
        let Some(text) = source.text() else { continue };
        rules::pipe_to_interpreter::scan(&source, text, rules, &mut hits);
        rules::hidden_unicode::scan(&source, text, rules, &mut hits);
    }
    let verdict = verdict(&hits, analysable);
    let mut findings: Vec<Finding> = hits.into_iter().map(|hit| hit.finding).collect();
    findings.sort();
    findings.dedup();
    ScanReport {
        verdict,
        analysable,
        findings,
        ruleset_name: rules.name().to_owned(),
        ruleset_sha256: rules.sha256(),
    }
}

fn verdict(hits: &[Hit], analysable: bool) -> Verdict {
    if hits.iter().any(|hit| hit.malicious) {
        Verdict::Malicious
    } else if !analysable {
        Verdict::NotAnalysable
    } else if hits.iter().any(|hit| hit.finding.severity == Severity::Critical) {
        Verdict::Suspicious
    } else {
        Verdict::Clean
    }
}
