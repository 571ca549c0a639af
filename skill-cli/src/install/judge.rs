//! Whether it may be installed, and whether it is still what was judged.
//!
//! The install policy has its place here, between the verdict and the second hash: it sees the
//! staged tree, and what lands is the tree that it saw.

use skill_bundle::disk::read_installed;
use skill_core::state::ReleaseState;
use skill_core::verdict::{Finding, Verdict};

use super::policy::{ask_programs, refused_by_rules, with_an_older_one};
use super::resolve::Unchanged;
use super::sources::Sources;
use super::stage::{Staged, StagedSkill};
use super::verified::{Decided, From, VerifiedSkill};
use super::{Desk, Verified};
use crate::client::Endpoint;
use crate::code::Code;
use crate::failure::Failure;
use crate::parallel;
use crate::report::{Cell, Column, Hint, Message, Role, Table};
use crate::text::{number, quote};

/// Everything may be installed, and is what was judged.
pub struct Judged {
    pub(super) sources: Sources,
    pub(super) skills: Vec<JudgedSkill>,
    pub(super) unchanged: Vec<Unchanged>,
    /// How many warnings of the install policy a person took.
    pub(super) acknowledged: usize,
}

/// One skill that may be installed.
pub(super) struct JudgedSkill {
    pub staged: StagedSkill,
    /// Whether a person takes its findings.
    pub accepted: bool,
}

