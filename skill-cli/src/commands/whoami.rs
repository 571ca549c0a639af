use serde_json::json;

use crate::client::Identity;
use crate::connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{Block, Line, Report, Role};
use crate::text::number;

/// Show whose token is used, and what it may do
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Asks the registry whose token is used.
///
/// # Errors
/// `login-needed`, `token-…`, and what the registry answers.
pub async fn run(context: &Context, _args: &Args) -> Result<Report, Failure> {
    let connection = connection::open(context, "whoami").await?;
    connection.need_token()?;
    let identity = connection.session.whoami().await.map_err(|error| connection.refused(&error))?;
    let found_in = connection.session.token().map(|token| token.found_in().to_owned()).unwrap_or_default();
    let publishers: Vec<_> =
        identity.publishers.iter().map(|p| json!({ "owner": p.owner, "role": p.role })).collect();
    let document = json!({
        "user": identity.user,
        "publishers": publishers,
        "scopes": identity.scopes,
        "expiresAt": identity.expires_at,
        "registry": { "name": connection.name(), "url": connection.choice.endpoint.to_string(), "id": connection.met.id },
    });
    Ok(Report::new(document, rows(&identity, &connection.label(), &found_in)))
}

fn rows(identity: &Identity, label: &str, found_in: &str) -> Vec<Block> {
    let publishers: Vec<String> =
        identity.publishers.iter().map(|member| format!("{} ({})", member.owner, member.role)).collect();
    let publishers = if publishers.is_empty() { "none".to_owned() } else { publishers.join(", ") };
    let until = identity
        .expires_at
        .map_or_else(|| "does not expire".to_owned(), |at| format!("until {}", number::date(at)));
    let row = |key: &str, value: String| Line::from(format!("{key:<12}{value}")).indent(0, 12).into();
    vec![
        Line::new().role(Role::Name, identity.user.as_str()).plain(format!(" in {label}")).into(),
        row("publishers", publishers),
        row("token", format!("from {found_in}, {until}")),
        row("scopes", identity.scopes.join(", ")),
    ]
}
