//! The answer of an install.

use std::time::Duration;

use super::frozen::unwanted;
use super::plan::{Action, Plan};
use super::{Committed, Desk};
use crate::report::{Block, Cell, Column, Message, Report, Role, Table};
use crate::text::number;

/// What was done.
pub(super) fn done(desk: &Desk<'_>, plan: &Plan, committed: &Committed, took: Duration) -> Report {
    let mut table = Table::new([Column::new("").whole(), Column::new("").whole(), Column::new("").whole()]);
    table.columns[1].gap = 3;
    for skill in &plan.skills {
        let verb = if skill.action == Action::Change { "changed" } else { "installed" };
        let title = match &skill.version {
            Some(version) => format!("{} {version}", skill.title),
            None => skill.title.clone(),
        };
        table.push([
            Cell::of(Role::Good, verb),
            Cell::of(Role::Name, title),
            Cell::from(skill.shown.clone()),
        ]);
    }
    for (title, path, _) in &plan.unchanged {
        table.push([Cell::from("unchanged"), Cell::of(Role::Name, title.clone()), Cell::from(path.clone())]);
    }
    let rows = if table.rows.is_empty() { Vec::new() } else { vec![Block::Table(table)] };
    let mut report = Report::change(plan.document(false), rows).closing(closing(desk, plan, committed, took));
    for backup in &committed.backups {
        let text = format!("the changed copy is kept in {}", desk.context.shown(backup));
        report = report.note(Message::note(text));
    }
    report
}

fn closing(desk: &Desk<'_>, plan: &Plan, committed: &Committed, took: Duration) -> String {
    let acknowledged = match committed.acknowledged {
        0 => String::new(),
        1 => ", with a policy warning acknowledged".to_owned(),
        count => format!(", with {count} policy warnings acknowledged"),
    };
    let written = match (committed.wanted_written, committed.lock_written) {
        (true, true) => "; skills.toml and skills.lock written",
        (true, false) => "; skills.toml written",
        (false, true) => "; skills.lock written",
        (false, false) => "",
    };
    if plan.is_empty() {
        let wanted = if unwanted(desk).next().is_none() { "wanted" } else { "locked" };
        return match plan.unchanged.len() {
            0 => format!("nothing to do: nothing is wanted{written}"),
            1 => format!("nothing to do: 1 skill is as {wanted}{written}"),
            count => format!("nothing to do: {count} skills are as {wanted}{written}"),
        };
    }
    let changes = plan.skills.iter().filter(|skill| skill.action == Action::Change).count();
    let new = plan.skills.len() - changes;
    let did = match (new, changes) {
        (0, changes) => format!("{} changed", number::counted(changes, "skill", "skills")),
        (new, 0) => format!("{} installed", number::counted(new, "skill", "skills")),
        (new, changes) => {
            format!("{} installed and {changes} changed", number::counted(new, "skill", "skills"))
        }
    };
    format!("{did} in {}{acknowledged}{written}", number::duration(took))
}

/// What would be done.
pub(super) fn dry_run(desk: &Desk<'_>, plan: &Plan) -> Report {
    plan.tell(desk);
    let rows = if plan.is_empty() {
        vec![Block::Line("would change nothing".into())]
    } else {
        let changes = plan.skills.iter().filter(|skill| skill.action == Action::Change).count();
        let new = plan.skills.len() - changes;
        let count = |count: usize| number::counted(count, "skill", "skills");
        let head = match (new, changes) {
            (0, changes) => format!("would change {}", count(changes)),
            (new, 0) => format!("would install {}", count(new)),
            (new, changes) => format!("would install {} and change {changes}", count(new)),
        };
        plan.with_head(&head)
    };
    Report::new(plan.document(true), rows).closing("dry run: nothing was written; policy was not asked")
}
