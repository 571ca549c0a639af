use serde_json::json;

use super::delete::one_row;
use crate::connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::naming;
use crate::report::{Cell, Report, Role};

/// Say that a skill should not be used any more, and what to do instead
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The skill: acme/github
    #[arg(value_name = "REF")]
    pub reference: String,
    /// What to do instead, for people who meet it
    #[arg(long, value_name = "TEXT", required_unless_present = "undo", conflicts_with = "undo")]
    pub message: Option<String>,
    /// Take it back
    #[arg(long)]
    pub undo: bool,
}

/// Deprecates a skill, or takes that back.
///
/// # Errors
/// The codes of exit 2 for the reference; `login-needed`, and what the registry answers.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let reference = naming::registry_ref(context, &args.reference)?;
    if reference.selector.is_some() {
        return Err(Failure::usage(format!("{reference} names a release; a whole skill is deprecated"))
            .hint("run `skill yank REF` to take one release out of new installs"));
    }
    let connection = connection::open(context, &args.reference).await?;
    connection.need_token()?;
    let name = naming::skill_name(&connection, &reference).await?;
    let message = args.message.as_deref().map(str::trim);
    let answer = connection.session.deprecate(&name, message).await;
    answer.map_err(|error| connection.refused(&error))?;
    let verb = if message.is_some() { "deprecated" } else { "undeprecated" };
    let document = json!({ "owner": name.owner, "slug": name.slug, "status": verb, "message": message });
    let row = [Cell::of(Role::Good, verb), Cell::of(Role::Name, name.to_string())];
    let report = Report::change(document, vec![one_row(row).into()]);
    Ok(match message {
        Some(_) => report
            .closing("whoever installs it is warned; nothing is closed by it")
            .hint(format!("run `skill deprecate {name} --undo` to take it back")),
        None => report,
    })
}
