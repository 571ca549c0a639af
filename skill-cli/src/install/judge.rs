//! Whether it may be installed, and whether it is still what was judged.
//!
//! The install policy has its place here, between the verdict and the second hash: it sees the
//! staged tree, and what lands is the tree that it saw.

use skill_bundle::disk::read_installed;
use skill_core::state::ReleaseState;
use skill_core::verdict::{Finding, Verdict};

use super::resolve::Unchanged;
use super::sources::Sources;
use super::stage::{Staged, StagedSkill};
use super::verified::{Decided, From, VerifiedSkill};
use super::{Desk, Verified};
use crate::code::Code;
use crate::failure::Failure;
use crate::parallel;
use crate::report::{Cell, Column, Message, Role, Table};
use crate::text::number;

/// Everything may be installed, and is what was judged.
pub struct Judged {
    pub(super) sources: Sources,
    pub(super) skills: Vec<JudgedSkill>,
    pub(super) unchanged: Vec<Unchanged>,
}

/// One skill that may be installed.
pub(super) struct JudgedSkill {
    pub staged: StagedSkill,
    /// Whether a person takes its findings.
    pub accepted: bool,
}

impl Staged {
    /// Asks restrictions and verdict about every skill, then reads what was staged a second time.
    ///
    /// # Errors
    /// Exit 5 for what is refused, all of them in one failure; `stage-changed`.
    pub fn judge(self, desk: &Desk<'_>) -> Result<Judged, Failure> {
        let Self { sources, skills, unchanged } = self;
        let mut judged = Vec::with_capacity(skills.len());
        let mut refused = Vec::new();
        for staged in skills {
            match allow(desk, &staged.verified) {
                Ok(accepted) => {
                    if accepted {
                        desk.context.screen.tell(&taken_as_it_is(&staged.verified));
                    }
                    judged.push(JudgedSkill { staged, accepted });
                }
                Err(failure) => refused.push(failure),
            }
        }
        if let Some(failure) = together(refused) {
            return Err(failure);
        }
        let same = parallel::each(judged, |skill| still_the_same(desk, &skill.staged).map(|()| skill));
        let skills = same.into_iter().collect::<Result<_, _>>()?;
        Ok(Judged { sources, skills, unchanged })
    }
}

impl Verified {
    /// What would be refused, for a dry run.
    ///
    /// # Errors
    /// As [`Staged::judge`], without the disk.
    pub(super) fn check(&self, desk: &Desk<'_>) -> Result<(), Failure> {
        let refused = self.skills.iter().filter_map(|skill| allow(desk, skill).err()).collect();
        together(refused).map_or(Ok(()), Err)
    }
}

/// All refusals as one failure, which lists each under `refused`.
fn together(failures: Vec<Failure>) -> Option<Failure> {
    let refused: Vec<serde_json::Value> = failures
        .iter()
        .filter_map(|failure| failure.extra.get("refused")?.as_array()?.first().cloned())
        .collect();
    let mut failure = Failure::gravest(failures)?;
    failure.extra.insert("refused".to_owned(), refused.into());
    Some(failure)
}

/// Whether a skill may be installed; if so, whether that rests on an acceptance.
pub(super) fn allow(desk: &Desk<'_>, skill: &VerifiedSkill) -> Result<bool, Failure> {
    if let Some(failure) = restricted(skill) {
        return Err(failure);
    }
    let (verdict, digest) = (skill.judgement.verdict, skill.judgement.findings_digest);
    match verdict {
        Verdict::Clean => return Ok(false),
        Verdict::Malicious => return Err(refusal(skill, Code::VerdictMalicious, "verdict")),
        Verdict::Suspicious | Verdict::NotAnalysable => {}
    }
    let Decided { local, from, before, .. } = &skill.resolved;
    let release = match from {
        From::Release(release) => Some((&release.name, &release.version)),
        From::Local(_) => None,
    };
    if desk.options.accepted.iter().any(|acceptance| acceptance.covers(local.as_str(), release)) {
        return Ok(true);
    }
    // What was accepted once holds for the same bytes with the same findings.
    let before = before.as_ref().filter(|before| before.accepted && before.tree == skill.tree.digest());
    match before {
        Some(before) if before.findings == digest && before.verdict == verdict => Ok(true),
        Some(_) => Err(refusal(skill, Code::VerdictChanged, "verdict")),
        None if verdict == Verdict::Suspicious => Err(refusal(skill, Code::VerdictSuspicious, "verdict")),
        None => Err(refusal(skill, Code::VerdictNotAnalysable, "verdict")),
    }
}

