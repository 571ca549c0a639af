use std::io::Read as _;

use serde_json::json;
use skill_core::token::TokenText;

use crate::client::{ClientError, Token};
use crate::code::Code;
use crate::connection;
use crate::context::Context;
use crate::credentials::{self, Credentials};
use crate::failure::Failure;
use crate::report::{Block, Line, Report, Role};
use crate::text::number;

/// Store a token for a registry, or sign a browser in
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The token; `-` reads it from stdin, where no other program sees it
    #[arg(long, value_name = "TOKEN", required_unless_present = "link", allow_hyphen_values = true)]
    pub token: Option<String>,
    /// Print a link that signs a browser in, once, as whoever is logged in here
    #[arg(long, conflicts_with = "token")]
    pub link: bool,
}

/// Checks a token with its registry and keeps it for that registry's origin.
///
/// # Errors
/// `token-unreadable`, `token-rejected`, with `--link` `login-needed`, what the registry answers, and `disk-…`.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    match args.token.as_deref() {
        None => link(context).await,
        Some("-") => store(context, &read_stdin()?, "stdin").await,
        Some(text) => store(context, text, "--token").await,
    }
}

/// Asks for a link; whoever opens it is signed in with what the stored token may do.
async fn link(context: &Context) -> Result<Report, Failure> {
    let connection = connection::open(context, "login").await?;
    connection.need_token()?;
    let link = connection.session.sign_in_link().await.map_err(|error| connection.refused(&error))?;
    let closing = format!("works once, until {}", number::moment(link.expires_at));
    let document = json!({ "url": link.url, "expiresAt": link.expires_at });
    // The whole address, however narrow the terminal is.
    Ok(Report::new(document, vec![Block::Verbatim(format!("{}\n", link.url))]).closing(closing))
}

async fn store(context: &Context, secret: &str, from: &'static str) -> Result<Report, Failure> {
    let text: TokenText = secret.trim().parse().map_err(|error| credentials::unreadable(from, error))?;
    let mut known = Credentials::load(context)?;
    let connection = connection::for_login(context).await?;
    let origin = connection.choice.endpoint.origin().clone();
    let token = Token::new(text.clone(), origin.clone(), from.to_owned());
    let session = connection.session.clone().with_token(Some(token));
    let identity = session.whoami().await.map_err(|error| rejected(&error, &connection))?;
    known.set(&origin, text.reveal(), &identity.user);
    known.save(context)?;
    let kept = context.shown(&context.dirs.credentials);
    let document = json!({
        "user": identity.user,
        "origin": origin.to_string(),
        "registry": connection.name(),
        "scopes": identity.scopes,
        "expiresAt": identity.expires_at,
    });
    let line = Line::new()
        .role(Role::Good, "logged in")
        .plain("  ")
        .role(Role::Name, identity.user.as_str())
        .plain(format!("   {origin}"));
    Ok(Report::change(document, vec![line.into()]).closing(format!("the token is kept in {kept}")))
}

/// A token that was just typed: other hints than for one that was kept.
fn rejected(error: &ClientError, connection: &connection::Connection) -> Failure {
    let mut failure = connection.refused(error);
    if !matches!(failure.code, Code::TokenRejected | Code::TokenExpired) {
        return failure;
    }
    failure.hints.clear();
    failure
        .because_in_text("nothing was stored")
        .hint("ask the operator for a token: `skill-registry token create --user NAME`")
}

fn read_stdin() -> Result<String, Failure> {
    // A token has 74 characters; more is something else, and none of it is shown.
    let mut text = String::new();
    std::io::stdin().take(4096).read_to_string(&mut text).map_err(|error| {
        Failure::new(Code::DiskIo, "cannot read the token from stdin").because(error.to_string())
    })?;
    Ok(text)
}
