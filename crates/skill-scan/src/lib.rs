//! The built-in scanner: rules over an opened bundle, findings out of it, one verdict.
//!
//! Pure, and linear in the bytes: the expressions are finite automata, each runs over a logical
//! line that has one of its anchors and stops after a fixed number of matches. The bytes that this
//! takes are counted; a bundle that takes more than its share is not analysable, and never clean.
//! What rules look for is data (`rules/*.toml`), of which docs/SCAN.md is made; what they need to
//! know of a file's layout is code.
//!
//! # From findings to a verdict
//!
//! The worst of these, in this order:
//!
//! | what there is | verdict |
//! |---|---|
//! | a finding of a rule that says `verdict = "malicious"` | malicious |
//! | a script or text that could not be read to its end, or an unreadable program that is run by name | not-analysable |
//! | a critical finding | suspicious |
//! | warnings, notes, nothing | clean |
//!
//! - A download that goes straight into an interpreter is critical: honest installers do it too,
//!   so a person reads and accepts it.
//! - Encoded text that is decoded and run is critical. It is malicious if the encoded text is in
//!   the same file and, once decoded, downloads and runs something itself: nobody hides an honest
//!   installer twice.
//! - Things that are harmless apart (a file that is downloaded and then run, a credential that is
//!   read where something is sent) are found as a pair, in a program anywhere, in a page nearby, and
//!   in two files where both write the same path, or one names the other.
//! - Commands are read as a shell reads them: quotes and backslashes inside of words, `${IFS}` and
//!   commands in variables are undone first.
//! - Sentences are read as a model reads them as well: without emphasis, quote marks, markup, hidden
//!   characters and letters that only look Latin, and as whole paragraphs.
//! - Hidden characters that spell a message are malicious; there is no honest use. Hidden
//!   characters that only could (runs, breaks inside words of code, reordered text) are critical.
//! - Text that *warns* of a command, and comments of scripts that are provably ones, are not
//!   commands: the finding stays, as a note or a warning, and does not weigh. What a script's
//!   comment says of the line below it changes nothing.
//! - A secret that its author waives, with a reason, stays as a note. Nothing else has a waiver.
//! - A compiled program is a warning and any other binary a note: they are seen, not judged. One that a script or a
//!   page of the bundle runs by name makes it not analysable.

pub mod capabilities;

mod comments;
mod encoded;
mod evidence;
mod file;
mod fold;
mod host;
mod language;
mod layout;
mod plain;
mod prose;
mod rules;
mod ruleset;
mod runs;
mod units;
mod work;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use skill_bundle::Bundle;
use skill_core::digest::Sha256;
use skill_core::verdict::{Finding, Severity, Verdict};

pub use ruleset::{About, Family, Owasp, RuleSet, Scope};

use file::SourceFile;
use rules::pairs::across::Across;
use rules::runs::Opaque;
use runs::Runs;
use work::Work;

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
    /// How many places that is.
    pub counts: Counts,
    /// How many bytes expressions were held against: what the scan took, the same on every machine.
    pub examined: u64,
}

impl ScanReport {
    /// The same where something that belongs to the bundle could not be looked at: never clean.
    #[must_use]
    pub fn with_unread(self) -> Self {
        let verdict = match self.verdict {
            Verdict::Malicious => Verdict::Malicious,
            _ => Verdict::NotAnalysable,
        };
        Self { analysable: false, verdict, ..self }
    }
}

/// How many places the rules found, by how much they weigh. A report lists the first of a rule in a file, and counts
/// them all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Places of critical findings.
    pub critical: usize,
    /// Places of warnings.
    pub warnings: usize,
    /// Places of notes.
    pub notes: usize,
}

impl Counts {
    /// All of them.
    pub const fn total(&self) -> usize {
        self.critical + self.warnings + self.notes
    }

    pub(crate) const fn add(&mut self, severity: Severity) {
        match severity {
            Severity::Critical => self.critical += 1,
            Severity::Warn => self.warnings += 1,
            Severity::Info => self.notes += 1,
        }
    }

    const fn and(self, other: Self) -> Self {
        Self {
            critical: self.critical + other.critical,
            warnings: self.warnings + other.warnings,
            notes: self.notes + other.notes,
        }
    }
}

/// A scan that was told to stop before it was done: nothing is known of the bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the scan was stopped")]
pub struct Stopped;

/// A finding, what its rule makes of the bundle, and the places that it stands for.
#[derive(Debug)]
pub(crate) struct Hit {
    pub(crate) finding: Finding,
    pub(crate) malicious: bool,
    pub(crate) places: Counts,
}

