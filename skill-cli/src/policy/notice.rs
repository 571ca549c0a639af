//! What is said about a judgement: failures, warnings, and the `refused` entry of the JSON document.

use serde_json::{Value, json};
use skill_core::policy::{Answer, Decision, NOTICE_CHARS, PolicyFinding};
use skill_core::verdict::Severity;

use super::Subject;
use super::gate::ProgramAt;
use super::rules::Held;
use super::unanswered::Unanswered;
use crate::code::Code;
use crate::failure::Failure;
use crate::report::{Cell, Column, Message, Role, Table};
use crate::text::{number, quote};

/// `rule-…`: the rule that keeps a skill out, and the file it is written in.
pub(super) fn refused_by_rule(subject: &Subject, held: &Held, why: &str) -> Failure {
    let code = Code::named(held.ruling.rule.code()).unwrap_or(Code::PolicyConfig);
    let failure = Failure::new(code, format!("{} {why}", subject.title))
        .because(format!("{} in {}", held.ruling.line, held.file))
        .key("layer", held.layer.as_str())
        .nothing_changed();
    let failure = explained(failure, subject);
    let reason = failure.message.clone();
    refused(failure, subject, code.as_str(), &reason, &[])
}

/// `policy-failed-closed`: a program gave no answer.
pub(super) fn failed_closed(at: &ProgramAt, why: &Unanswered) -> Failure {
    let detail = why.to_string();
    Failure::new(Code::PolicyFailedClosed, format!("install policy failed closed: {}", at.name()))
        .line(detail.clone())
        .key("detail", detail)
        .because_in_text(at.binds())
        .nothing_changed()
}

/// The same, of a skill that is kept out by that.
pub(super) fn not_let_in(subject: &Subject, at: &ProgramAt, why: &Unanswered) -> Failure {
    let see = why.shown_by().map(|command| format!("run `{command}` and ")).unwrap_or_default();
    let failure = failed_closed(at, why).hint(format!("{see}ask whoever looks after that file"));
    refused(failure, subject, "policy", &format!("install policy failed closed: {why}"), &[])
}

/// `policy-blocked`.
pub(super) fn blocked(subject: &Subject, at: &ProgramAt, answer: &Answer) -> Failure {
    let mut failure =
        Failure::new(Code::PolicyBlocked, format!("blocked by install policy: {}", subject.title))
            .because(quote::said("policy", &answer.reason));
    if !answer.findings.is_empty() {
        failure = failure.list(findings(&answer.findings));
    }
    if answer.omitted > 0 {
        failure = failure.because_in_text(omitted(answer.omitted));
    }
    let failure =
        failure.because_in_text(format!("decided by {} ({})", at.name(), at.file)).nothing_changed();
    refused(explained(failure, subject), subject, "policy", &answer.reason, &answer.findings)
}

/// What is shown before a warning is acknowledged.
pub(super) fn warning(subject: &Subject, answer: &Answer) -> Message {
    let message =
        Message::warning(Code::PolicyWarning, format!("install policy warns about {}", subject.title))
            .line(quote::said("policy", &answer.reason));
    if answer.findings.is_empty() { message } else { message.list(findings(&answer.findings)) }
}

/// `policy-unacknowledged`: nobody to ask.
pub(super) fn unacknowledged(subject: &Subject, answer: &Answer) -> Failure {
    let text = format!("install policy warns about {}", subject.title);
    with_warning(Failure::new(Code::PolicyUnacknowledged, text), subject, answer)
        .because_in_text("there is no terminal to ask on; nothing was changed")
        .hint("add `--acknowledge-install-policy-warning` after reading the findings")
}

/// `policy-declined`: something else than the name was typed.
pub(super) fn declined(subject: &Subject, answer: &Answer) -> Failure {
    let text = format!("the policy warning about {} was not approved", subject.title);
    let failure = Failure::new(Code::PolicyDeclined, text)
        .because(format!("what was typed is not {}", subject.local))
        .nothing_changed();
    refused(failure, subject, "policy", &answer.reason, &answer.findings)
}

/// `policy-warning-changed`: the second answer is another warning.
pub(super) fn changed(subject: &Subject, answer: &Answer) -> Failure {
    let text = format!("the policy warning about {} changed after approval", subject.title);
    with_warning(Failure::new(Code::PolicyWarningChanged, text), subject, answer)
        .nothing_changed()
        .hint("run it again and read the new one")
}

fn with_warning(failure: Failure, subject: &Subject, answer: &Answer) -> Failure {
    let failure = failure.because(quote::said("policy", &answer.reason));
    let failure = if answer.findings.is_empty() { failure } else { failure.list(findings(&answer.findings)) };
    refused(failure, subject, "policy", &answer.reason, &answer.findings)
}

/// What an allow found and is worth reading, cut to the notice's length.
pub(super) fn allowed_with(subject: &Subject, answer: &Answer) -> Option<Message> {
    let weighty: Vec<_> =
        answer.findings.iter().filter(|finding| finding.severity != Severity::Info).collect();
    if answer.decision != Decision::Allow || weighty.is_empty() {
        return None;
    }
    let mut room = NOTICE_CHARS;
    let shown: Vec<PolicyFinding> = weighty
        .iter()
        .take_while(|finding| {
            let chars = finding.to_string().chars().count();
            let fits = chars <= room;
            room = room.saturating_sub(chars);
            fits
        })
        .map(|finding| (*finding).clone())
        .collect();
    let count = number::counted(weighty.len() + answer.omitted, "finding", "findings");
    let text = format!("install policy allows {} with {count}", subject.title);
    let message = Message::warning(Code::PolicyFinding, text).list(findings(&shown));
    let left = weighty.len() - shown.len() + answer.omitted;
    Some(if left > 0 { message.line(omitted(left)) } else { message })
}

fn omitted(count: usize) -> String {
    format!("{} omitted", number::counted(count, "finding is", "findings are"))
}

fn explained(failure: Failure, subject: &Subject) -> Failure {
    let words = ["skill", "policy", "explain"].into_iter();
    let command = quote::command(words.chain(subject.reference.iter().map(String::as_str)));
    failure.hint(format!("run `{command}` for every rule that decides"))
}

/// Adds the entry of `refused` (DESIGN 5).
fn refused(
    failure: Failure,
    subject: &Subject,
    rule: &str,
    reason: &str,
    findings: &[PolicyFinding],
) -> Failure {
    let entry: Value =
        json!([{ "name": subject.local, "reason": reason, "rule": rule, "findings": findings }]);
    failure.key("refused", entry)
}

/// Findings as text, gravest first.
pub(crate) fn findings(findings: &[PolicyFinding]) -> Table {
    let mut sorted: Vec<&PolicyFinding> = findings.iter().collect();
    sorted.sort_by_key(|finding| {
        (std::cmp::Reverse(finding.severity), finding.file.clone(), finding.line, finding.rule_id.clone())
    });
    let mut table =
        Table::new([Column::new("").whole(), Column::new("").whole(), Column::new("").whole()]).indent(5);
    for finding in sorted {
        let role = if finding.severity == Severity::Critical { Role::Bad } else { Role::Warning };
        let row = table.push([
            // As wide as the widest word, so that all notices look alike.
            Cell::of(role, format!("{:<8}", finding.severity.as_str())),
            Cell::from(finding.place()),
            Cell::from(finding.rule_id.clone()),
        ]);
        row.under.push(finding.message.clone());
        row.under.extend(finding.evidence.clone());
    }
    table
}
