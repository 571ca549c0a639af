use std::fmt::Write as _;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::Sha256;
use crate::verdict::Severity;

/// The longest text of a reason or a finding, in characters; longer ones are cut and end in `...`.
const TEXT_CHARS: usize = 1000;
/// The most findings that are kept.
const FINDINGS: usize = 100;
/// The longest notice that is shown, in characters.
pub const NOTICE_CHARS: usize = 4000;

/// What a policy program decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Let it in.
    Allow,
    /// Let it in if a person says so.
    Warn,
    /// Keep it out.
    Block,
}

impl Decision {
    /// The protocol's word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Block => "block",
        }
    }
}

/// What a policy program printed (OpenClaw contract 1.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What it decides.
    pub decision: Decision,
    /// Why; empty for an allow.
    pub reason: String,
    /// What it found, in its order.
    pub findings: Vec<PolicyFinding>,
    /// Findings that were left out because there were too many or they were too long.
    pub omitted: usize,
    fingerprint: Sha256,
}

/// One thing that a policy program found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PolicyFinding {
    /// Its rule.
    pub rule_id: String,
    /// How much it weighs.
    pub severity: Severity,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// What it is.
    pub message: String,
    /// The text it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

/// The keys of an answer, whatever they hold. Read after the object itself, for `serde` refuses a key
/// that stands there twice where [`Value`] takes the last one.
#[derive(Deserialize)]
struct Keys {
    #[serde(rename = "protocolVersion")]
    _version: Option<IgnoredAny>,
    #[serde(rename = "decision")]
    _decision: Option<IgnoredAny>,
    #[serde(rename = "reason")]
    _reason: Option<IgnoredAny>,
    #[serde(rename = "findings")]
    _findings: Option<IgnoredAny>,
}

/// An answer that is none: everything fails closed (OpenClaw contract 1.7).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// Nothing on stdout.
    #[error("policy command printed nothing")]
    Empty,
    /// Bytes that are no text, or text that is no JSON.
    #[error("policy command printed invalid JSON: {0}")]
    NotJson(String),
    /// JSON that is no object.
    #[error("policy command printed no JSON object")]
    NotObject,
    /// A key that stands there twice, so that another reader may see another answer.
    #[error("policy command printed a key twice: {0}")]
    Twice(String),
    /// A version that is absent or not 1.
    #[error("policy answer has no protocolVersion 1")]
    Version,
    /// A decision that is absent or not one of the three.
    #[error("policy answer has no decision allow, warn or block")]
    Decision,
    /// A warning or block without a reason.
    #[error("policy answer has an empty reason")]
    Reason,
    /// More findings than a person can be asked about.
    #[error("policy warning has {0} findings, more than {FINDINGS}")]
    ManyFindings(usize),
    /// A warning that cannot be shown whole.
    #[error("policy warning has {0} characters, more than {NOTICE_CHARS}")]
    LongNotice(usize),
}

impl Answer {
    /// Reads what a program printed. `title` is the name of the skill, which counts for the length of
    /// the notice.
    ///
    /// # Errors
    /// Whatever is not an answer, by reason.
    pub fn parse(stdout: &[u8], title: &str) -> Result<Self, AnswerError> {
        let text = std::str::from_utf8(stdout).map_err(|error| AnswerError::NotJson(error.to_string()))?;
        if text.trim().is_empty() {
            return Err(AnswerError::Empty);
        }
        let value: Value =
            serde_json::from_str(text).map_err(|error| AnswerError::NotJson(error.to_string()))?;
        let object = value.as_object().ok_or(AnswerError::NotObject)?;
        let _: Keys = serde_json::from_str(text).map_err(|error| AnswerError::Twice(error.to_string()))?;
        // 1 and 1.0 are one number in JSON.
        let version = object.get("protocolVersion").and_then(Value::as_f64);
        if version.is_none_or(|version| (version - 1.0).abs() > 0.0) {
            return Err(AnswerError::Version);
        }
        let decision = match object.get("decision").and_then(Value::as_str) {
            Some("allow") => Decision::Allow,
            Some("warn") => Decision::Warn,
            Some("block") => Decision::Block,
            _ => return Err(AnswerError::Decision),
        };
        let reason = match decision {
            Decision::Allow => "",
            _ => text_of(object.get("reason")).ok_or(AnswerError::Reason)?,
        };
        let found = object.get("findings").and_then(Value::as_array);
        let all: Vec<PolicyFinding> = found.into_iter().flatten().filter_map(PolicyFinding::read).collect();
        let mut answer = Self {
            decision,
            reason: cut(reason),
            fingerprint: fingerprint(reason, &all),
            omitted: all.len().saturating_sub(FINDINGS),
            findings: all.into_iter().take(FINDINGS).map(PolicyFinding::cut).collect(),
        };
        answer.fit(title)?;
        Ok(answer)
    }

