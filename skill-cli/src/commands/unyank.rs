use crate::context::Context;
use crate::failure::Failure;
use crate::report::Report;

use super::yank;

/// Let new installs have a yanked release again
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The release: acme/github@3.4.1
    #[arg(value_name = "REF")]
    pub reference: String,
    /// Why, for people who meet it
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub reason: String,
}

/// Takes a yank back.
///
/// # Errors
/// As [`yank::run`].
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    yank::change(context, &args.reference, &args.reason, yank::Direction::Unyank).await
}
