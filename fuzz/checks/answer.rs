//! What holds for whatever a policy program prints: it is refused, or it is a decision with what the
//! protocol says belongs to it.

use skill_core::policy::{Answer, Decision};

pub(crate) fn check(data: &[u8]) {
    match Answer::parse(data, "skill \"x\"") {
        Ok(answer) => {
            assert!(answer.findings.len() <= 100);
            assert!(answer.decision == Decision::Allow || !answer.reason.trim().is_empty());
            for finding in &answer.findings {
                assert!(finding.message.chars().count() <= 1000);
                assert!(finding.line.is_none_or(|line| (1..1 << 53).contains(&line)));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
