use serde_json::json;
use skill_core::api::AppealView;
use skill_core::name::SkillName;
use skill_core::version::Version;

use crate::connection::{self, Connection};
use crate::context::Context;
use crate::failure::Failure;
use crate::naming;
use crate::report::{Cell, Column, Report, Role, Table};
use crate::text::number;

/// Ask a registry to look again at your release that it closed
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Ask a registry to look again at your release that it closed

Without --reason it shows what was said about the release, and what a moderator
answered.",
    after_long_help = "Examples:
  skill appeal acme/github@3.4.1 --reason TEXT
  skill appeal acme/github@3.4.1"
)]
pub struct Args {
    /// The release: acme/github@3.4.1
    #[arg(value_name = "REF")]
    pub reference: String,
    /// Why it should be open, for the moderators
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
}

/// Appeals, or shows what came of it.
///
/// # Errors
/// The codes of exit 2 for the reference; `login-needed`, and what the registry answers.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let reference = naming::registry_ref(context, &args.reference)?;
    let version = naming::exact_version(&reference)?;
    let connection = connection::open(context, &reference.to_string()).await?;
    connection.need_token()?;
    let name = naming::skill_name(&connection, &reference).await?;
    match &args.reason {
        Some(reason) => appeal(&connection, &name, &version, reason).await,
        None => list(&connection, &name, &version).await,
    }
}

async fn appeal(
    connection: &Connection,
    name: &SkillName,
    version: &Version,
    reason: &str,
) -> Result<Report, Failure> {
    let answer = connection.session.appeal(name, version, reason).await;
    let answer = answer.map_err(|error| connection.refused(&error))?;
    let verb = if answer.already_open { "unchanged" } else { "appealed" };
    let mut table = Table::new([Column::new(""), Column::new("").whole()]);
    table.push([Cell::of(Role::Good, verb), Cell::of(Role::Name, format!("{name} {version}"))]);
    let status = if answer.already_open { "already-open" } else { "appealed" };
    let mut document = json!(answer.appeal);
    document["status"] = json!(status);
    let report = Report::change(document, vec![table.into()]);
    let by = &answer.appeal.by;
    let report = if answer.already_open {
        report.closing(format!("{by} appealed before, and still waits for an answer"))
    } else {
        report
    };
    Ok(report.hint(format!("run `skill appeal {name}@{version}` to see the answer")))
}

async fn list(connection: &Connection, name: &SkillName, version: &Version) -> Result<Report, Failure> {
    let appeals = connection.session.appeals(name, version).await;
    let appeals = appeals.map_err(|error| connection.refused(&error))?;
    let mut table = Table::new([
        Column::new("appealed").whole(),
        Column::new("by").whole(),
        Column::new("answer").whole(),
        Column::new("why"),
    ]);
    for one in &appeals {
        table.push([
            Cell::from(number::date(one.at)),
            Cell::of(Role::Name, one.by.as_str()),
            Cell::from(answer(one)),
            Cell::from(one.note.as_deref().unwrap_or("")),
        ]);
    }
    let document = json!({ "owner": name.owner, "slug": name.slug, "version": version, "appeals": appeals });
    let report = Report::new(document, vec![table.into()]);
    Ok(if appeals.is_empty() {
        report.closing(format!("nobody appealed for {name} {version}"))
    } else {
        report
    })
}

fn answer(appeal: &AppealView) -> String {
    match (&appeal.decision, appeal.decided_at) {
        (Some(decision), Some(at)) => format!("{decision} {}", number::date(at)),
        _ => "waits".to_owned(),
    }
}
