use skill_core::api::{PublishPlan, Published};
use skill_core::state::ReleaseState;

use crate::code::Code;
use crate::report::{Message, Report};

/// Says of a release that is held what it waits for, and how to look again.
pub(super) fn told(report: Report, published: &Published, registry: &str) -> Report {
    if published.status != ReleaseState::Pending {
        return report;
    }
    let Published { owner, slug, version, waiting, .. } = published;
    let first = format!("{owner}/{slug} {version} waits for a moderator of {registry}");
    let warning = Message::warning(Code::PublishPending, first);
    let warning = waiting.iter().fold(warning, |warning, one| warning.line(one.why.clone()));
    report.note(
        warning
            .line(format!("nobody but {owner} sees it until then; it need not be sent again"))
            .hint(format!("run `skill info {owner}/{slug}@{version}` to see how it stands")),
    )
}

/// Says of a release that would be held what it would wait for.
pub(super) fn would_wait(report: Report, plan: &PublishPlan, registry: &str) -> Report {
    if plan.unchanged || plan.waiting.is_empty() {
        return report;
    }
    let PublishPlan { owner, slug, version, .. } = plan;
    let first = format!("{owner}/{slug} {version} would wait for a moderator of {registry}");
    let warning = Message::warning(Code::PublishPending, first);
    report.note(plan.waiting.iter().fold(warning, |warning, one| warning.line(one.why.clone())))
}
