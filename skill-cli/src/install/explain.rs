//! What would decide about an install, without installing anything.

use skill_core::policy::{Answer, Mode};
use skill_core::verdict::Finding;

use super::facts::subject;
use super::judge::allow;
use super::verified::Decided;
use super::{Desk, Request, Resolved};
use crate::failure::Failure;
use crate::policy::{Held, ProgramAt, Subject, Unanswered};

/// Everything that decides about one skill.
pub struct Explained {
    /// The skill.
    pub subject: Subject,
    /// What restrictions and the scan say; the refusal as an install would tell it.
    pub verdict: Result<(), Failure>,
    /// What the scan found, gravest first.
    pub findings: Vec<Finding>,
    /// What the rules say, the system's first.
    pub rulings: Vec<Held>,
    /// What the programs say, the system's first.
    pub answers: Vec<(ProgramAt, Result<Answer, Unanswered>)>,
}

/// Takes the chain as far as [`super::Staged`], in a work directory that is thrown away, and asks everything
/// that decides. The first refusal ends nothing: all are told.
///
/// # Errors
/// What resolving, fetching and verifying give, `policy-config`, `policy-project-program`.
pub async fn explain(desk: &Desk<'_>, request: Request) -> Result<Vec<Explained>, Failure> {
    let gate = desk.gate()?;
    let verified = Resolved::of(desk, request).await?.fetch(desk).await?.verify(desk)?;
    let mut transaction = desk.transaction();
    let staged = verified.stage(desk, &mut transaction)?;
    let mut explained = Vec::with_capacity(staged.skills.len());
    for skill in &staged.skills {
        let subject = subject(&staged.sources, &skill.verified);
        let mode = mode_of(desk, &skill.verified.resolved);
        let mut answers = Vec::new();
        if let Some(folder) = skill.folders.first() {
            for at in gate.programs() {
                answers.push((at.clone(), gate.ask(at, &subject, folder, mode).await));
            }
        }
        let mut findings = skill.verified.judgement.findings.clone();
        findings.sort();
        explained.push(Explained {
            findings,
            verdict: allow(desk, &skill.verified).map(drop),
            rulings: gate.rulings(&subject),
            answers,
            subject,
        });
    }
    Ok(explained)
}

/// Whether an install would replace something: the places are those of the work directory that is asked about.
fn mode_of(desk: &Desk<'_>, Decided { local, targets, .. }: &Decided) -> Mode {
    let place = |target: &String| desk.asked_about().join(target).join(local.as_str());
    let there = targets.iter().any(|target| place(target).symlink_metadata().is_ok());
    if there { Mode::Update } else { Mode::Install }
}
