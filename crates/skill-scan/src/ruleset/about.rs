use serde::Deserialize;
use skill_core::verdict::{Severity, Verdict};

/// What a rule says about itself, and about what it finds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct About {
    /// Stable id, kebab-case.
    pub id: String,
    /// How much a finding weighs, if nothing around it makes it weigh less.
    pub severity: Severity,
    /// What was found: a sentence without a period. May hold `{into}`, the program that is fed.
    pub message: String,
    /// Why it matters.
    pub why: String,
    /// What to do about it.
    pub advice: String,
    /// Category of the OWASP Agentic Skills Top 10.
    pub owasp: Owasp,
    /// What one finding makes of the bundle, if more than its severity says.
    pub verdict: Option<Verdict>,
    /// Where the verdict counts.
    #[serde(default)]
    pub verdict_in: Scope,
}

impl About {
    /// The message where nothing is known about the place.
    pub fn title(&self) -> String {
        self.message.replace("{into}", "an interpreter")
    }

    /// Whether one finding of full severity makes the bundle malicious.
    pub fn is_malicious(&self) -> bool {
        self.verdict == Some(Verdict::Malicious)
    }
}

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Any.
    #[default]
    Everywhere,
    /// What a program runs.
    Programs,
    /// What an agent reads: every text that is no program.
    Prose,
}

impl Scope {
    pub(crate) const fn holds(self, is_program: bool) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Programs => is_program,
            Self::Prose => !is_program,
        }
    }
}

/// The categories that rules are mapped to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Owasp {
    /// Malicious skills.
    #[serde(rename = "AST01")]
    Malicious,
    /// Supply chain compromise.
    #[serde(rename = "AST02")]
    SupplyChain,
    /// What scanners do not see.
    #[serde(rename = "AST08")]
    PoorScanning,
}

impl Owasp {
    /// Number of the category.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Malicious => "AST01",
            Self::SupplyChain => "AST02",
            Self::PoorScanning => "AST08",
        }
    }
}
