//! The rules as data, read once and compiled.

mod error;
mod hidden;
mod pattern;

use std::sync::LazyLock;

use serde::Deserialize;
use skill_core::digest::Sha256;
use skill_core::verdict::{Severity, Verdict};

use error::RuleError;
pub(crate) use hidden::{Class, HiddenRules, Shape};
pub(crate) use pattern::{Found, MOST_OF_A_LINE, PatternRule, PatternRules, Where};

/// What people call the built-in rules: year, month, edition.
const NAME: &str = "2026.11.1";

/// Goes up when the code that applies the rules finds something else than before.
const ENGINE: u32 = 1;

const PIPE_TO_INTERPRETER: &str = include_str!("../rules/pipe_to_interpreter.toml");
const HIDDEN_UNICODE: &str = include_str!("../rules/hidden_unicode.toml");
const FILES: &str = include_str!("../rules/files.toml");

/// A set of rules with a name and a digest, ready to be applied.
#[derive(Debug)]
pub struct RuleSet {
    name: String,
    sha256: Sha256,
    pub(crate) patterns: PatternRules,
    pub(crate) hidden: HiddenRules,
    pub(crate) files: FileRules,
}

/// What every rule says about itself.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct About {
    /// Stable id, kebab-case.
    pub(crate) id: String,
    pub(crate) severity: Severity,
    /// A sentence without a period; may hold `{into}`.
    pub(crate) message: String,
    /// Category of the OWASP Agentic Skills Top 10.
    pub(crate) owasp: Owasp,
    /// What one finding makes of the bundle, if more than its severity says.
    pub(crate) verdict: Option<Verdict>,
}

impl About {
    pub(crate) fn is_malicious(&self) -> bool {
        self.verdict == Some(Verdict::Malicious)
    }
}

/// The categories that rules are mapped to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(crate) enum Owasp {
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

impl RuleSet {
    /// The rules that are part of the program.
    ///
    /// # Panics
    ///
    /// Never: they are compiled into the program, and a test reads them.
    #[expect(clippy::expect_used, reason = "the rules are part of the program, as good as its code")]
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<RuleSet> = LazyLock::new(|| {
            RuleSet::read(PIPE_TO_INTERPRETER, HIDDEN_UNICODE, FILES).expect("the built-in rules read")
        });
        &BUILTIN
    }

    fn read(patterns: &str, hidden: &str, files: &str) -> Result<Self, RuleError> {
        Ok(Self {
            name: NAME.to_owned(),
            sha256: digest(&[patterns, hidden, files]),
            patterns: PatternRules::read(patterns)?,
            hidden: HiddenRules::read(hidden)?,
            files: FileRules::read(files)?,
        })
    }

    /// What people call it, such as `2026.11.1`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Digest over the engine's number and the exact text of every file of rules.
    pub const fn sha256(&self) -> Sha256 {
        self.sha256
    }

    /// Id, severity and OWASP category of every rule, in the order of the files.
    pub fn rules(&self) -> impl Iterator<Item = (&str, Severity, &'static str)> {
        let patterns = self.patterns.rules.iter().map(|rule| &rule.about);
        let hidden = self.hidden.rules.iter().map(|rule| &rule.about);
        patterns.chain(hidden).chain(&self.files.rules).map(|about| {
            let owasp = match about.owasp {
                Owasp::Malicious => "AST01",
                Owasp::SupplyChain => "AST02",
                Owasp::PoorScanning => "AST08",
            };
            (about.id.as_str(), about.severity, owasp)
        })
    }
}

/// `skill-rules-v1`, the engine's number, then each file's length in bytes and text.
fn digest(files: &[&str]) -> Sha256 {
    let mut text = format!("skill-rules-v1\n{ENGINE}\n");
    for file in files {
        text.push_str(&file.len().to_string());
        text.push('\n');
        text.push_str(file);
    }
    Sha256::of(text)
}

/// The rules about files as a whole.
#[derive(Debug)]
pub(crate) struct FileRules {
    rules: Vec<About>,
}

impl FileRules {
    fn read(text: &str) -> Result<Self, RuleError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            rule: Vec<About>,
        }
        let file: File = toml::from_str(text).map_err(RuleError::Toml)?;
        Ok(Self { rules: file.rule })
    }

    pub(crate) fn get(&self, id: &str) -> Option<&About> {
        self.rules.iter().find(|about| about.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_builtin_rules_read() {
        let rules = RuleSet::read(PIPE_TO_INTERPRETER, HIDDEN_UNICODE, FILES);
        assert!(rules.is_ok(), "{}", rules.unwrap_err());
    }

    #[test]
    fn the_digest_covers_every_byte_of_every_file() {
        let of = |a, b, c| digest(&[a, b, c]);
        let all =
            [of("a", "b", "c"), of("a ", "b", "c"), of("ab", "", "c"), of("a", "bc", ""), of("", "ab", "c")];
        for (i, one) in all.iter().enumerate() {
            assert!(!all[i + 1..].contains(one));
        }
    }

    #[test]
    fn ids_are_unique_and_kebab_case() {
        let mut ids: Vec<_> = RuleSet::builtin().rules().map(|(id, ..)| id.to_owned()).collect();
        assert!(ids.iter().all(|id| id.bytes().all(|b| b == b'-' || b.is_ascii_lowercase())));
        let count = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
