//! The install policy's part of a judgement: rules first, which cost nothing, then the programs.

use skill_core::api::IndexLine;
use skill_core::verdict::Verdict;

use super::Desk;
use super::facts::{mode, subject};
use super::judge::JudgedSkill;
use super::lookup::index;
use super::select::available;
use super::sources::Sources;
use super::verified::{From, VerifiedSkill};
use crate::code::Code;
use crate::failure::Failure;
use crate::policy::{Acknowledge as _, Operator, Person};
use crate::text::{number, quote};

/// Why the rules of a layer keep a skill out, if they do.
pub(super) fn refused_by_rules(desk: &Desk<'_>, sources: &Sources, skill: &VerifiedSkill) -> Option<Failure> {
    match desk.gate() {
        Ok(gate) => gate.refused_by_rules(&subject(sources, skill)),
        Err(failure) => Some(failure),
    }
}

/// A refusal by age, with the newest release that is old enough, if the registry has one.
pub(super) async fn with_an_older_one(
    desk: &Desk<'_>,
    sources: &Sources,
    skill: &VerifiedSkill,
    failure: Failure,
) -> Failure {
    let (From::Release(release, _), Code::RuleAge) = (&skill.resolved.from, failure.code) else {
        return failure;
    };
    let Ok(gate) = desk.gate() else { return failure };
    // The refusal stands without the hint where the registry cannot be asked.
    let Ok(Some(lines)) = index(desk, sources.get(release.source), &release.name).await else {
        return failure;
    };
    let now = desk.context.now().as_second();
    let passes = |line: &&IndexLine| {
        now.saturating_sub(line.published_at.as_second()) >= gate.least_age()
            && line.verdict == Verdict::Clean
            && !line.version.is_prerelease()
    };
    let newest =
        available(&lines).into_iter().filter(passes).max_by(|one, other| one.version.cmp(&other.version));
    match newest {
        None => failure,
        Some(line) => {
            let command = quote::command(["skill", "install", &format!("{}@{}", release.name, line.version)]);
            failure.hint(format!("run `{command}`, published on {}", number::date(line.published_at)))
        }
    }
}

/// Asks every program about every staged skill. Gives how many warnings a person took.
///
/// # Errors
/// What the programs keep out, and whatever is not an answer: exit 5.
pub(super) async fn ask_programs(
    desk: &Desk<'_>,
    sources: &Sources,
    skills: &[JudgedSkill],
) -> Result<usize, Vec<Failure>> {
    let gate = desk.gate().map_err(|failure| vec![failure])?;
    let mut operator = Operator::new(desk.context, desk.options.acknowledge);
    let tell = |message: &crate::report::Message| desk.context.screen.tell(message);
    let (mut acknowledged, mut refused) = (0, Vec::new());
    for skill in skills {
        // All the folders hold the same bytes, which the second hash makes sure of.
        let Some(folder) = skill.staged.folders.first() else { continue };
        let subject = subject(sources, &skill.staged.verified);
        match gate.judge(&subject, folder, mode(&skill.staged), &mut operator, &tell).await {
            Ok(allowed) => {
                acknowledged += allowed.acknowledged;
                allowed.warnings.iter().for_each(tell);
            }
            Err(failure) => refused.push(failure),
        }
        // Nobody is asked about what will not be installed anyway.
        if !refused.is_empty() && operator.person() == Person::Terminal {
            break;
        }
    }
    if refused.is_empty() { Ok(acknowledged) } else { Err(refused) }
}