    /// A warning is shown whole or not at all; a block loses what does not fit.
    fn fit(&mut self, title: &str) -> Result<(), AnswerError> {
        let chars = self.notice(title).chars().count();
        match self.decision {
            Decision::Warn if self.omitted > 0 => {
                Err(AnswerError::ManyFindings(self.findings.len() + self.omitted))
            }
            Decision::Warn if chars > NOTICE_CHARS => Err(AnswerError::LongNotice(chars)),
            Decision::Block if chars > NOTICE_CHARS => {
                self.omitted += self.findings.len();
                self.findings.clear();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The answer as plain text: what is shown, without layout. Its length is what is limited.
    pub fn notice(&self, title: &str) -> String {
        let mut text = format!("{title}\n{}\n", self.reason);
        for finding in &self.findings {
            let _ = writeln!(text, "{finding}");
        }
        text
    }

    /// Digest over reason and all findings as they were printed: a warning that was approved is the same
    /// warning only if this is equal.
    pub const fn fingerprint(&self) -> Sha256 {
        self.fingerprint
    }
}

impl PolicyFinding {
    /// A finding that can be used; malformed ones are dropped.
    fn read(value: &Value) -> Option<Self> {
        let severity = match value.get("severity")?.as_str()? {
            "info" => Severity::Info,
            "warn" => Severity::Warn,
            "critical" => Severity::Critical,
            _ => return None,
        };
        let text = |key: &str| text_of(value.get(key)).map(str::to_owned);
        Some(Self {
            rule_id: text("ruleId")?,
            severity,
            file: text("file"),
            line: value.get("line").and_then(Value::as_f64).map(line),
            message: text("message")?,
            evidence: text("evidence"),
        })
    }

    fn cut(self) -> Self {
        Self {
            rule_id: cut(&self.rule_id),
            file: self.file.as_deref().map(cut),
            message: cut(&self.message),
            evidence: self.evidence.as_deref().map(cut),
            ..self
        }
    }

    /// `scripts/setup.sh:14`; empty without a file.
    pub fn place(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            (None, _) => String::new(),
        }
    }
}

impl std::fmt::Display for PolicyFinding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {}: {}", self.severity.as_str(), self.place(), self.rule_id, self.message)?;
        self.evidence.iter().try_for_each(|evidence| write!(f, " ({evidence})"))
    }
}

/// A finite number, rounded down, between 1 and 2^53 - 1.
fn line(number: f64) -> u64 {
    const LAST: f64 = 9_007_199_254_740_991.0;
    number.floor().clamp(1.0, LAST) as u64
}

fn text_of(value: Option<&Value>) -> Option<&str> {
    value?.as_str().filter(|text| !text.trim().is_empty())
}

fn cut(text: &str) -> String {
    if text.chars().nth(TEXT_CHARS).is_none() {
        return text.to_owned();
    }
    let end = text.char_indices().nth(TEXT_CHARS - 3).map_or(text.len(), |(at, _)| at);
    format!("{}...", &text[..end])
}