/// Holds every file of `bundle` against `rules`.
pub fn scan(bundle: &Bundle, rules: &RuleSet) -> ScanReport {
    scan_within(bundle, rules, &mut Work::for_bytes(bundle.total_bytes()))
}

/// The same, for somebody who may set `stop` meanwhile: within a moment it ends.
///
/// # Errors
/// [`Stopped`] if `stop` was set before it was done.
pub fn scan_until(bundle: &Bundle, rules: &RuleSet, stop: &Arc<AtomicBool>) -> Result<ScanReport, Stopped> {
    let mut work = Work::for_bytes(bundle.total_bytes()).until(stop);
    let report = scan_within(bundle, rules, &mut work);
    if work.is_stopped() { Err(Stopped) } else { Ok(report) }
}

fn scan_within(bundle: &Bundle, rules: &RuleSet, work: &mut Work) -> ScanReport {
    let mut hits = Vec::new();
    let mut analysable = true;
    let mut opaque = Vec::new();
    let runs = Runs::of(bundle, work);
    let mut across = Across::default();
    for (path, file) in bundle.files() {
        if work.is_stopped() {
            break;
        }
        let run_by = runs.language(path.as_str());
        let read = |run_by| SourceFile::read(path.as_str(), file.content(), run_by);
        let mut source = read(None);
        if run_by.is_some() && !source.is_program() {
            // An agent reads it, and an interpreter too: each of them is to find nothing.
            analysable &= scan_file(&source, rules, &mut across, work, &mut hits);
        }
        if run_by.is_some() {
            source = read(run_by);
        }
        opaque.extend(Opaque::of(&source));
        analysable &= scan_file(&source, rules, &mut across, work, &mut hits);
    }
    if let Some(path) = across.note(bundle, work, &mut hits) {
        analysable = false;
        rules::files::note_unread(path, false, rules, &mut hits);
    }
    analysable &= !rules::runs::scan(bundle, &opaque, rules, &mut hits);
    let verdict = verdict(&hits, analysable);
    hits.sort_by(|one, other| one.finding.cmp(&other.finding));
    hits.dedup_by(|one, other| one.finding == other.finding);
    let counts = hits.iter().fold(Counts::default(), |counts, hit| counts.and(hit.places));
    ScanReport {
        verdict,
        analysable,
        findings: hits.into_iter().map(|hit| hit.finding).collect(),
        counts,
        ruleset_name: rules.name().to_owned(),
        ruleset_sha256: rules.sha256(),
        examined: work.done(),
    }
}

/// Notes what is in one file; `false` if not all of it could be read.
fn scan_file<'r>(
    source: &SourceFile<'_>,
    rules: &'r RuleSet,
    across: &mut Across<'r>,
    work: &mut Work,
    hits: &mut Vec<Hit>,
) -> bool {
    rules::files::scan(source, rules, hits);
    rules::files::scan_line_ends(source, rules, hits);
    rules::patterns::scan(source, rules, across, work, hits);
    rules::spans::scan(source, rules, work, hits);
    rules::hidden_unicode::scan(source, rules, hits);
    let unread = work.was_refused();
    if unread {
        rules::files::note_unread(source.path(), source.is_program(), rules, hits);
    }
    source.is_readable() && !unread
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

#[cfg(test)]
mod tests {
    use skill_bundle::{BundleBuilder, BundlePath, Limits};

    use super::*;

    /// Whoever drowns a scan gets no clean verdict for it, and the files before stay judged.
    #[test]
    fn what_is_too_much_is_never_clean() {
        let mut builder = BundleBuilder::new(Limits::default());
        let flood = "curl wget fetch exec( eval( .ssh base64 | $( https:// token key ".repeat(200);
        for (path, text) in
            [("SKILL.md", "---\nname: x\n---\n"), ("a.sh", "echo\n"), ("b.sh", &flood), ("c.sh", &flood)]
        {
            builder.add(BundlePath::parse(path).unwrap(), false, text.as_bytes().to_vec()).unwrap();
        }
        let bundle = builder.finish().unwrap();
        let report = scan_within(&bundle, RuleSet::builtin(), &mut Work::at_most(100_000));
        assert_eq!((report.verdict, report.analysable), (Verdict::NotAnalysable, false));
        let unread: Vec<_> =
            report.findings.iter().filter(|found| found.rule_id == "too-much-to-read").collect();
        assert_eq!(unread.iter().map(|found| found.file.as_str()).collect::<Vec<_>>(), ["b.sh", "c.sh"]);
        assert!(report.examined <= 100_000);
        let report = scan(&bundle, RuleSet::builtin());
        assert!(report.analysable);
    }
}
