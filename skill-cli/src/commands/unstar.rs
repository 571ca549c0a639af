use crate::context::Context;
use crate::failure::Failure;
use crate::report::Report;

use super::star;

/// Take a star back
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The skill: acme/github
    #[arg(value_name = "REF")]
    pub reference: String,
}

/// Takes a star back.
///
/// # Errors
/// As [`star::run`].
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    star::change(context, &args.reference, star::Star::TakenBack).await
}
