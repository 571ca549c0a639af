use super::place::Place;
use super::{Env, Failure};
use crate::accounts::{self, RevokeTokenError};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Its id, or the 12 characters that `token list` shows
    #[arg(value_name = "ID|PREFIX")]
    token: String,
    #[command(flatten)]
    place: Place,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<String, Failure> {
    let db = args.place.database(env).await?;
    let flags = args.place.as_flags();
    let done = accounts::revoke_token(&db, &args.token, accounts::OPERATOR).await;
    let (token, revoked) = done.map_err(|error| match error {
        RevokeTokenError::Store(error) => error.into(),
        RevokeTokenError::Ambiguous { ref ids, .. } => {
            ids.iter().fold(Failure::new(error.to_string()), |failure, id| {
                failure.hint(format!("`skill-registry token revoke {id}{flags}`"))
            })
        }
        unknown @ (RevokeTokenError::Unknown { .. } | RevokeTokenError::Access(_)) => {
            Failure::new(unknown.to_string()).hint(format!("`skill-registry token list{flags}`"))
        }
    })?;
    db.close().await;
    Ok(match revoked {
        0 => format!("was revoked before: {}\n", token.prefix),
        1 => format!("revoked {}\n", token.prefix),
        more => format!("revoked {}, and {} made with it\n", token.prefix, more - 1),
    })
}
