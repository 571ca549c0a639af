//! Every skill below a folder. First it is known what would come of each, then each is published: what is stored already is
//! left alone, so that running it again goes on where it ended.

use skill_bundle::find_skills;

use super::Args;
use crate::code::Code;
use crate::connection;
use crate::context::Context;
use crate::failure::{Failure, NOTHING_SENT};
use crate::report::Report;

mod found;
mod plan;
mod send;
mod show;

use found::Found;

/// Plans all, shows the plan, and publishes what is new.
///
/// # Errors
/// `bundle-no-skill-md` where there is none, `usage` for two skills of one slug, `login-needed` and what else a registry says
/// that concerns all. What concerns one skill is in the report, which has the gravest of it.
pub(super) async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let found = find(context, args)?;
    let connection = connection::open(context, "publish").await?;
    connection.need_token()?;
    let limits = connection.session.limits().await.map_err(|error| connection.refused(&error))?;
    let read = found.into_iter().map(|found| found.read(context, args, &limits, &connection));
    let read: Vec<_> = read.collect();
    found::are_apart(&read)?;
    let planned = plan::of_all(&connection, read).await?;
    let start = context.now();
    if args.dry_run {
        return Ok(show::plan_alone(context, args, planned));
    }
    context.screen.plan(&show::plan(context, args, &planned));
    let done = send::all(context, &connection, planned).await;
    Ok(show::done(done, context.now().duration_since(start).unsigned_abs()))
}

fn find(context: &Context, args: &Args) -> Result<Vec<Found>, Failure> {
    let folder = context.absolute(&args.path);
    let shown = context.shown(&folder);
    let below = find_skills(&folder).map_err(|error| Failure::of_folder(&error, &shown))?;
    if below.is_empty() {
        return Err(Failure::new(Code::BundleNoSkillMd, format!("no SKILL.md below {shown}"))
            .because("dot folders and what ignore files of that folder name are not looked into")
            .because_in_text(NOTHING_SENT));
    }
    Ok(below.into_iter().map(|below| Found::at(context, &args.path, &below)).collect())
}

/// Whether the rest would end so too: the registry is away, or does not know who asks.
fn concerns_all(failure: &Failure) -> bool {
    failure.exit() == 6
        || matches!(
            failure.code,
            Code::LoginNeeded
                | Code::TokenRejected
                | Code::TokenExpired
                | Code::AccountDisabled
                | Code::ScopeMissing
                | Code::ClientTooOld
                | Code::Interrupted
        )
}
