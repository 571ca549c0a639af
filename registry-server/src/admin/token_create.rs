use skill_core::name::{Owner, SkillName};
use skill_core::token::Life;

use super::place::Place;
use super::{Env, Failure};
use crate::accounts::{self, CreateTokenError, NewToken};
use crate::auth::Scopes;
use crate::entropy::Entropy;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Whose token it will be
    #[arg(long, value_name = "NAME")]
    user: Owner,
    /// read, publish, moderate, admin [default: read,publish]
    #[arg(long, value_name = "SCOPES", default_value_t, hide_default_value = true)]
    scope: Scopes,
    /// The only publisher that it is good for
    #[arg(long, value_name = "NAME", conflicts_with = "skill")]
    publisher: Option<Owner>,
    /// The only skill that it is good for, as owner/slug
    #[arg(long, value_name = "NAME")]
    skill: Option<SkillName>,
    /// Life, as in 90d, 12h or 30m [default: never]
    #[arg(long, value_name = "TIME", default_value = "never", hide_default_value = true)]
    expires: Life,
    /// What it is for
    #[arg(long, value_name = "TEXT", default_value = "command line")]
    label: String,
    #[command(flatten)]
    place: Place,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<String, Failure> {
    let db = args.place.database(env).await?;
    let flags = args.place.as_flags();
    let new = NewToken {
        user: args.user,
        label: args.label,
        scopes: args.scope,
        publisher: args.publisher,
        skill: args.skill,
        lives: match args.expires {
            Life::For(length) => Some(length),
            Life::Never => None,
        },
        actor: accounts::OPERATOR.to_owned(),
    };
    let made = accounts::create_token(&db, &Entropy::System, new).await;
    let (text, _) = made.map_err(|error| match error {
        CreateTokenError::Store(error) => error.into(),
        CreateTokenError::UserUnknown { ref user } => {
            Failure::new(error.to_string()).hint(format!("`skill-registry user add {user}{flags}`"))
        }
        CreateTokenError::NotMember { .. } => {
            Failure::new(error.to_string()).because("a token is good for publishers of its user only")
        }
        refused => Failure::new(refused.to_string()),
    })?;
    db.close().await;
    Ok(format!("{}\n", text.reveal()))
}
