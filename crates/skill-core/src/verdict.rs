//! What a scan says: findings, and the verdict they add up to.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::digest::Sha256;

/// How much a finding weighs. The words are those of the install policy protocol
/// (OpenClaw contract 1.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Worth reading before use.
    Warn,
    /// Must not run unread.
    Critical,
}

impl Severity {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Critical => "critical",
        }
    }
}

/// One thing a rule found in one place.
///
/// Ordered by severity (worst first), file, line, rule: the order in which they are shown
/// and digested.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Stable id of the rule, kebab-case.
    pub rule_id: String,
    /// How much it weighs.
    pub severity: Severity,
    /// Path inside the bundle.
    pub file: String,
    /// Line from 1; 0 if the finding is about the whole file.
    pub line: u32,
    /// What was found, as a sentence without a period.
    pub message: String,
    /// The text that matched, cut to 200 characters, hidden characters made visible.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
}

impl Finding {
    fn key(&self) -> (std::cmp::Reverse<Severity>, &str, u32, &str, &str) {
        (std::cmp::Reverse(self.severity), &self.file, self.line, &self.rule_id, &self.message)
    }
}

impl Ord for Finding {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key()).then_with(|| self.evidence.cmp(&other.evidence))
    }
}

impl PartialOrd for Finding {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Digest over findings, which an acceptance binds: a suspicious release that was accepted is
/// accepted with exactly these findings (docs/FORMAT.md, "Findings digest").
///
/// Takes them in any order. Line form: `rule severity line byte-length-of-file file\n`, after
/// the head line `skill-findings-v1\n`; the message and the evidence are left out, so that better
/// wording is no new finding.
pub fn findings_digest(findings: &[Finding]) -> Sha256 {
    use fmt::Write as _;
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort();
    let mut text = String::from("skill-findings-v1\n");
    for f in sorted {
        // Writing to a string cannot end in an error.
        let _ =
            writeln!(text, "{} {} {} {} {}", f.rule_id, f.severity.as_str(), f.line, f.file.len(), f.file);
    }
    Sha256::of(text)
}

/// What a scan concludes about a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No rule found anything that weighs.
    Clean,
    /// Something a person has to read and accept.
    Suspicious,
    /// The rules could not read all of it; treated like suspicious.
    NotAnalysable,
    /// Never installed.
    Malicious,
}

impl Verdict {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Suspicious => "suspicious",
            Self::NotAnalysable => "not-analysable",
            Self::Malicious => "malicious",
        }
    }

    /// Whether installing needs a person's acceptance of the findings.
    pub const fn needs_acceptance(self) -> bool {
        matches!(self, Self::Suspicious | Self::NotAnalysable)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Verdict {
    type Err = crate::name::NameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Clean, Self::Suspicious, Self::NotAnalysable, Self::Malicious]
            .into_iter()
            .find(|verdict| verdict.as_str() == text)
            .ok_or_else(|| crate::name::NameError {
                text: text.to_owned(),
                wanted: "a verdict: clean, suspicious, not-analysable or malicious",
            })
    }
}
