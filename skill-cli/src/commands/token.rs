use serde_json::json;
use skill_core::api::{NewTokenRequest, TokenLine};
use skill_core::name::{Owner, SkillName};
use skill_core::token::Life;

use crate::code::Code;
use crate::connection::{self, Connection};
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{Block, Cell, Column, Line, Report, Role, Table};
use crate::text::number;

/// Make, list or revoke your tokens
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with tokens.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Make a token and print it, alone, on stdout; it is not shown again
    #[command(
        long_about = "Make a token and print it, alone, on stdout; it is not shown again

It reaches no further than the token that is used to make it, and is revoked
with that one. A token that is bound to a publisher or a skill makes none.",
        after_long_help = "Examples:
  skill token create --label ci --publisher acme --expires 30d
  skill token create --label reader --scope read --expires never"
    )]
    Create(Create),
    /// List your tokens, without their texts
    #[command(visible_alias = "ls")]
    List,
    /// Refuse a token from now on, and those made with it
    #[command(visible_alias = "rm")]
    Revoke {
        /// Its id, the 12 characters that `skill token list` shows, or its whole text
        #[arg(value_name = "ID|PREFIX|TOKEN")]
        token: String,
    },
}

/// A token about to be made.
#[derive(Debug, clap::Args)]
pub struct Create {
    /// What it is for
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub label: String,
    /// read, publish, moderate, admin [default: read,publish]
    #[arg(
        long,
        value_name = "SCOPES",
        value_delimiter = ',',
        value_parser = ["read", "publish", "moderate", "admin"],
        hide_possible_values = true
    )]
    pub scope: Option<Vec<String>>,
    /// The only publisher that it is good for
    #[arg(long, value_name = "OWNER", conflicts_with = "skill")]
    pub publisher: Option<Owner>,
    /// The only skill that it is good for
    #[arg(long, value_name = "OWNER/SLUG")]
    pub skill: Option<SkillName>,
    /// Life, as in 90d, 12h or 30m, or never [default: 90d, or less]
    #[arg(long, value_name = "TIME")]
    pub expires: Option<Life>,
}

/// Makes, lists or revokes tokens.
///
/// # Errors
/// `login-needed`, and what the registry answers.
pub async fn run(context: &Context, args: &Args) -> Result<Report, Failure> {
    let connection = connection::open(context, "token").await?;
    connection.need_token()?;
    match &args.verb {
        Verb::Create(wanted) => create(&connection, wanted).await,
        Verb::List => list(&connection).await,
        Verb::Revoke { token } => revoke(&connection, token).await,
    }
}

async fn create(connection: &Connection, args: &Create) -> Result<Report, Failure> {
    let request = NewTokenRequest {
        label: args.label.clone(),
        scopes: args.scope.clone(),
        publisher: args.publisher.clone(),
        skill: args.skill.clone(),
        expires: args.expires,
    };
    let made = connection.session.make_token(&request).await.map_err(|error| connection.refused(&error))?;
    let line = &made.line;
    let until =
        line.expires_at.map_or_else(|| "for ever".to_owned(), |at| format!("until {}", number::date(at)));
    let closing = format!("shown this once; {} for {} {until}", line.scopes.join(" and "), whole(line));
    let document = json!({
        "token": made.token,
        "id": line.id,
        "prefix": line.prefix,
        "label": line.label,
        "scopes": line.scopes,
        "publisher": line.publisher,
        "skill": line.skill,
        "expiresAt": line.expires_at,
    });
    // The whole value, however narrow the terminal is.
    Ok(Report::new(document, vec![Block::Verbatim(format!("{}\n", made.token))]).closing(closing))
}

async fn list(connection: &Connection) -> Result<Report, Failure> {
    let tokens = connection.session.tokens().await.map_err(|error| connection.refused(&error))?;
    let mut table = Table::new([
        Column::new("prefix").whole(),
        Column::new("label"),
        Column::new("scopes").whole(),
        Column::new("for").whole(),
        Column::new("last used").dropped(1),
        Column::new("until").whole(),
    ]);
    for token in &tokens {
        table.push([
            Cell::of(Role::Name, token.prefix.as_str()),
            Cell::from(token.label.as_str()),
            Cell::from(token.scopes.join(",")),
            Cell::from(bound(token)),
            Cell::from(token.last_used_at.map_or_else(|| "never".to_owned(), number::date)),
            Cell::from(token.expires_at.map_or_else(|| "no end".to_owned(), number::date)),
        ]);
    }
    Ok(Report::new(json!({ "tokens": tokens }), vec![table.into()]))
}

async fn revoke(connection: &Connection, token: &str) -> Result<Report, Failure> {
    let done = connection.session.revoke_token(token).await.map_err(|error| {
        let failure = connection.refused(&error);
        match failure.code {
            Code::TokenNotFound => failure.hint("run `skill token list`"),
            _ => failure,
        }
    })?;
    let what = match done.revoked {
        0 => "it was before".to_owned(),
        1 => String::new(),
        more => format!("and {} made with it", number::count(more - 1)),
    };
    let line = Line::new()
        .role(Role::Good, "revoked")
        .plain("  ")
        .role(Role::Name, done.prefix.as_str())
        .plain(if what.is_empty() { what } else { format!("   {what}") });
    let document = json!({ "id": done.id, "prefix": done.prefix, "revoked": done.revoked });
    Ok(Report::change(document, vec![line.into()]))
}

/// What a token is bound to.
fn bound(token: &TokenLine) -> String {
    let skill = token.skill.as_ref().map(ToString::to_string);
    skill.or_else(|| token.publisher.as_ref().map(ToString::to_string)).unwrap_or_else(|| "all".to_owned())
}

fn whole(token: &TokenLine) -> String {
    match bound(token).as_str() {
        "all" => "all your publishers".to_owned(),
        one => one.to_owned(),
    }
}
