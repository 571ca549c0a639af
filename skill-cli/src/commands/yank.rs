use serde_json::json;

use crate::connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::naming;
use crate::report::{Cell, Column, Report, Role, Table};

/// Take a release out of new installs; unyank undoes it
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The release: acme/github@3.4.1
    #[arg(value_name = "REF")]
    pub reference: String,
    /// Why, for people who meet it
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub reason: String,
}

/// Yanks a release.
///
/// # Errors
/// The codes of exit 2 for the reference; `login-needed`, and what the registry answers.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let report = change(context, &args.reference, &args.reason, Direction::Yank).await?;
    let name = report.document["name"].as_str().unwrap_or_default().to_owned();
    Ok(report.hint(format!("run `skill unyank {name}` to undo it")))
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// Out of new installs.
    Yank,
    /// Back in.
    Unyank,
}

/// Yanks a release, or takes the yank back.
pub(super) async fn change(
    context: &Context,
    reference: &str,
    reason: &str,
    direction: Direction,
) -> Result<Report, Failure> {
    let reference = naming::registry_ref(context, reference)?;
    let version = naming::exact_version(&reference)?;
    let connection = connection::open(context, &reference.to_string()).await?;
    connection.need_token()?;
    let name = naming::skill_name(&connection, &reference).await?;
    let (verb, answer) = match direction {
        Direction::Yank => ("yanked", connection.session.yank(&name, &version, reason).await),
        Direction::Unyank => ("unyanked", connection.session.unyank(&name, &version, reason).await),
    };
    let status = answer.map_err(|error| connection.refused(&error))?;
    let mut table = Table::new([Column::new(""), Column::new("").whole().gap(3), Column::new("").whole()]);
    table.push([
        Cell::of(Role::Good, verb),
        Cell::of(Role::Name, format!("{name} {version}")),
        Cell::from(if status.as_str() == verb { "" } else { status.as_str() }),
    ]);
    let document = json!({
        "owner": name.owner,
        "slug": name.slug,
        "version": version,
        "name": format!("{name}@{version}"),
        "status": status,
    });
    Ok(Report::change(document, vec![table.into()]))
}
