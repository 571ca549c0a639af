use serde_json::json;

use super::delete::one_row;
use crate::connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::naming;
use crate::report::{Cell, Report, Role};

/// Star a skill; unstar takes it back
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The skill: acme/github
    #[arg(value_name = "REF")]
    pub reference: String,
}

/// What becomes of the star.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Star {
    Given,
    TakenBack,
}

/// Stars a skill.
///
/// # Errors
/// The codes of exit 2 for the reference; `login-needed`, and what the registry answers.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    change(context, &args.reference, Star::Given).await
}

pub(super) async fn change(context: &Context, reference: &str, star: Star) -> Result<Report, Failure> {
    let read = naming::registry_ref(context, reference)?;
    if read.selector.is_some() {
        return Err(Failure::usage(format!("{read} names a release; a whole skill has stars")));
    }
    let connection = connection::open(context, reference).await?;
    connection.need_token()?;
    let name = naming::skill_name(&connection, &read).await?;
    let answer = match star {
        Star::Given => connection.session.star(&name).await,
        Star::TakenBack => connection.session.unstar(&name).await,
    };
    let starred = answer.map_err(|error| connection.refused(&error))?;
    let verb = match (starred.changed, star) {
        (true, Star::Given) => "starred",
        (true, Star::TakenBack) => "unstarred",
        (false, _) => "unchanged",
    };
    let document = json!({
        "owner": starred.owner,
        "slug": starred.slug,
        "status": verb,
        "starred": star == Star::Given,
        "stars": starred.stars,
    });
    let stars = if starred.stars == 1 { "1 star".to_owned() } else { format!("{} stars", starred.stars) };
    let row = [
        Cell::of(Role::Good, verb),
        Cell::of(Role::Name, format!("{}/{}", starred.owner, starred.slug)),
        stars.into(),
    ];
    Ok(Report::change(document, vec![one_row(row).into()]))
}
