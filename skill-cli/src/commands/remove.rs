use crate::context::Context;
use crate::failure::Failure;
use crate::install::{Desk, Options, Removal};
use crate::report::Report;
use crate::workdir;

/// Remove skills
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Local names, as `skill list` shows them
    #[arg(value_name = "NAME", required = true)]
    pub names: Vec<String>,
    /// Remove a changed copy too; it goes to .skill/backup/
    #[arg(long)]
    pub force: bool,
    /// Show the plan and stop
    #[arg(long)]
    pub dry_run: bool,
}

/// Removes skills: their folders, their entries, and what only they needed. All or nothing.
///
/// # Errors
/// `not-installed`, `disk-differs`, `busy`, `disk-…`; nothing was changed then.
pub fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let workdir = workdir::locate(context)?;
    let options = Options { force: args.force, dry_run: args.dry_run, ..Options::default() };
    let desk = Desk::open(context, &workdir, options)?;
    for warning in desk.config.warnings(context) {
        context.screen.tell(&warning);
    }
    let removal = Removal::plan(&desk, &args.names)?;
    if !args.dry_run {
        removal.carry_out(&desk)?;
    }
    Ok(removal.report(&desk))
}
