use serde_json::json;
use skill_core::name::Tag;

use crate::connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::naming;
use crate::report::{Cell, Column, Report, Role, Table};

/// Point a tag to a release, or delete a tag
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The release: acme/github@3.4.1; with `--delete` the skill: acme/github
    #[arg(value_name = "REF")]
    pub reference: String,
    /// The tag: a letter, then a-z, 0-9, `.`, `_` or `-`
    #[arg(value_name = "TAG")]
    pub tag: String,
    /// Delete the tag
    #[arg(long)]
    pub delete: bool,
}

/// Sets or deletes a tag.
///
/// # Errors
/// The codes of exit 2 for reference and tag; `login-needed`, and what the registry answers.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let reference = naming::registry_ref(context, &args.reference)?;
    let tag: Tag =
        args.tag.parse().map_err(|error: skill_core::name::NameError| Failure::usage(error.to_string()))?;
    let version = if args.delete { None } else { Some(naming::exact_version(&reference)?) };
    let connection = connection::open(context, &args.reference).await?;
    connection.need_token()?;
    let name = naming::skill_name(&connection, &reference).await?;
    let answer = match &version {
        Some(version) => connection.session.set_tag(&name, &tag, version).await,
        None => connection.session.remove_tag(&name, &tag).await,
    };
    answer.map_err(|error| connection.refused(&error))?;
    let (verb, what) = match &version {
        Some(version) => ("tagged", format!("{name} {version}")),
        None => ("untagged", name.to_string()),
    };
    let mut table = Table::new([Column::new(""), Column::new("").whole().gap(3), Column::new("").whole()]);
    table.push([Cell::of(Role::Good, verb), Cell::of(Role::Name, what), Cell::from(tag.as_str())]);
    let document = json!({ "owner": name.owner, "slug": name.slug, "tag": tag, "version": version });
    Ok(Report::change(document, vec![table.into()]))
}
