use skill_core::name::{NameError, Owner};

use super::place::Place;
use super::{Env, Failure};
use crate::accounts::{self, SignInError};
use crate::auth::Cookie;
use crate::config::Flags;
use crate::entropy::Entropy;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Name of the user
    name: String,
    /// URL under which browsers reach the registry
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    #[command(flatten)]
    place: Place,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<String, Failure> {
    let name: Owner = args.name.parse().map_err(|error: NameError| Failure::usage(error.to_string()))?;
    let flags = Flags::default().with("public_url", args.public_url.clone());
    let base_url = args.place.settings(env, flags)?.server.base_url();
    if Cookie::of(&base_url).is_none() {
        return Err(Failure::new(SignInError::Insecure.to_string())
            .because(format!("{base_url} is neither https nor on this machine"))
            .hint("set public_url to an address that begins with https"));
    }
    let db = args.place.database(env).await?;
    let made = accounts::make_link_as_operator(&db, &Entropy::System, &name, accounts::OPERATOR).await;
    let (secret, _) = made.map_err(|error| match error {
        SignInError::Store(error) => error.into(),
        SignInError::UserUnknown { .. } => {
            let flags = args.place.as_flags();
            Failure::new(error.to_string()).hint(format!("`skill-registry user add {name}{flags}`"))
        }
        refused => Failure::new(refused.to_string()),
    })?;
    db.close().await;
    Ok(format!("{}\n", accounts::sign_in_url(&base_url, &secret)))
}
