use futures_util::{StreamExt as _, stream};
use skill_core::api::{PublishMeta, PublishPlan};
use skill_core::state::ReleaseState;

use super::super::answer;
use super::concerns_all;
use super::found::{Found, Read};
use crate::code::Code;
use crate::connection::Connection;
use crate::failure::{Failure, NOTHING_SENT};

/// How many plans are asked for at a time.
const AT_ONCE: usize = 8;

/// A skill, and what is to become of it.
#[derive(Debug)]
pub(super) struct Planned {
    pub found: Found,
    pub step: Step,
}

/// What is to become of a skill.
#[derive(Debug)]
pub(super) enum Step {
    /// It is sent: there is a release or a tag to come of it.
    Send(PublishMeta, PublishPlan),
    /// It is there already.
    Leave(PublishPlan),
    /// It cannot be published as it is.
    Refuse(Failure),
}

impl Planned {
    /// What it is called, as far as that is known.
    pub(super) fn name(&self) -> String {
        match &self.step {
            Step::Send(_, plan) | Step::Leave(plan) => format!("{}/{}", plan.owner, plan.slug),
            Step::Refuse(_) => self.found.shown.clone(),
        }
    }
}

/// Asks what would come of each; in the order of names, those without one last.
///
/// # Errors
/// The first refusal that concerns all of them.
pub(super) async fn of_all(connection: &Connection, read: Vec<Read>) -> Result<Vec<Planned>, Failure> {
    let asked = stream::iter(read).map(|read| of_one(connection, read)).buffered(AT_ONCE);
    let mut planned: Vec<Planned> = asked.collect().await;
    let concerning =
        |planned: &Planned| matches!(&planned.step, Step::Refuse(failure) if concerns_all(failure));
    if let Some(at) = planned.iter().position(concerning)
        && let Step::Refuse(failure) = planned.swap_remove(at).step
    {
        return Err(failure.because_in_text(NOTHING_SENT));
    }
    planned.sort_by_cached_key(|planned| (matches!(planned.step, Step::Refuse(_)), planned.name()));
    Ok(planned)
}

async fn of_one(connection: &Connection, Read { found, meta }: Read) -> Planned {
    let step = match meta {
        Ok(meta) => match connection.session.plan(&meta).await {
            Ok(plan) if plan.status == ReleaseState::Quarantined => Step::Refuse(quarantined(&plan)),
            Ok(plan) if plan.unchanged && plan.tags.is_empty() => Step::Leave(plan),
            Ok(plan) => Step::Send(meta, plan),
            Err(error) => {
                let failure = connection.refused(&error);
                Step::Refuse(answer::refused(connection, &found.given, &meta, failure).await)
            }
        },
        Err(failure) => Step::Refuse(failure),
    };
    Planned { found, step }
}

/// Nobody would get it, so that it uses no number.
fn quarantined(plan: &PublishPlan) -> Failure {
    let PublishPlan { owner, slug, version, .. } = plan;
    let report = format!("skill report {owner}/{slug}@{version} --kind false-alarm --reason TEXT");
    let failure = if plan.unchanged {
        Failure::new(Code::PublishMalicious, format!("{owner}/{slug} {version} is quarantined"))
            .hint(format!("a false alarm goes to the moderators with `{report}`"))
    } else {
        Failure::new(Code::PublishMalicious, format!("{owner}/{slug} {version} would be quarantined"))
    };
    failure.because("the registry keeps these bytes closed, whatever they are called")
}
