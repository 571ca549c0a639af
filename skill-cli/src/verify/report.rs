use serde_json::{Value, json};

use super::row::{Family, Outcome, Row, Status};
use crate::code::Code;
use crate::failure::Failure;
use crate::report::{Block, Cell, Column, Line, Quiet, Report, Role, Table};
use crate::text::number;

/// The answer of `verify`: the document, its text form, and the failure if any check fails.
/// `required` are the families of `--require`, for the message.
pub fn report(outcomes: &[Outcome], required: bool) -> Report {
    let ok = outcomes.iter().all(Outcome::is_ok);
    let document = json!({ "ok": ok, "results": outcomes.iter().map(document).collect::<Vec<_>>() });
    let summary = Block::Line(summary(outcomes).into());
    let mut rows = blocks(outcomes, |_| true);
    rows.push(summary.clone());
    let mut quiet = blocks(outcomes, |row| matches!(row.status, Status::Warn | Status::Fail));
    quiet.push(summary);
    Report { quiet: Quiet::Rows(quiet), failure: failure(outcomes, required), ..Report::new(document, rows) }
}

fn document(outcome: &Outcome) -> Value {
    json!({
        "name": outcome.name,
        "owner": outcome.owner,
        "version": outcome.version,
        "path": outcome.path,
        "ok": outcome.is_ok(),
        "checks": outcome.rows.iter().map(Row::document).collect::<Vec<_>>(),
    })
}

fn blocks(outcomes: &[Outcome], shown: impl Fn(&Row) -> bool) -> Vec<Block> {
    let mut blocks = Vec::new();
    for outcome in outcomes {
        let mut table =
            Table::new([Column::new("").whole(), Column::new("").whole(), Column::new("").wrapped()])
                .indent(2);
        for row in outcome.rows.iter().filter(|row| shown(row)) {
            let role = match row.status {
                Status::Ok => Role::Good,
                Status::Warn => Role::Warning,
                Status::Skip => Role::Note,
                Status::Fail => Role::Error,
            };
            let status = Cell::of(role, format!("{:<4}", row.status.shown()));
            table.push([status, Cell::from(row.id), Cell::from(row.detail.clone())]);
        }
        if table.rows.is_empty() {
            continue;
        }
        let title = Line::new().role(Role::Name, outcome.title());
        let at = format!("   {}", crate::text::quote::path(&outcome.path));
        blocks.push(Block::Line(title.plain(at)));
        blocks.push(Block::Table(table));
        blocks.push(Block::Blank);
    }
    blocks
}

/// `4 skills: 3 pass, 1 fails; 27 checks: 18 ok, 1 warn, 5 skip, 3 FAIL`
fn summary(outcomes: &[Outcome]) -> String {
    let passing = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    let failing = outcomes.len() - passing;
    let verb =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let mut skills = Vec::new();
    if passing > 0 || failing == 0 {
        skills.push(verb(passing, "passes", "pass"));
    }
    if failing > 0 {
        skills.push(verb(failing, "fails", "fail"));
    }
    let rows = || outcomes.iter().flat_map(|outcome| &outcome.rows);
    let counts = [Status::Ok, Status::Warn, Status::Skip, Status::Fail].into_iter().filter_map(|status| {
        let count = rows().filter(|row| row.status == status).count();
        (count > 0).then(|| format!("{count} {}", status.shown()))
    });
    let counts: Vec<String> = counts.collect();
    let line = format!("{}: {}", number::counted(outcomes.len(), "skill", "skills"), skills.join(", "));
    if counts.is_empty() {
        return line;
    }
    format!("{line}; {}: {}", number::counted(rows().count(), "check", "checks"), counts.join(", "))
}

/// The error block: one skill is named with what is wrong, several are counted.
fn failure(outcomes: &[Outcome], required: bool) -> Option<Failure> {
    let failing: Vec<&Outcome> = outcomes.iter().filter(|outcome| !outcome.is_ok()).collect();
    let rows: Vec<&Row> =
        failing.iter().flat_map(|outcome| &outcome.rows).filter(|row| row.status == Status::Fail).collect();
    let gravest = [4, 5, 6].into_iter().find(|exit| rows.iter().any(|row| row.exit() == *exit))?;
    if gravest == 6 {
        return Some(
            Failure::new(
                Code::RootChainAbsent,
                "nothing here holds the root keys of a registry in skills.lock",
            )
            .because("looked in .skill/trust and in the user's pins")
            .hint("run `skill install --frozen` once with a network, or commit .skill/trust"),
        );
    }
    let message = match failing[..] {
        [outcome] => one(outcome, required),
        _ => format!("{} of {} skills do not verify", failing.len(), outcomes.len()),
    };
    let failure = Failure::new(Code::VerifyFailed, message).with_exit(gravest);
    let restorable = rows.iter().any(|row| row.family == Family::Disk)
        && rows.iter().all(|row| matches!(row.family, Family::Disk | Family::Foreign));
    Some(if rows.iter().any(|row| row.id.ends_with("-unreadable")) {
        failure.hint("let this user read what lies there, then run `skill verify` again")
    } else if !restorable {
        failure
    } else if rows.iter().all(|row| row.id == "disk-absent") {
        failure.hint("run `skill install --frozen` to restore it")
    } else if rows.iter().all(|row| row.id == "disk-generated") {
        failure.hint("run `skill verify --clean` to remove what running Python left")
    } else {
        failure.hint(
            "run `skill install --frozen --force` to restore it; the changed copy goes to .skill/backup",
        )
    })
}

fn one(outcome: &Outcome, required: bool) -> String {
    let row = outcome.rows.iter().find(|row| row.status == Status::Fail);
    let title = outcome.title();
    let Some(row) = row else { return title };
    if required && row.detail.starts_with("required, ") {
        return format!("{title} lacks a required proof: {}", row.family.id());
    }
    match (row.family, &outcome.version) {
        (Family::Disk, _) if row.id == "disk-unreadable" => format!("{} cannot be read", outcome.path),
        (Family::Disk, _) if row.id == "disk-absent" => format!("{} is locked and not there", outcome.path),
        (Family::Disk | Family::Foreign, Some(version)) => {
            format!("{} is not what was published as {version}", outcome.path)
        }
        (Family::Disk | Family::Foreign, None) => format!("{} is not what was installed", outcome.path),
        (Family::Lock, _) => format!("skills.lock does not agree with what was signed for {title}"),
        (Family::Unmanaged, _) => format!("{} is in no lock", outcome.path),
        (Family::Restriction | Family::Verdict, _) if !row.is_unproved() => {
            format!("{title} is {}", row.detail)
        }
        _ => format!("the proof of {title} does not hold: {}", row.id),
    }
}
