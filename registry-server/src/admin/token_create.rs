use std::time::Duration;

use skill_core::name::Owner;

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
    /// Life, as in 90d, 12h or 30m [default: no end]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    expires: Option<Duration>,
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
        lives: args.expires,
        actor: accounts::OPERATOR.to_owned(),
    };
    let made = accounts::create_token(&db, &Entropy::System, new).await;
    let (text, _) = made.map_err(|error| match error {
        CreateTokenError::Store(error) => error.into(),
        CreateTokenError::UserUnknown { ref user } => {
            Failure::new(error.to_string()).hint(format!("`skill-registry user add {user}{flags}`"))
        }
        refused => Failure::new(refused.to_string()),
    })?;
    db.close().await;
    Ok(format!("{}\n", text.reveal()))
}

/// Reads a whole number and `d`, `h` or `m`.
fn duration(text: &str) -> Result<Duration, &'static str> {
    const WANTED: &str = "a whole number above 0 and d, h or m, as in 90d";
    let unit = text.chars().last().ok_or(WANTED)?;
    let seconds = match unit {
        'd' => 24 * 60 * 60,
        'h' => 60 * 60,
        'm' => 60,
        _ => return Err(WANTED),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| WANTED)?;
    let all = number.checked_mul(seconds).filter(|all| *all > 0).ok_or(WANTED)?;
    Ok(Duration::from_secs(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("90d"), Ok(Duration::from_hours(90 * 24)));
        assert_eq!(duration("30m"), Ok(Duration::from_mins(30)));
        for other in ["", "d", "90", "0d", "-1d", "1.5h", "1w", "9d ", "99999999999999999999d", "1ä"] {
            assert!(duration(other).is_err(), "{other}");
        }
    }
}
