use std::time::Duration;

use http::HeaderMap;
use http::header::AUTHORIZATION;
use jiff::Timestamp;
use subtle::ConstantTimeEq as _;

use super::{Caller, Credential, Identity, TokenText};
use crate::app::App;
use crate::problem::ApiError;
use crate::store::tokens::TokenRow;
use crate::store::users::User;
use crate::store::{Conn, publishers, sessions, tokens, users};

/// The last use of a token or session is kept to the hour: a write per request would cost more than it tells.
const USE_GRAIN: Duration = Duration::from_hours(1);

/// Who the headers say is calling. No `Authorization` at all is [`Caller::Anonymous`]; one that is not
/// good is an error, also where nobody needs to log in. That a token was used is noted later, by [`Uses`](super::Uses).
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
    if last_used.is_none_or(|used| now.duration_since(used).unsigned_abs() >= USE_GRAIN) {
        app.uses().note(&identity.by, now);
    }
    Ok(Caller::User(Box::new(identity)))
}

/// Who the cookie of a browser says is calling. One that is good for nothing any more is none.
pub(crate) async fn signed_in(app: &App, headers: &HeaderMap) -> Result<Caller, ApiError> {
    let Some(secret) = app.cookie().and_then(|cookie| cookie.shown(headers)) else {
        return Ok(Caller::Anonymous);
    };
    let now = app.clock().now();
    let mut conn = app.db().read().await?;
    let (identity, seen_at) = match session(&mut conn, &secret.digest().to_hex(), now).await {
        Err(ApiError::SessionNeeded | ApiError::AccountDisabled) => return Ok(Caller::Anonymous),
        found => found?,
    };
    drop(conn);
    if now.duration_since(seen_at).unsigned_abs() >= USE_GRAIN {
        app.uses().note(&identity.by, now);
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

/// Whom a credential that was issued stands for now, refused if it was taken back or is over.
pub(super) async fn issued(conn: &mut Conn, by: &Credential, now: Timestamp) -> Result<Identity, ApiError> {
    match by {
        Credential::Token(id) => {
            let found = tokens::by_id_or_prefix(conn, id).await?;
            let row = found.into_iter().find(|row| row.id == *id).ok_or(ApiError::TokenRejected)?;
            is_good(&row, now)?;
            bearer(conn, row).await
        }
        Credential::Session(sha256) => Ok(session(conn, sha256, now).await?.0),
    }
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
    let user = open_account(conn, &row.user_id).await?.ok_or(ApiError::TokenRejected)?;
    let publishers = publishers::of_user(conn, &user.id).await?;
    Ok(Identity {
        user,
        by: Credential::Token(row.id),
        scopes: row.scopes,
        expires_at: row.expires_at,
        is_sure: true,
        publishers,
        only_publisher: row.publisher,
        only_skill: row.skill,
    })
}

/// Whose session this is, and when it was last used.
async fn session(conn: &mut Conn, sha256: &str, now: Timestamp) -> Result<(Identity, Timestamp), ApiError> {
    let row = sessions::find(conn, sha256).await?.ok_or(ApiError::SessionNeeded)?;
    if row.is_over(now) {
        return Err(ApiError::SessionNeeded);
    }
    let user = open_account(conn, &row.user_id).await?.ok_or(ApiError::SessionNeeded)?;
    let publishers = publishers::of_user(conn, &user.id).await?;
    let is_sure = row.is_confirmed(now);
    let identity = Identity {
        user,
        by: Credential::Session(row.sha256.to_hex()),
        scopes: row.scopes,
        expires_at: row.made_until,
        is_sure,
        publishers,
        only_publisher: None,
        only_skill: None,
    };
    Ok((identity, row.seen_at))
}

async fn open_account(conn: &mut Conn, id: &str) -> Result<Option<User>, ApiError> {
    let user = users::by_id(conn, id).await?;
    if user.as_ref().is_some_and(|user| user.disabled_at.is_some()) {
        return Err(ApiError::AccountDisabled);
    }
    Ok(user)
}