impl Staged {
    /// Asks restrictions, verdict and rules about every skill, then the programs of the install policy, then
    /// reads what was staged a second time.
    ///
    /// # Errors
    /// Exit 5 for what is refused, all of them in one failure; `stage-changed`.
    pub async fn judge(self, desk: &Desk<'_>) -> Result<Judged, Failure> {
        let Self { sources, skills, unchanged } = self;
        let mut judged = Vec::with_capacity(skills.len());
        let mut refused = Vec::new();
        for staged in skills {
            let ruled = match refused_by_rules(desk, &sources, &staged.verified) {
                Some(failure) => Some(with_an_older_one(desk, &sources, &staged.verified, failure).await),
                None => None,
            };
            let allowed = allow(desk, &staged.verified)
                .map_err(|failure| with_reading(failure, &sources, &staged.verified));
            match allowed.and_then(|accepted| ruled.map_or(Ok(accepted), Err)) {
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
        let acknowledged = match ask_programs(desk, &sources, &judged).await {
            Ok(acknowledged) => acknowledged,
            Err(refused) => return Err(together(refused).unwrap_or_else(not_asked)),
        };
        let same = parallel::each(judged, |skill| match still_the_same(desk, &skill.staged) {
            Ok(()) => Ok(skill),
            Err(failure) => Err(changed_while_asked(desk, &skill.staged.verified, failure)),
        });
        let skills = same.into_iter().collect::<Result<_, _>>()?;
        // The last moment: what is brought into place now is brought there whole.
        desk.context.go_on()?;
        Ok(Judged { sources, skills, unchanged, acknowledged })
    }
}

impl Verified {
    /// What would be refused, for a dry run.
    ///
    /// # Errors
    /// As [`Staged::judge`], without the disk.
    pub(super) fn check(&self, desk: &Desk<'_>) -> Result<(), Failure> {
        let refused = self.skills.iter().filter_map(|skill| {
            let refused = allow(desk, skill).err();
            refused
                .map(|failure| with_reading(failure, &self.sources, skill))
                .or_else(|| refused_by_rules(desk, &self.sources, skill))
        });
        let refused = refused.collect();
        together(refused).map_or(Ok(()), Err)
    }
}

fn not_asked() -> Failure {
    Failure::new(Code::PolicyFailedClosed, "install policy failed closed: it was not asked").nothing_changed()
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
    let Decided { local, from, before, .. } = &skill.resolved;
    if verdict == Verdict::Malicious {
        return Err(refusal(skill, Code::VerdictMalicious, "verdict"));
    }
    // A lock that `--frozen` keeps must say what is signed now, as `verify` wants it.
    let frozen = before.as_ref().filter(|_| desk.options.frozen && matches!(from, From::Release(..)));
    if frozen.is_some_and(|before| before.verdict != verdict) {
        return Err(without_frozen(refusal(skill, Code::VerdictChanged, "verdict"), skill));
    }
    if verdict == Verdict::Clean {
        return Ok(false);
    }
    let release = match from {
        From::Release(release, _) => Some((&release.name, &release.version)),
        From::Local(_) => None,
    };
    let accepts =
        || desk.options.accepted.iter().any(|acceptance| acceptance.covers(local.as_str(), release));
    if !desk.options.frozen && accepts() {
        return Ok(true);
    }
    // What was accepted once holds for the same bytes with the same findings.
    let before = before.as_ref().filter(|before| before.accepted && before.tree == skill.tree.digest());
    let code = match before {
        Some(before) if before.findings == digest && before.verdict == verdict => return Ok(true),
        Some(_) => Code::VerdictChanged,
        None if verdict == Verdict::Suspicious => Code::VerdictSuspicious,
        None => Code::VerdictNotAnalysable,
    };
    let failure = refusal(skill, code, "verdict");
    Err(match desk.options.frozen {
        true if accepts() => {
            without_frozen(failure, skill).because("--accept counts for nothing with --frozen")
        }
        true => without_frozen(failure, skill),
        false => failure,
    })
}

/// An acceptance is a line of the lock, which `--frozen` does not change.
fn without_frozen(mut failure: Failure, skill: &VerifiedSkill) -> Failure {
    let accept = skill.judgement.verdict.needs_acceptance().then(|| name_to_accept(skill));
    let accept = accept.iter().flat_map(|name| ["--accept", name]);
    let command = quote::command(["skill", "install"].into_iter().chain(accept));
    failure.hints = vec![Hint::new(format!("run `{command}` without `--frozen`, and commit skills.lock"))];
    failure.because_in_text("--frozen changes no lock, and takes what that accepts")
}

/// What `--accept` calls it.
fn name_to_accept(skill: &VerifiedSkill) -> String {
    match &skill.resolved.from {
        From::Release(release, _) => format!("{}@{}", release.name, release.version),
        From::Local(_) => skill.resolved.local.to_string(),
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
    let (state, restriction) = skill.resolved.from.signed()?.release.restrictions.state()?;
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
        From::Release(release, _) => format!("{} {}", release.name, release.version),
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
    let before = skill.resolved.before.as_ref().map(|before| before.verdict);
    let message = match (code, before) {
        (Code::VerdictChanged, Some(before)) if before != skill.judgement.verdict => {
            format!("{title} is {}{count}, and skills.lock says {before}", skill.judgement.verdict)
        }
        (Code::VerdictChanged, _) => format!("{title} has other findings than were accepted{count}"),
        _ => format!("{title} is {}{count}", skill.judgement.verdict),
    };
    let mut failure = Failure::new(code, message).because(format!("by rules {}", skill.judgement.rules));
    if let Some(why) = overruled(skill) {
        failure = failure.because(why);
    }
    if !findings.is_empty() {
        failure = failure.list(table(findings));
    }
    if code == Code::VerdictMalicious {
        failure = failure.because("no flag lifts this");
    }
    failure = failure.nothing_changed();
    if let (Code::VerdictMalicious, From::Release(release, _)) = (code, &skill.resolved.from) {
        let reference = format!("{}@{}", release.name, release.version);
        let report = format!("skill report {reference} --kind false-alarm --reason TEXT");
        failure = failure.hint(format!("a false alarm goes to the moderators with `{report}`"));
    }
    if skill.judgement.verdict.needs_acceptance() {
        let name = name_to_accept(skill);
        failure = failure.hint(format!("add `--accept {name}` to take exactly these findings"));
    }
    with_refused(failure, skill, rule)
}

/// That the rules said worse, until the registry restored what they had closed.
fn overruled(skill: &VerifiedSkill) -> Option<String> {
    let release = &skill.resolved.from.signed()?.release;
    let by = release.overruled()?;
    let (verdict, until) = (release.scan.verdict, number::date(by.at));
    Some(format!("{verdict} until {until}, when the registry restored it: \"{}\"", by.reason))
}

/// Findings that a person may take are to be read first: the registry shows the file of the gravest one.
fn with_reading(mut failure: Failure, sources: &Sources, skill: &VerifiedSkill) -> Failure {
    let gravest = skill.judgement.findings.iter().min();
    if let (From::Release(release, _), Some(finding)) = (&skill.resolved.from, gravest)
        && skill.judgement.verdict.needs_acceptance()
        && let Ok(registry) = Endpoint::parse(&sources.get(release.source).url)
    {
        let name = &release.name;
        let mut url = registry.join(&["api", "v1", "skills", name.slug.as_str(), "file"]);
        url.query_pairs_mut()
            .append_pair("ownerHandle", name.owner.as_str())
            .append_pair("version", &release.version.to_string())
            .append_pair("path", &finding.file);
        failure.hints.insert(0, Hint::new(format!("read it first: {url}")));
    }
    failure
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
            && skill.marks.hold()
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

/// Where programs were asked, files that are not the ones they saw are an answer about something else.
fn changed_while_asked(desk: &Desk<'_>, skill: &VerifiedSkill, failure: Failure) -> Failure {
    if !desk.gate().is_ok_and(|gate| gate.programs().next().is_some()) {
        return failure;
    }
    let detail = "the staged files changed while it was asked";
    let title = title(skill);
    let failed = Failure::new(Code::PolicyFailedClosed, format!("install policy failed closed: {title}"))
        .line(detail)
        .key("detail", detail)
        .because(failure.message)
        .nothing_changed()
        .hint("ask whoever looks after the program: it has to leave the staged files alone");
    with_refused(failed, skill, "policy")
}

fn same_but_modes(one: &skill_bundle::Tree, other: &skill_bundle::Tree) -> bool {
    let bytes = |tree: &skill_bundle::Tree| -> Vec<_> {
        tree.entries().iter().map(|entry| (entry.path.clone(), entry.sha256)).collect()
    };
    bytes(one) == bytes(other)
}
