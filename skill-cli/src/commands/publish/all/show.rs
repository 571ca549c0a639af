use std::time::Duration;

use serde_json::{Value, json};
use skill_core::api::PublishPlan;
use skill_core::verdict::Verdict;

use super::super::{Args, answer};
use super::plan::{Planned, Step};
use super::send::{Done, End};
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{Block, Cell, Column, Line, Report, Role, Table};
use crate::text::number;

/// What is about to be done, skill by skill.
pub(super) fn plan(context: &Context, args: &Args, planned: &[Planned]) -> Vec<Block> {
    let skills = number::counted(planned.len(), "skill", "skills");
    let below = context.shown(context.absolute(&args.path));
    let mut table =
        Table::new([Column::new(""), Column::new("").whole(), Column::new("").whole(), Column::new("")])
            .indent(2);
    for planned in planned {
        table.push(row(planned));
    }
    vec![Line::from(format!("{skills} below {below}")).into(), table.into()]
}

fn row(planned: &Planned) -> [Cell; 4] {
    let name = Cell::of(Role::Name, planned.name());
    let version = |version: Option<&skill_core::version::Version>| {
        Cell::from(version.map_or_else(|| "-".to_owned(), ToString::to_string))
    };
    match &planned.step {
        Step::Send(_, plan) if plan.unchanged => {
            let tags: Vec<&str> = plan.tags.iter().map(skill_core::name::Tag::as_str).collect();
            [
                Cell::from("~"),
                name,
                version(Some(&plan.version)),
                format!("is tagged {}", tags.join(", ")).into(),
            ]
        }
        Step::Send(_, plan) => {
            let mark = if plan.previous.is_some() { "~" } else { "+" };
            [Cell::from(mark), name, version(plan.previous.as_ref()), format!("-> {}", plan.version).into()]
        }
        Step::Leave(plan) => [Cell::from("="), name, version(Some(&plan.version)), "the same files".into()],
        Step::Refuse(failure) => {
            [Cell::of(Role::Bad, "!"), name, version(None), failure.code.as_str().into()]
        }
    }
}

/// The plan as the answer: nothing was published.
pub(super) fn plan_alone(context: &Context, args: &Args, planned: Vec<Planned>) -> Report {
    let rows = plan(context, args, &planned);
    let document = json!({
        "dryRun": true,
        "plan": planned.iter().map(planned_document).collect::<Value>(),
        "refused": planned.iter().filter_map(refused_document).collect::<Value>(),
    });
    let mut report = Report::new(document, rows).closing("dry run: nothing was sent");
    let refused = planned.into_iter().filter_map(|planned| match planned.step {
        Step::Refuse(failure) => Some(failure),
        Step::Send(..) | Step::Leave(_) => None,
    });
    report.failure = Failure::gravest(refused.collect());
    report
}

/// What was done, skill by skill.
pub(super) fn done(done: Vec<Done>, took: Duration) -> Report {
    let mut table = answer::table();
    let (mut published, mut skipped, mut left) = (Vec::new(), Vec::new(), Vec::new());
    let (mut notes, mut new) = (Vec::new(), 0);
    for Done { planned, end } in &done {
        match (end, &planned.step) {
            (End::Taken(taken), _) => {
                new += usize::from(!taken.unchanged);
                answer::row(&mut table, taken);
                published.push(answer::document(taken));
                if taken.verdict != Verdict::Clean {
                    let name = format!("{}/{} {}", taken.owner, taken.slug, taken.version);
                    notes.push(answer::suspicious(&name, taken.verdict, &taken.findings));
                }
            }
            (End::Left, Step::Leave(plan)) => {
                table.push(unchanged(plan));
                skipped.push(plan_document(plan));
            }
            (End::NotTried, _) => left.push(planned.found.shown.clone()),
            (End::Refused(_) | End::Left, _) => {}
        }
    }
    let total = done.len();
    let document = json!({
        "plan": done.iter().map(|done| planned_document(&done.planned)).collect::<Value>(),
        "published": published,
        "skipped": skipped,
        "refused": done.iter().filter_map(refusal).collect::<Value>(),
        "left": left,
    });
    let rows = if table.rows.is_empty() { Vec::new() } else { vec![table.into()] };
    let mut report = Report::change(document, rows);
    report.notes = notes;
    report = report.closing(format!("{new} of {total} published in {}", number::duration(took)));
    let refused = done.into_iter().filter_map(|done| match done.end {
        End::Refused(failure) => Some(failure),
        End::Taken(_) | End::Left | End::NotTried => None,
    });
    report.failure = Failure::gravest(refused.collect());
    if let (Some(failure), false) = (&mut report.failure, left.is_empty()) {
        let count = number::counted(left.len(), "skill was", "skills were");
        *failure = failure
            .clone()
            .because(format!("{count} not tried"))
            .hint("run the same command again, which goes on there");
    }
    report
}

fn unchanged(plan: &PublishPlan) -> [Cell; 4] {
    [
        Cell::of(Role::Good, "unchanged"),
        Cell::of(Role::Name, format!("{}/{} {}", plan.owner, plan.slug, plan.version)),
        Cell::from(plan.verdict.map(|verdict| verdict.to_string()).unwrap_or_default()),
        Cell::from(plan.status.as_str()),
    ]
}

fn plan_document(plan: &PublishPlan) -> Value {
    json!({
        "owner": plan.owner,
        "slug": plan.slug,
        "version": plan.version,
        "status": plan.status,
        "verdict": plan.verdict,
    })
}

fn planned_document(planned: &Planned) -> Value {
    let (action, plan) = match &planned.step {
        Step::Send(_, plan) if plan.unchanged => ("tag", Some(plan)),
        Step::Send(_, plan) => ("publish", Some(plan)),
        Step::Leave(plan) => ("skip", Some(plan)),
        Step::Refuse(_) => ("refuse", None),
    };
    json!({
        "path": planned.found.shown,
        "action": action,
        "owner": plan.map(|plan| &plan.owner),
        "slug": plan.map(|plan| &plan.slug),
        "version": plan.map(|plan| &plan.version),
        "previous": plan.and_then(|plan| plan.previous.as_ref()),
    })
}

fn refused_document(planned: &Planned) -> Option<Value> {
    match &planned.step {
        Step::Refuse(failure) => Some(with_path(planned, failure)),
        Step::Send(..) | Step::Leave(_) => None,
    }
}

fn refusal(done: &Done) -> Option<Value> {
    match &done.end {
        End::Refused(failure) => Some(with_path(&done.planned, failure)),
        End::Taken(_) | End::Left | End::NotTried => None,
    }
}

fn with_path(planned: &Planned, failure: &Failure) -> Value {
    let mut document = failure.document();
    document["path"] = json!(planned.found.shown);
    document
}