/// What is said when a person takes the findings.
fn taken_as_it_is(skill: &VerifiedSkill) -> Message {
    let count = number::counted(skill.judgement.findings.len(), "finding", "findings");
    let text = format!("{} is {}, with {count} that are accepted", title(skill), skill.judgement.verdict);
    Message::warning(Code::ReleaseSuspicious, text)
}

/// What the release's own envelope says against it.
fn restricted(skill: &VerifiedSkill) -> Option<Failure> {
    let (state, restriction) = skill.signed.as_ref()?.release.restrictions.state()?;
    let (code, word) = match state {
        ReleaseState::Quarantined => (Code::ReleaseQuarantined, "is quarantined"),
        ReleaseState::TakenDown => (Code::ReleaseTakenDown, "was taken down"),
        _ => return None,
    };
    let failure = Failure::new(code, format!("{} {word}", title(skill)))
        .because(format!("since {}: \"{}\"", number::date(restriction.at), restriction.reason))
        .nothing_changed();
    Some(with_refused(failure, skill, "restriction"))
}

fn title(skill: &VerifiedSkill) -> String {
    match &skill.resolved.from {
        From::Release(release) => format!("{} {}", release.name, release.version),
        From::Local(_) => skill.resolved.local.to_string(),
    }
}

fn refusal(skill: &VerifiedSkill, code: Code, rule: &str) -> Failure {
    let findings = &skill.judgement.findings;
    let title = title(skill);
    let count = match findings.len() {
        0 => String::new(),
        count => format!(", {}", number::counted(count, "finding", "findings")),
    };
    let message = match code {
        Code::VerdictChanged => format!("{title} has other findings than were accepted{count}"),
        _ => format!("{title} is {}{count}", skill.judgement.verdict),
    };
    let mut failure = Failure::new(code, message).because(format!("by rules {}", skill.judgement.rules));
    if !findings.is_empty() {
        failure = failure.list(table(findings));
    }
    if code == Code::VerdictMalicious {
        failure = failure.because("no flag lifts this");
    }
    failure = failure.nothing_changed();
    let accept = match &skill.resolved.from {
        From::Release(release) => format!("{}@{}", release.name, release.version),
        From::Local(_) => skill.resolved.local.to_string(),
    };
    if code != Code::VerdictMalicious {
        failure = failure.hint(format!("add `--accept {accept}` to take exactly these findings"));
    }
    with_refused(failure, skill, rule)
}

fn with_refused(failure: Failure, skill: &VerifiedSkill, rule: &str) -> Failure {
    let refused = serde_json::json!([{
        "name": skill.resolved.local,
        "reason": failure.message,
        "rule": rule,
        "findings": skill.judgement.findings,
    }]);
    failure.key("refused", refused)
}

/// The findings, gravest first.
fn table(findings: &[Finding]) -> Table {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort();
    let mut table =
        Table::new([Column::new("").whole(), Column::new("").whole(), Column::new("").whole()]).indent(5);
    for finding in sorted {
        let place = if finding.line == 0 {
            finding.file.clone()
        } else {
            format!("{}:{}", finding.file, finding.line)
        };
        let role = if finding.severity == skill_core::verdict::Severity::Critical {
            Role::Bad
        } else {
            Role::Warning
        };
        let row = table.push([
            Cell::of(role, finding.severity.as_str()),
            Cell::from(place),
            Cell::from(finding.rule_id.clone()),
        ]);
        row.under.push(finding.message.clone());
    }
    table
}

/// Reads what was staged again: what lands is what was judged.
fn still_the_same(desk: &Desk<'_>, skill: &StagedSkill) -> Result<(), Failure> {
    let wanted = skill.verified.tree.digest();
    for folder in &skill.folders {
        let report = read_installed(folder).map_err(|error| {
            Failure::new(Code::named(error.code()).unwrap_or(Code::DiskIo), error.to_string())
                .nothing_changed()
        })?;
        let same = report.findings.is_empty()
            && (report.tree.digest() == wanted
                || !report.keeps_modes && same_but_modes(&report.tree, &skill.verified.tree));
        if !same {
            return Err(Failure::new(
                Code::StageChanged,
                format!("{} changed while it was judged", title(&skill.verified)),
            )
            .because(format!("something writes below {}", desk.context.shown(folder)))
            .nothing_changed()
            .hint("find what writes there, then run this again"));
        }
    }
    Ok(())
}

fn same_but_modes(one: &skill_bundle::Tree, other: &skill_bundle::Tree) -> bool {
    let bytes = |tree: &skill_bundle::Tree| -> Vec<_> {
        tree.entries().iter().map(|entry| (entry.path.clone(), entry.sha256)).collect()
    };
    bytes(one) == bytes(other)
}
