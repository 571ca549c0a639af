use skill_core::name::{NameError, Owner};

use super::place::Place;
use super::{Env, Failure};
use crate::accounts::{self, AddUserError, NewUser};
use crate::entropy::Entropy;
use crate::store::users::SiteRole;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Name of the user, and handle of the personal publisher
    name: String,
    /// Name as people read it [default: NAME]
    #[arg(long, value_name = "TEXT")]
    display_name: Option<String>,
    /// Site role: user, moderator or admin
    #[arg(long, value_name = "ROLE", default_value = "user")]
    role: SiteRole,
    #[command(flatten)]
    place: Place,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<String, Failure> {
    let name: Owner = args.name.parse().map_err(|error: NameError| Failure::usage(error.to_string()))?;
    let db = args.place.database(env).await?;
    let user = NewUser {
        display_name: args.display_name.unwrap_or_else(|| name.to_string()),
        name: name.clone(),
        role: args.role,
        actor: accounts::OPERATOR.to_owned(),
    };
    accounts::add_user(&db, &Entropy::System, user).await.map_err(|error| match error {
        AddUserError::Store(error) => error.into(),
        refused => Failure::new(refused.to_string()).hint("choose another handle"),
    })?;
    db.close().await;
    Ok(format!("added user {name} with publisher {name}\n"))
}
