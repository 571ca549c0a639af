use serde_json::json;
use skill_core::name::SkillName;
use skill_core::version::Version;

use super::delete::{one_row, releases, version_of};
use crate::connection::{self, Connection};
use crate::context::Context;
use crate::failure::Failure;
use crate::naming;
use crate::report::{Cell, Message, Report, Role};

/// Bring a withdrawn release or a deleted skill back
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The release: acme/github@3.4.1; without a version the whole skill: acme/github
    #[arg(value_name = "REF")]
    pub reference: String,
    /// Why, for people who meet it
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub reason: String,
}

/// Restores one release, or brings a whole skill back.
///
/// # Errors
/// The codes of exit 2 for the reference; `login-needed`, and what the registry answers.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let reference = naming::registry_ref(context, &args.reference)?;
    let version = version_of(&reference)?;
    if version.is_none() && reference.owner.is_none() {
        let slug = &reference.slug;
        return Err(Failure::usage(format!("{slug} does not say whose skill it is"))
            .because("a deleted skill has given its bare name up")
            .hint(format!("write it with its owner: `skill undelete OWNER/{slug}`")));
    }
    let connection = connection::open(context, &args.reference).await?;
    connection.need_token()?;
    let name = naming::skill_name(&connection, &reference).await?;
    match version {
        Some(version) => restore(&connection, &name, &version, &args.reason).await,
        None => undelete(&connection, &name, &args.reason).await,
    }
}

async fn restore(
    connection: &Connection,
    name: &SkillName,
    version: &Version,
    reason: &str,
) -> Result<Report, Failure> {
    let answer = connection.session.restore(name, version, reason).await;
    let status = answer.map_err(|error| connection.refused(&error))?;
    let document = json!({
        "owner": name.owner,
        "slug": name.slug,
        "version": version,
        "name": format!("{name}@{version}"),
        "status": status,
    });
    let row = [
        Cell::of(Role::Good, "restored"),
        Cell::of(Role::Name, format!("{name} {version}")),
        Cell::from(status.as_str()),
    ];
    Ok(Report::change(document, vec![one_row(row).into()]))
}

async fn undelete(connection: &Connection, name: &SkillName, reason: &str) -> Result<Report, Failure> {
    let answer = connection.session.undelete_skill(name, reason).await;
    let back = answer.map_err(|error| connection.refused(&error))?;
    let document = json!({
        "owner": name.owner,
        "slug": name.slug,
        "releases": back.releases,
        "status": "undeleted",
        "bareSlug": back.bare_slug,
    });
    let row = [
        Cell::of(Role::Good, "undeleted"),
        Cell::of(Role::Name, name.to_string()),
        Cell::from(releases(back.releases)),
    ];
    let report = Report::change(document, vec![one_row(row).into()]);
    if back.bare_slug {
        return Ok(report);
    }
    let slug = &name.slug;
    Ok(report
        .note(Message::note(format!("the bare name {slug} does not mean {name} in {}", connection.label()))))
}
