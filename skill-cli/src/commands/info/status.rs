use skill_core::api::{ReleaseStatus, SkillStatus};
use skill_core::name::SkillName;
use skill_core::reference::RegistryRef;
use skill_core::requirement::Selector;

use crate::connection::Connection;
use crate::report::{Cell, Column, Report, Role, Table};
use crate::text::{number, quote};

/// How a skill stands whose registry shows it to its publisher and to moderators alone; none for anybody else.
pub(super) async fn told(
    connection: &Connection,
    name: &SkillName,
    reference: &RegistryRef,
) -> Option<Report> {
    // Who is not told is answered as if there were none, which the caller says better.
    let mut status = connection.session.status(name).await.ok()??;
    if let Some(Selector::Requirement(wanted)) = &reference.selector {
        status.releases.retain(|release| wanted.matches(&release.version));
    }
    (!status.releases.is_empty()).then(|| report(&status))
}

fn report(status: &SkillStatus) -> Report {
    let mut table = Table::new([Column::new("").whole().gap(3), Column::new("").gap(3), Column::new("")]);
    for release in &status.releases {
        let row = table.push([
            Cell::of(Role::Name, format!("{}/{} {}", status.owner, status.slug, release.version)),
            Cell::from(release.state.as_str()),
            Cell::from(release.verdict.as_str()),
        ]);
        row.under.extend(why(release));
    }
    let document = serde_json::to_value(status).unwrap_or_default();
    Report::new(document, vec![table.into()])
}

/// Why a release is not to be had, a line each.
fn why(release: &ReleaseStatus) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(closed) = &release.closed {
        let at = number::date(closed.at);
        lines.push(match closed.reason.as_str() {
            "" => format!("by {} on {at}, without a reason", closed.by),
            reason => format!("{} ({at})", quote::said(&closed.by, reason)),
        });
        if !closed.note.is_empty() {
            lines.push(quote::said("to its publisher", &closed.note));
        }
    }
    lines.extend(release.waiting.iter().map(|one| format!("waits for a moderator: {}", one.why)));
    lines
}