fn fingerprint(reason: &str, findings: &[PolicyFinding]) -> Sha256 {
    Sha256::of(serde_json::json!({ "reason": reason, "findings": findings }).to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(value: &Value) -> Result<Answer, AnswerError> {
        Answer::parse(value.to_string().as_bytes(), "github")
    }

    fn findings(count: usize, message: &str) -> Vec<Value> {
        (0..count)
            .map(|index| json!({ "ruleId": format!("r{index}"), "severity": "warn", "message": message }))
            .collect()
    }

    #[test]
    fn every_answer_that_is_none_has_its_reason() {
        let parse = |text: &str| Answer::parse(text.as_bytes(), "github").unwrap_err();
        assert_eq!(parse(""), AnswerError::Empty);
        assert_eq!(parse(" \n"), AnswerError::Empty);
        assert!(matches!(parse("allow"), AnswerError::NotJson(_)));
        assert!(matches!(
            parse("{\"protocolVersion\":1,\"decision\":\"allow\"} {}"),
            AnswerError::NotJson(_)
        ));
        assert_eq!(parse("[]"), AnswerError::NotObject);
        assert_eq!(parse("{\"decision\":\"allow\"}"), AnswerError::Version);
        assert_eq!(parse("{\"protocolVersion\":\"1\",\"decision\":\"allow\"}"), AnswerError::Version);
        assert_eq!(parse("{\"protocolVersion\":2,\"decision\":\"allow\"}"), AnswerError::Version);
        assert_eq!(parse("{\"protocolVersion\":1}"), AnswerError::Decision);
        assert_eq!(parse("{\"protocolVersion\":1,\"decision\":\"ALLOW\"}"), AnswerError::Decision);
        assert_eq!(parse("{\"protocolVersion\":1,\"decision\":\"block\"}"), AnswerError::Reason);
        assert_eq!(
            parse("{\"protocolVersion\":1,\"decision\":\"warn\",\"reason\":\" \"}"),
            AnswerError::Reason
        );
        assert!(matches!(Answer::parse(b"\xff", "x").unwrap_err(), AnswerError::NotJson(_)));
    }

    #[test]
    fn malformed_findings_are_dropped_and_lines_are_made_whole() {
        let answer = parse(&json!({
            "protocolVersion": 1.0, "decision": "block", "reason": "no",
            "findings": [
                {"ruleId": "a", "severity": "info", "message": "m", "file": "f", "line": 3.9, "evidence": 7},
                {"ruleId": "b", "severity": "info", "message": "m", "line": -4},
                {"ruleId": " ", "severity": "info", "message": "m"},
                {"ruleId": "c", "severity": "fatal", "message": "m"},
                {"ruleId": "d", "severity": "warn", "message": ""},
                "text", null
            ]
        }))
        .unwrap();
        let lines: Vec<_> =
            answer.findings.iter().map(|finding| (finding.rule_id.as_str(), finding.line)).collect();
        assert_eq!(lines, [("a", Some(3)), ("b", Some(1))]);
        assert_eq!(answer.findings[0].evidence, None);
        let none = parse(&json!({"protocolVersion": 1, "decision": "allow", "findings": {"a": 1}})).unwrap();
        assert!(none.findings.is_empty());
    }

    #[test]
    fn a_reason_is_cut_at_1000_characters() {
        let answer =
            parse(&json!({"protocolVersion": 1, "decision": "block", "reason": "é".repeat(1001)})).unwrap();
        assert_eq!(answer.reason.chars().count(), 1000);
        assert!(answer.reason.ends_with("é..."));
        let whole =
            parse(&json!({"protocolVersion": 1, "decision": "block", "reason": "é".repeat(1000)})).unwrap();
        assert!(!whole.reason.ends_with("..."));
    }

    #[test]
    fn more_than_100_findings_are_cut_or_refuse_a_warning() {
        let many = findings(101, "m");
        let of = |decision: &str| {
            parse(&json!({"protocolVersion": 1, "decision": decision, "reason": "r", "findings": many}))
        };
        let allow = of("allow").unwrap();
        assert_eq!((allow.findings.len(), allow.omitted), (100, 1));
        assert_eq!(of("block").unwrap().findings.len(), 100);
        assert_eq!(of("warn").unwrap_err(), AnswerError::ManyFindings(101));
    }

    #[test]
    fn a_notice_over_4000_characters_refuses_a_warning_and_shortens_a_block() {
        let long = findings(5, &"x".repeat(900));
        let of = |decision: &str| {
            parse(&json!({"protocolVersion": 1, "decision": decision, "reason": "r", "findings": long}))
        };
        assert!(matches!(of("warn").unwrap_err(), AnswerError::LongNotice(_)));
        let block = of("block").unwrap();
        assert_eq!((block.findings.len(), block.omitted), (0, 5));
        assert_eq!(of("allow").unwrap().findings.len(), 5);
    }

    #[test]
    fn a_warning_is_the_same_only_with_the_same_words() {
        let of = |reason: &str, findings: Vec<Value>| {
            parse(&json!({"protocolVersion": 1, "decision": "warn", "reason": reason, "findings": findings}))
                .unwrap()
                .fingerprint()
        };
        assert_eq!(of("r", findings(1, "m")), of("r", findings(1, "m")));
        assert_ne!(of("r", findings(1, "m")), of("q", findings(1, "m")));
        assert_ne!(of("r", findings(1, "m")), of("r", findings(2, "m")));
        // What is cut away counts too.
        let long = "x".repeat(1000);
        assert_ne!(of(&format!("{long}a"), Vec::new()), of(&format!("{long}b"), Vec::new()));
    }
}
