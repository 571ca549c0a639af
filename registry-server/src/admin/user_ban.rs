use std::fmt::Write as _;

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
    let banned = accounts::ban(&Hand::Operator { db: &db }, &args.name, &args.reason).await?;
    db.close().await;
    let mut shown = format!("banned {}\n", args.name);
    for publisher in banned.ownerless {
        let _ = writeln!(shown, "nobody with an open account owns {publisher} now");
    }
    Ok(shown)
}
