use skill_core::name::Owner;

use super::place::Place;
use super::{Env, Failure};
use crate::accounts::{self, Hand};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Name of the user
    name: Owner,
    /// Why; the audit log keeps it
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    place: Place,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<String, Failure> {
    let db = args.place.database(env).await?;
    accounts::unban(&Hand::Operator { db: &db }, &args.name, &args.reason).await?;
    db.close().await;
    Ok(format!("opened the account of {}\n", args.name))
}
