//! Secrets: told by their format and by how random they are, never by the name beside them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use skill_core::verdict::Severity;

use super::Notes;
use super::mention::head;
use crate::evidence::shown;
use crate::ruleset::{Found, PatternRule};
use crate::units::Unit;

/// A comment that says that a secret is none, and why; behind it, or on the line before.
#[expect(clippy::expect_used, reason = "the expression is part of the program, and tests use it")]
static WAIVER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"skill-scan:\s*allow\s+([a-z-]+)\s*[:(—-]\s*([^\n]*\w[^\n)]*)").expect("the expression reads")
});

/// How far a waiver may go.
const LONGEST_WAIVER: usize = 400;

/// Words of documentation and of tests.
const PLACEHOLDERS: [&str; 20] = [
    "example",
    "sample",
    "dummy",
    "fake",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "your",
    "xxxx",
    "redacted",
    "todo",
    "insert",
    "replace",
    "test_key",
    "secret_here",
    "goes-here",
    "goes_here",
    "0123456789",
    "1234567890",
];

/// Notes each secret that `found` holds, the secret itself left out.
pub(super) fn note<'r>(
    rule: &'r PatternRule,
    unit: &Unit<'_>,
    found: &[Found],
    entropy: f64,
    notes: &mut Notes<'r>,
) {
    for found in found {
        let secret = found.named.as_deref().unwrap_or_default();
        if is_placeholder(secret) || bits_per_character(secret) < entropy {
            continue;
        }
        let line = unit.line_at(found.start);
        let masked = masked(secret);
        match waiver(&rule.about.id, unit, found) {
            Some(reason) => {
                let message = format!("{}; waived in the file: {reason}", found.message);
                notes.note_as(&rule.about, Severity::Info, line, &message, &masked);
            }
            None => notes.note(&rule.about, line, &found.message, &masked),
        }
    }
}

/// The reason of a waiver on the same line or the one before.
fn waiver(rule: &str, unit: &Unit<'_>, found: &Found) -> Option<String> {
    [&unit.raw[found.end..], unit.before].into_iter().find_map(|text| {
        let words = WAIVER.captures(head(text, LONGEST_WAIVER)).filter(|words| &words[1] == rule)?;
        Some(shown(&words[2]))
    })
}

/// What a reader needs to find it, and nobody can use.
fn masked(secret: &str) -> String {
    let shown: String = secret.chars().take(6).collect();
    format!("{shown}… ({} characters)", secret.chars().count())
}

fn is_placeholder(secret: &str) -> bool {
    let lower = secret.to_ascii_lowercase();
    let marked = secret.contains(['<', '{', '$', '…', '*']) || secret.contains("...");
    marked || PLACEHOLDERS.iter().any(|word| lower.contains(word)) || repeats(secret)
}

/// Six times the same character, or a run of the alphabet.
fn repeats(secret: &str) -> bool {
    let bytes = secret.as_bytes();
    let all = |step: i16| {
        bytes.windows(6).any(|six| six.windows(2).all(|two| i16::from(two[1]) - i16::from(two[0]) == step))
    };
    all(0) || all(1)
}

/// Shannon's entropy of its characters.
fn bits_per_character(secret: &str) -> f64 {
    let mut counts: BTreeMap<u8, f64> = BTreeMap::new();
    for byte in secret.bytes() {
        *counts.entry(byte).or_default() += 1.0;
    }
    let total: f64 = counts.values().sum();
    counts.values().map(|count| -(count / total) * (count / total).log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_of_a_text() {
        assert!(bits_per_character("").abs() < 1e-9);
        assert!(bits_per_character("aaaa").abs() < 1e-9);
        assert!((bits_per_character("abab") - 1.0).abs() < 1e-9);
        assert!((bits_per_character("abcdefgh") - 3.0).abs() < 1e-9);
    }

    #[test]
    fn placeholders_are_no_secrets() {
        for text in
            ["AKIAIOSFODNN7EXAMPLE", "sk-xxxxxxxxxxxx", "<token>", "ghp_aaaaaaaaaaaa", "abcdefghijkl", "${A}"]
        {
            assert!(is_placeholder(text), "{text}");
        }
        assert!(!is_placeholder("Zk3qTn8vWp1sXb7y"));
    }
}
