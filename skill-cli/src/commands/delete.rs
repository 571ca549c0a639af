use serde_json::json;
use skill_core::name::SkillName;
use skill_core::reference::RegistryRef;
use skill_core::version::Version;

use crate::connection::{self, Connection};
use crate::context::Context;
use crate::failure::Failure;
use crate::naming;
use crate::question;
use crate::report::{Cell, Column, Report, Role, Table};
use crate::text::number;

/// Withdraw a release, or delete a whole skill; undelete undoes it
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The release: acme/github@3.4.1; without a version the whole skill
    #[arg(value_name = "REF")]
    pub reference: String,
    /// Why, for people who meet it
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub reason: String,
}

const STILL_VERIFY: &str = "copies that are installed still verify, with a warning";

/// Withdraws one release, or deletes a whole skill, once somebody has said yes.
///
/// # Errors
/// The codes of exit 2 for the reference; `confirmation-needed`, `declined`; `login-needed`, and what the registry
/// answers.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let reference = naming::registry_ref(context, &args.reference)?;
    let version = version_of(&reference)?;
    question::need_answer(context, "delete", &format!("delete {}", subject(&reference, version.as_ref())))?;
    let connection = connection::open(context, &args.reference).await?;
    connection.need_token()?;
    let name = naming::skill_name(&connection, &reference).await?;
    match version {
        Some(version) => withdraw(context, &connection, &name, &version, &args.reason).await,
        None => delete(context, &connection, &name, &args.reason).await,
    }
}

/// The one release that a reference names; `None`: the whole skill.
pub(super) fn version_of(reference: &RegistryRef) -> Result<Option<Version>, Failure> {
    reference.selector.as_ref().map(|_| naming::exact_version(reference)).transpose()
}

/// What a sentence calls it, as it was typed: `acme/github 3.0.0`.
fn subject(reference: &RegistryRef, version: Option<&Version>) -> String {
    let RegistryRef { owner, slug, .. } = reference;
    let name = owner.as_ref().map_or_else(|| slug.to_string(), |owner| format!("{owner}/{slug}"));
    version.map_or_else(|| name.clone(), |version| format!("{name} {version}"))
}

async fn withdraw(
    context: &Context,
    connection: &Connection,
    name: &SkillName,
    version: &Version,
    reason: &str,
) -> Result<Report, Failure> {
    let plan = format!("This withdraws {name} {version} from {}", connection.label());
    let question = format!("Withdraw {name} {version}?");
    question::confirm(context, &plan, &question, "nothing was withdrawn").await?;
    let answer = connection.session.withdraw(name, version, reason).await;
    let status = answer.map_err(|error| connection.refused(&error))?;
    let document = json!({
        "owner": name.owner,
        "slug": name.slug,
        "version": version,
        "name": format!("{name}@{version}"),
        "status": status,
    });
    let row = [Cell::of(Role::Good, "withdrawn"), Cell::of(Role::Name, format!("{name} {version}"))];
    Ok(Report::change(document, vec![one_row(row).into()])
        .closing(STILL_VERIFY)
        .hint(format!("run `skill undelete {name}@{version}` to bring it back")))
}

async fn delete(
    context: &Context,
    connection: &Connection,
    name: &SkillName,
    reason: &str,
) -> Result<Report, Failure> {
    let plan = format!("This deletes {name} with all of its releases from {}", connection.label());
    question::confirm(context, &plan, &format!("Delete {name}?"), "nothing was deleted").await?;
    let answer = connection.session.delete_skill(name, reason).await;
    let deleted = answer.map_err(|error| connection.refused(&error))?;
    let kept = deleted.reserved_until.map(|until| format!("kept until {}", number::date(until)));
    let document = json!({
        "owner": name.owner,
        "slug": name.slug,
        "releases": deleted.releases,
        "status": "deleted",
        "reservedUntil": deleted.reserved_until,
    });
    let [what, which, count] = [
        Cell::of(Role::Good, "deleted"),
        Cell::of(Role::Name, name.to_string()),
        Cell::from(releases(deleted.releases)),
    ];
    let table = match kept {
        Some(kept) => one_row([what, which, count, Cell::from(kept)]),
        None => one_row([what, which, count]),
    };
    Ok(Report::change(document, vec![table.into()])
        .closing(STILL_VERIFY)
        .hint(format!("run `skill undelete {name}` to bring it back")))
}

pub(super) fn releases(count: u64) -> String {
    number::counted(usize::try_from(count).unwrap_or(usize::MAX), "release", "releases")
}

/// One line about what was changed: what was done, to what, and what else there is to say.
pub(super) fn one_row<const N: usize>(row: [Cell; N]) -> Table {
    let gap = |at| if at == 0 { 2 } else { 3 };
    let mut table = Table::new((0..N).map(|at| Column::new("").whole().gap(gap(at))));
    table.push(row);
    table
}
