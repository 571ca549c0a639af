use std::net::IpAddr;

use jiff::Timestamp;
use serde_json::json;

use super::SignInError;
use crate::app::App;
use crate::auth::{Act, Cookie, Credential, Opens, Permit, Scopes, Secret};
use crate::problem::ApiError;
use crate::store::audit::{Actor, NewAudit};
use crate::store::links::LinkRow;
use crate::store::sessions::{self, SessionRow, Way};
use crate::store::tokens::{self, TokenRow};
use crate::store::users::User;
use crate::store::{QuietTx, StoreError, links, users};

/// The most bytes that are kept of what a browser calls itself.
const AGENT_BYTES: usize = 200;
/// Sessions of one user; one more ends the one that was used longest ago.
const SESSIONS: u64 = 50;

/// The browser that is signed in.
#[derive(Debug, Clone, Default)]
pub struct Browser {
    /// What it calls itself.
    pub agent: String,
    /// Where it is, if that is known.
    pub at: Option<IpAddr>,
    /// What it showed until now: that session ends.
    pub before: Option<Secret>,
}

/// A session about to begin.
pub(super) struct Begin {
    pub(super) user: User,
    pub(super) scopes: Scopes,
    pub(super) way: Way,
    /// What made the link.
    pub(super) made_from: Option<Credential>,
    /// Until when that is good.
    pub(super) made_until: Option<Timestamp>,
}

/// Signs a browser in with a link, which is used up. What comes back belongs into the cookie.
pub async fn by_link(app: &App, link: &Secret, browser: Browser) -> Result<(Cookie, Secret), SignInError> {
    let cookie = app.cookie().ok_or(SignInError::Insecure)?;
    let mut tx = app.db().quiet().await?;
    let now = tx.now();
    let link = links::take(tx.conn(), link.digest(), now).await?.ok_or(SignInError::LinkUnknown)?;
    let maker = maker(&mut tx, &link).await?;
    let user = users::by_id(tx.conn(), &link.user_id).await?.ok_or(SignInError::LinkUnknown)?;
    let begin = Begin {
        user,
        scopes: link.scopes,
        way: Way::Link,
        made_from: link.made_by,
        made_until: maker.and_then(|token| token.expires_at),
    };
    let secret = self::begin(app, &mut tx, begin, browser).await?;
    tx.commit().await?;
    Ok((cookie, secret))
}

/// Begins a session, and ends the one that the browser had. What comes back belongs into the cookie.
pub(super) async fn begin(
    app: &App,
    tx: &mut QuietTx,
    new: Begin,
    browser: Browser,
) -> Result<Secret, SignInError> {
    let (user, now) = (new.user, tx.now());
    if user.disabled_at.is_some() {
        return Err(SignInError::UserDisabled { user: user.name });
    }
    if let Some(before) = &browser.before {
        sessions::end(tx.conn(), &user.id, &before.digest().to_hex()).await?;
    }
    sessions::tidy(tx.conn(), &user.id, now, SESSIONS - 1).await?;
    let secret = Secret::make(Opens::Session, app.entropy()).map_err(StoreError::from)?;
    let latest = now.checked_add(app.config().sign_in.session).map_err(ApiError::internal)?;
    let session = SessionRow {
        sha256: secret.digest(),
        user_id: user.id,
        scopes: new.scopes,
        made_by: new.way,
        agent: beginning(browser.agent),
        address: browser.at.map(|at| at.to_string()).unwrap_or_default(),
        created_at: now,
        seen_at: now,
        expires_at: new.made_until.map_or(latest, |until| until.min(latest)),
        confirmed_at: now,
        made_from: new.made_from,
        made_until: new.made_until,
    };
    sessions::insert(tx.conn(), &session).await?;
    let by = Credential::Session(session.sha256.to_hex());
    let actor = Actor { name: user.name.to_string(), credential: Some(by) };
    let change = NewAudit::new(actor, "session.begin", user.name.to_string());
    tx.audit(change.with(json!({ "by": session.made_by.as_str(), "scopes": session.scopes.to_string() })));
    Ok(secret)
}

/// The token that made a link, which must still be good; the operator's need none.
async fn maker(tx: &mut QuietTx, link: &LinkRow) -> Result<Option<TokenRow>, SignInError> {
    let Some(by) = &link.made_by else { return Ok(None) };
    // Whoever revokes it waits until this ends, and then finds the session.
    let (true, Credential::Token(id)) = (tokens::hold(tx.conn(), by).await?, by) else {
        return Err(SignInError::LinkUnknown);
    };
    let found = tokens::by_id_or_prefix(tx.conn(), id).await?;
    let now = tx.now();
    let token = found.into_iter().find(|token| token.id == *id);
    let token = token.filter(|token| token.expires_at.is_none_or(|at| at > now));
    token.map(Some).ok_or(SignInError::LinkUnknown)
}

/// Ends a session of whoever asks; `false` if it had ended.
pub async fn end_session(app: &App, permit: &Permit, sha256: &str) -> Result<bool, SignInError> {
    let user = &permit.person(&[Act::SignOut])?.user;
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    let ended = sessions::end(tx.conn(), &user.id, sha256).await?;
    if ended {
        tx.audit(permit.audit("session.end", user.name.to_string()).with(json!({ "session": sha256 })));
    }
    tx.commit().await?;
    Ok(ended)
}

/// Ends all sessions of whoever asks, also the one that asks; how many there were. Tokens stay.
pub async fn end_sessions(app: &App, permit: &Permit) -> Result<u64, SignInError> {
    let user = &permit.person(&[Act::SignOut])?.user;
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    let ended = sessions::end_all(tx.conn(), &user.id).await?;
    tx.audit(permit.audit("session.end-all", user.name.to_string()).with(json!({ "ended": ended })));
    tx.commit().await?;
    Ok(ended)
}

/// As much of a text as is kept, cut between two characters.
fn beginning(mut text: String) -> String {
    let end = (0..=AGENT_BYTES.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.truncate(end.unwrap_or_default());
    text
}
