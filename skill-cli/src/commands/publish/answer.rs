use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use skill_core::api::{PublishMeta, Published};
use skill_core::state::ReleaseState;
use skill_core::verdict::{Finding, Verdict};

use crate::client::Sent;
use crate::code::Code;
use crate::connection::Connection;
use crate::context::Context;
use crate::failure::{Failure, NOTHING_STORED};
use crate::report::{Cell, Column, Message, Report, Role, Row, Table, findings_document, findings_table};
use crate::text::{number, quote};

/// A release that was taken, or that was there already.
pub(super) fn published(context: &Context, sent: &Sent, took: Duration) -> Result<Report, Failure> {
    let published = &sent.published;
    let name = format!("{}/{} {}", published.owner, published.slug, published.version);
    if let Some(failure) = closed(published) {
        return Err(failure);
    }
    let mut table = table();
    let row = row(&mut table, published);
    if !published.unchanged {
        row.under.push(number::digest(&published.tree_digest.to_string(), context.screen.is_verbose()));
        row.under.push(published.url.clone());
    }
    let report = Report::change(document(published), vec![table.into()]);
    let report = match published.verdict {
        Verdict::Clean => report,
        verdict => report.note(suspicious(&name, verdict, &published.findings)),
    };
    Ok(if published.unchanged && sent.repeated {
        report.closing(format!(
            "the answer was lost on its way; {name} is stored, by an earlier try or from before"
        ))
    } else if published.unchanged {
        report.closing(format!("nothing to publish: these files are {name} already"))
    } else {
        report.closing(format!("published in {}; log number {}", number::duration(took), published.log_index))
    })
}

/// What was done with releases: verb, name, verdict, state.
pub(super) fn table() -> Table {
    Table::new([Column::new(""), Column::new("").whole().gap(3), Column::new("").gap(3), Column::new("")])
}

/// A release that was taken, as a row of [`table`].
pub(super) fn row<'t>(table: &'t mut Table, published: &Published) -> &'t mut Row {
    let Published { owner, slug, version, verdict, status, unchanged, .. } = published;
    let verb = if *unchanged { "unchanged" } else { "published" };
    let verdict_role = if *verdict == Verdict::Clean { Role::Good } else { Role::Warning };
    table.push([
        Cell::of(Role::Good, verb),
        Cell::of(Role::Name, format!("{owner}/{slug} {version}")),
        Cell::of(verdict_role, verdict.as_str()),
        Cell::from(status.as_str()),
    ])
}

/// What a release comes to that is neither clean nor closed.
pub(super) fn suspicious(name: &str, verdict: Verdict, findings: &[Finding]) -> Message {
    let count = number::counted(findings.len(), "finding", "findings");
    Message::warning(Code::ReleaseSuspicious, format!("{name} is {verdict}, {count}"))
        .list(findings_table(findings))
        .line("installing it needs `--accept` from each person")
}

/// The release as JSON documents hold it.
pub(super) fn document(published: &Published) -> Value {
    json!({
        "owner": published.owner,
        "slug": published.slug,
        "version": published.version,
        "treeDigest": published.tree_digest,
        "archiveSha256": published.archive_sha256,
        "verdict": published.verdict,
        "status": published.status,
        "url": published.url,
        "logIndex": published.log_index,
        "unchanged": published.unchanged,
        "findings": findings_document(&published.findings),
        "waiting": published.waiting,
    })
}

/// Why a release that was taken is one that nobody gets, if it is.
pub(super) fn closed(published: &Published) -> Option<Failure> {
    let name = format!("{}/{} {}", published.owner, published.slug, published.version);
    let is_closed = published.verdict == Verdict::Malicious || published.status == ReleaseState::Quarantined;
    is_closed.then(|| malicious(published, &name))
}

fn malicious(published: &Published, name: &str) -> Failure {
    let reference = format!("{}/{}@{}", published.owner, published.slug, published.version);
    let report = format!("skill report {reference} --kind false-alarm --reason TEXT");
    let failure =
        Failure::new(Code::PublishMalicious, format!("{name} is {}, and is quarantined", published.verdict))
            .list(findings_table(&published.findings))
            .because(format!("the registry keeps it closed; the number {} is used", published.version))
            .hint(format!("a false alarm goes to the moderators with `{report}`"));
    let Value::Object(keys) = document(published) else { return failure };
    keys.into_iter().fold(failure, |failure, (key, value)| failure.key(&key, value))
}

/// What the registry said no to, in the words of this command.
pub(super) async fn refused(
    connection: &Connection,
    given: &Path,
    meta: &PublishMeta,
    failure: Failure,
) -> Failure {
    let path = given.to_string_lossy();
    let failure = match failure.code {
        Code::VersionTaken => taken(connection, given, meta, failure).await,
        Code::TagNotHonoured => {
            let command = quote::command(["skill", "publish", &path, "--tag", "NAME"]);
            failure.hint(format!("run `{command}` with another tag"))
        }
        Code::SkillDeleted => match (text(&failure, "owner"), text(&failure, "slug")) {
            (Some(owner), Some(slug)) => failure.hint(format!("run `skill undelete {owner}/{slug}`")),
            _ => failure,
        },
        Code::SlugReserved | Code::SlugHeld => {
            let command = quote::command(["skill", "publish", &path, "--slug", "NAME"]);
            failure.hint(format!("run `{command}` with another slug"))
        }
        _ => failure,
    };
    // An answer of the registry's own program is given before anything is stored.
    if matches!(failure.exit(), 1 | 3 | 7) { failure.because_in_text(NOTHING_STORED) } else { failure }
}

/// A key of the registry's answer.
fn text(failure: &Failure, key: &str) -> Option<String> {
    failure.extra.get(key).and_then(Value::as_str).map(str::to_owned)
}

async fn taken(connection: &Connection, given: &Path, meta: &PublishMeta, mut failure: Failure) -> Failure {
    if let (Ok(owner), Some(version)) = (super::owner(connection, meta).await, text(&failure, "version")) {
        failure.message = format!("{owner}/{} {version} exists with other files", meta.slug);
    }
    let failure_next = text(&failure, "next");
    let failure = failure.because("a number is used once, also after a yank or a deletion");
    match failure_next {
        Some(next) => {
            let command =
                quote::command(["skill", "publish", &given.to_string_lossy(), "--version", next.as_str()]);
            failure.hint(format!("run `{command}`, the next free number"))
        }
        None => failure,
    }
}
