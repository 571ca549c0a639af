mod device;

use std::io::Read as _;

use serde_json::json;
use skill_core::token::TokenText;

use crate::client::{ClientError, DeviceRequest, Token};
use crate::code::Code;
use crate::connection::{self, Connection};
use crate::context::Context;
use crate::credentials::{self, Credentials};
use crate::failure::Failure;
use crate::report::{Block, Line, Report, Role};
use crate::text::number;

/// Log in to a registry, or sign a browser in
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Log in to a registry, or sign a browser in

Without --token a code is shown, to be typed on a page of the registry in any
browser that is signed in there; whoever does that gives this machine a token.",
    after_long_help = "Examples:
  skill login
  skill login --token -
  skill login --link"
)]
pub struct Args {
    /// The token; `-` reads it from stdin, where no other program sees it
    #[arg(long, value_name = "TOKEN", conflicts_with_all = ["device", "scope", "label"], allow_hyphen_values = true)]
    pub token: Option<String>,
    /// Show a code to be typed in a browser; that is what happens without --token
    #[arg(long)]
    pub device: bool,
    /// What for: read, publish, moderate, admin [default: read,publish]
    #[arg(
        long,
        value_name = "SCOPES",
        value_delimiter = ',',
        value_parser = ["read", "publish", "moderate", "admin"],
        hide_possible_values = true
    )]
    pub scope: Option<Vec<String>>,
    /// What the token is called in lists of tokens
    #[arg(long, value_name = "TEXT", default_value = "skill login", hide_default_value = true)]
    pub label: String,
    /// Print a link that signs a browser in, once, as whoever is logged in here
    #[arg(long, conflicts_with_all = ["token", "device", "scope", "label"])]
    pub link: bool,
}

/// Gets a token by way of a browser, or takes one, and keeps it for the registry's origin once that has said whose it is.
///
/// # Errors
/// `login-denied`, `login-expired`, `token-unreadable`, `token-rejected`, with `--link` `login-needed`, what the registry
/// answers, and `disk-…`.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    match args.token.as_deref() {
        None if args.link => link(context).await,
        None => by_device(context, args).await,
        Some("-") => by_token(context, &read_stdin()?, "stdin").await,
        Some(text) => by_token(context, text, "--token").await,
    }
}

async fn by_device(context: &Context, args: &Args) -> Result<Report, Failure> {
    if context.globals.no_input {
        return Err(Failure::new(Code::Usage, "a login without a token is approved by a person")
            .because("--no-input says that nobody is there")
            .hint("run `skill login --token -` and give the token on stdin"));
    }
    let scopes = args.scope.clone().unwrap_or_else(|| vec!["read".to_owned(), "publish".to_owned()]);
    let request = DeviceRequest { scope: scopes.join(" "), label: args.label.clone() };
    // A file that cannot be read now cannot take the token later.
    let known = Credentials::load(context)?;
    let connection = connection::for_login(context).await?;
    let token = device::token(context, &connection, &request).await?;
    keep(context, known, &connection, &token, "the registry's answer").await
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

async fn by_token(context: &Context, secret: &str, from: &str) -> Result<Report, Failure> {
    let text: TokenText = secret.trim().parse().map_err(|error| credentials::unreadable(from, error))?;
    let known = Credentials::load(context)?;
    let connection = connection::for_login(context).await?;
    keep(context, known, &connection, &text, from).await
}

/// Asks the registry whose token it is, and keeps it.
async fn keep(
    context: &Context,
    mut known: Credentials,
    connection: &Connection,
    text: &TokenText,
    from: &str,
) -> Result<Report, Failure> {
    let origin = connection.choice.endpoint.origin().clone();
    let token = Token::new(text.clone(), origin.clone(), from.to_owned());
    let session = connection.session.clone().with_token(Some(token));
    let identity = session.whoami().await.map_err(|error| rejected(&error, connection))?;
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
fn rejected(error: &ClientError, connection: &Connection) -> Failure {
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
