use serde_json::json;

use crate::config::Config;
use crate::context::Context;
use crate::credentials::Credentials;
use crate::failure::Failure;
use crate::report::{Line, Report, Role};

/// Forget the token of a registry
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Forgets the token that is kept for the registry's origin. Opens no connection: the token itself
/// stays valid until the registry revokes it.
///
/// # Errors
/// `registry-not-set`, and what reading and writing the file gives.
pub fn run(context: &Context, _args: &Args) -> Result<Report, Failure> {
    let choice = Config::load(context, None)?.choose(context, "logout")?;
    let origin = choice.endpoint.origin();
    let mut known = Credentials::load(context)?;
    let user = known.remove(origin);
    let document = json!({ "origin": origin.to_string(), "user": user, "removed": user.is_some() });
    let Some(user) = user else {
        return Ok(Report::change(document, Vec::new()).closing(format!("no token was kept for {origin}")));
    };
    known.save(context)?;
    let line = Line::new()
        .role(Role::Good, "logged out")
        .plain("  ")
        .role(Role::Name, user)
        .plain(format!("   {origin}"));
    let report = Report::change(document, vec![line.into()]);
    Ok(match context.env().get("SKILL_TOKEN") {
        Some(_) => report.hint("unset SKILL_TOKEN too: it is still used"),
        None => report,
    })
}
