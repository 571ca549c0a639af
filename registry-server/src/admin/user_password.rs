use std::io::{IsTerminal as _, Read as _};

use skill_core::name::{NameError, Owner};

use super::place::Place;
use super::{Env, Failure};
use crate::accounts::{self, SignInError};
use crate::auth::LONGEST;
use crate::entropy::Entropy;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Name of the user
    name: String,
    #[command(flatten)]
    place: Place,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<String, Failure> {
    let name: Owner = args.name.parse().map_err(|error: NameError| Failure::usage(error.to_string()))?;
    let db = args.place.database(env).await?;
    let password = typed(&name, &args.place)?;
    let set =
        accounts::set_password_as_operator(&db, &Entropy::System, &name, &password, accounts::OPERATOR).await;
    let ended = set.map_err(|error| match error {
        SignInError::Store(error) => error.into(),
        SignInError::UserUnknown { .. } => {
            let flags = args.place.as_flags();
            Failure::new(error.to_string()).hint(format!("`skill-registry user add {name}{flags}`"))
        }
        refused => Failure::new(refused.to_string()),
    })?;
    db.close().await;
    let sessions = if ended == 1 { "session" } else { "sessions" };
    Ok(format!("set the password of {name}, ended {ended} {sessions}\n"))
}

/// What stands on stdin, up to the end of its line: arguments can be read by everybody on the machine.
fn typed(name: &Owner, place: &Place) -> Result<String, Failure> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let flags = place.as_flags();
        return Err(Failure::usage("the password is read from stdin, and a terminal shows what is typed")
            .hint(format!("`skill-registry user password {name}{flags} < FILE`")));
    }
    let mut bytes = Vec::new();
    let read = stdin.lock().take(LONGEST as u64 + 3).read_to_end(&mut bytes);
    read.map_err(|error| Failure::new("the password cannot be read").because(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| Failure::usage("the password is no UTF-8"))?;
    let line = text.strip_suffix('\n').unwrap_or(&text);
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.contains(['\n', '\r']) {
        return Err(Failure::usage("a password is one line"));
    }
    Ok(line.to_owned())
}
