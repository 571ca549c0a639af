use std::time::Duration;

use http::HeaderMap;
use http::header::AUTHORIZATION;
use jiff::Timestamp;
use subtle::ConstantTimeEq as _;

use super::{Caller, Credential, Identity, TokenText};
use crate::app::App;
use crate::problem::ApiError;
use crate::store::tokens::TokenRow;
use crate::store::{Conn, publishers, tokens, users};

/// The last use of a token is kept to the hour: a write per request would cost more than it tells.
const USE_GRAIN: Duration = Duration::from_hours(1);

/// Who the headers say is calling. No `Authorization` at all is [`Caller::Anonymous`]; one that is not
/// good is an error, also where nobody needs to log in. That a token was used is noted later, by [`TokenUses`](super::TokenUses).
pub async fn login(app: &App, headers: &HeaderMap) -> Result<Caller, ApiError> {
    let Some(value) = headers.get(AUTHORIZATION) else { return Ok(Caller::Anonymous) };
    let token = value
        .to_str()
        .ok()
        .and_then(|text| text.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .and_then(|(_, token)| token.trim().parse::<TokenText>().ok())
        .ok_or(ApiError::TokenUnreadable)?;
    let now = app.clock().now();
    let mut conn = app.db().read().await?;
    let (identity, last_used) = authenticate(&mut conn, &token, now).await?;
    drop(conn);
    if let Credential::Token(id) = &identity.by
        && last_used.is_none_or(|used| now.duration_since(used).unsigned_abs() >= USE_GRAIN)
    {
        app.token_uses().note(id, now);
    }
    Ok(Caller::User(Box::new(identity)))
}

/// The user whose token this is, and when it was last used.
pub async fn authenticate(
    conn: &mut Conn,
    token: &TokenText,
    now: Timestamp,
) -> Result<(Identity, Option<Timestamp>), ApiError> {
    let digest = token.digest();
    let row = tokens::by_digest(conn, digest).await?.ok_or(ApiError::TokenRejected)?;
    let same: bool = row.sha256.as_bytes().ct_eq(digest.as_bytes()).into();
    if !same {
        return Err(ApiError::TokenRejected);
    }
    is_good(&row, now)?;
    let last_used = row.last_used_at;
    Ok((bearer(conn, row).await?, last_used))
}

/// Whom a token that was issued stands for now, refused if it was revoked or is over.
pub(super) async fn issued(conn: &mut Conn, id: &str, now: Timestamp) -> Result<Identity, ApiError> {
    let found = tokens::by_id_or_prefix(conn, id).await?;
    let row = found.into_iter().find(|row| row.id == id).ok_or(ApiError::TokenRejected)?;
    is_good(&row, now)?;
    bearer(conn, row).await
}

fn is_good(row: &TokenRow, now: Timestamp) -> Result<(), ApiError> {
    if row.revoked_at.is_some() {
        return Err(ApiError::TokenRejected);
    }
    if row.expires_at.is_some_and(|at| at <= now) {
        return Err(ApiError::TokenExpired);
    }
    Ok(())
}

async fn bearer(conn: &mut Conn, row: TokenRow) -> Result<Identity, ApiError> {
    let user = users::by_id(conn, &row.user_id).await?.ok_or(ApiError::TokenRejected)?;
    if user.disabled_at.is_some() {
        return Err(ApiError::AccountDisabled);
    }
    let publishers = publishers::of_user(conn, &user.id).await?;
    Ok(Identity {
        user,
        by: Credential::Token(row.id),
        scopes: row.scopes,
        expires_at: row.expires_at,
        publishers,
        only_publisher: row.publisher,
        only_skill: row.skill,
    })
}
