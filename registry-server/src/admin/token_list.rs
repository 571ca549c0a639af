use jiff::Timestamp;
use serde_json::{Value, json};
use skill_core::name::Owner;

use super::place::Place;
use super::table::table;
use super::{Env, Failure};
use crate::auth::Scope;
use crate::clock::Clock;
use crate::store::StoreError;
use crate::store::tokens::{self, TokenRow};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<String, Failure> {
    let db = args.place.database(env).await?;
    let tokens = async { tokens::all(&mut *db.read().await?).await }
        .await
        .map_err(|e: StoreError| Failure::from(e))?;
    db.close().await;
    let now = Clock::System.now();
    if args.json {
        let tokens: Vec<Value> = tokens.iter().map(|(token, user)| document(token, user, now)).collect();
        return Ok(format!("{:#}\n", json!({ "tokens": tokens })));
    }
    let rows: Vec<[String; 7]> = tokens
        .iter()
        .map(|(token, user)| {
            [
                token.prefix.clone(),
                user.to_string(),
                token.scopes.to_string(),
                state(token, now).to_owned(),
                day(token.expires_at),
                day(token.last_used_at),
                token.label.clone(),
            ]
        })
        .collect();
    Ok(table(["prefix", "user", "scopes", "state", "expires", "used", "label"], &rows))
}

fn state(token: &TokenRow, now: Timestamp) -> &'static str {
    if token.revoked_at.is_some() {
        "revoked"
    } else if token.expires_at.is_some_and(|at| at <= now) {
        "expired"
    } else {
        "good"
    }
}

fn day(at: Option<Timestamp>) -> String {
    at.map_or_else(|| "-".to_owned(), |at| at.strftime("%Y-%m-%d").to_string())
}

fn document(token: &TokenRow, user: &Owner, now: Timestamp) -> Value {
    json!({
        "id": token.id,
        "prefix": token.prefix,
        "user": user,
        "label": token.label,
        "scopes": token.scopes.iter().map(Scope::as_str).collect::<Vec<_>>(),
        "state": state(token, now),
        "createdAt": token.created_at,
        "expiresAt": token.expires_at,
        "lastUsedAt": token.last_used_at,
        "revokedAt": token.revoked_at,
    })
}
