use serde_json::json;
use skill_core::api::{ReportKind, ReportRequest};

use crate::connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::naming;
use crate::report::{Cell, Column, Report, Role, Table};

/// Tell the moderators of a registry about a skill
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The skill or one release: acme/github, acme/github@3.4.1
    #[arg(value_name = "REF")]
    pub reference: String,
    /// Why, for the moderators
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// malicious, look-alike, false-alarm, rights or other
    #[arg(long, value_name = "KIND", default_value = "other", value_parser = kind)]
    pub kind: ReportKind,
}

fn kind(text: &str) -> Result<ReportKind, String> {
    text.parse().map_err(|error: skill_core::name::NameError| error.to_string())
}

/// Reports a skill.
///
/// # Errors
/// The codes of exit 2 for the reference; `login-needed`, and what the registry answers.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let reference = naming::registry_ref(context, &args.reference)?;
    let version = match reference.selector {
        Some(_) => Some(naming::exact_version(&reference)?),
        None => None,
    };
    let connection = connection::open(context, &reference.to_string()).await?;
    connection.need_token()?;
    let name = naming::skill_name(&connection, &reference).await?;
    let request = ReportRequest { kind: args.kind, reason: args.reason.clone(), version };
    let reported =
        connection.session.report(&name, &request).await.map_err(|error| connection.refused(&error))?;
    let verb = if reported.already_reported { "unchanged" } else { "reported" };
    let mut table = Table::new([Column::new(""), Column::new("").whole()]);
    table.push([
        Cell::of(Role::Good, verb),
        Cell::of(Role::Name, format!("{}/{} {}", reported.owner, reported.slug, reported.version)),
    ]);
    let document = json!({
        "owner": reported.owner,
        "slug": reported.slug,
        "version": reported.version,
        "id": reported.id,
        "kind": reported.kind,
        "status": if reported.already_reported { "already-reported" } else { "reported" },
    });
    let report = Report::change(document, vec![table.into()]);
    Ok(if reported.already_reported {
        report.closing(format!(
            "this account reported it as {} before, which still waits to be decided",
            reported.kind
        ))
    } else {
        report
    })
}
