use skill_core::name::Owner;

use super::place::Place;
use super::{Env, Failure};
use crate::accounts::{self, Hand};
use crate::store::users::SiteRole;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Name of the user
    name: Owner,
    /// Site role: user, moderator or admin
    role: SiteRole,
    #[command(flatten)]
    place: Place,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<String, Failure> {
    let db = args.place.database(env).await?;
    let user = accounts::set_site_role(&Hand::Operator { db: &db }, &args.name, args.role).await?;
    db.close().await;
    Ok(format!("{} is {} of the site now\n", user.name, user.role))
}
