use std::net::IpAddr;

use serde_json::json;
use skill_core::name::Owner;

use super::SignInError;
use super::guesser::Guesser;
use super::session::{self, Begin, Browser};
use crate::app::App;
use crate::auth::{Act, Cookie, KeptPassword, Password, Passwords, Permit, Scopes, Secret};
use crate::entropy::Entropy;
use crate::problem::ApiError;
use crate::store::audit::{Actor, NewAudit};
use crate::store::sessions::Way;
use crate::store::users::{self, User};
use crate::store::{Db, QuietTx, links, passwords, sessions};

/// What passwords are counted as that somebody guesses.
const SECRET: &str = "password";

/// Signs a browser in by name and password. What comes back belongs into the cookie.
///
/// A name that nobody has, one without a password and a wrong password are told alike, and cost alike.
pub async fn by_password(
    app: &App,
    name: &str,
    password: &str,
    browser: Browser,
) -> Result<(Cookie, Secret), SignInError> {
    let cookie = app.cookie().ok_or(SignInError::Insecure)?;
    is_on(app)?;
    let name = name.trim().to_ascii_lowercase();
    let guesser = Guesser::at(app, SECRET, &name, browser.at);
    let mut tx = app.db().quiet().await?;
    guesser.count(&mut tx).await?;
    let user = match name.parse() {
        Ok(name) => users::find(tx.conn(), &name).await?,
        Err(_) => None,
    };
    let kept = match &user {
        Some(user) => passwords::of_user(tx.conn(), &user.id).await?,
        None => None,
    };
    tx.commit().await?;

    let password = Password::shown(password);
    let is_right = app.passwords().matches(password.clone(), kept.as_ref()).await?;
    let (true, Some(user), Some(kept)) = (is_right, user, kept) else { return Err(SignInError::Wrong) };
    let renewed =
        if kept.is_current() { None } else { Some(app.passwords().keep(password, app.entropy()).await?) };
    let mut tx = app.db().quiet().await?;
    is_still(&mut tx, &user, Some(&kept)).await?;
    if let Some(renewed) = renewed {
        let now = tx.now();
        passwords::set(tx.conn(), &user.id, &renewed, now).await?;
    }
    guesser.right(&mut tx).await?;
    let scopes = Scopes::of_role(user.role);
    let begin = Begin { user, scopes, way: Way::Password, made_from: None, made_until: None };
    let secret = session::begin(app, &mut tx, begin, browser).await?;
    tx.commit().await?;
    Ok((cookie, secret))
}

/// Whoever is signed in shows by their password again who they are.
pub async fn confirm(
    app: &App,
    permit: &Permit,
    password: &str,
    address: Option<IpAddr>,
) -> Result<(), SignInError> {
    let identity = permit.person(&[Act::Confirm])?;
    is_on(app)?;
    let session = identity.session().ok_or(ApiError::SessionNeeded)?;
    let guesser = Guesser::at(app, SECRET, identity.user.name.as_str(), address);
    let kept = is_shown(app, permit, &guesser, password).await?;
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    is_still(&mut tx, &identity.user, Some(&kept)).await?;
    guesser.right(&mut tx).await?;
    let now = tx.now();
    sessions::confirm(tx.conn(), session, now).await?;
    tx.audit(permit.audit("session.confirm", identity.user.name.to_string()));
    tx.commit().await?;
    Ok(())
}

/// A password about to be chosen.
#[derive(Debug, Clone, Copy)]
pub struct NewPassword<'a> {
    /// The one that there is; whoever has none shows nothing.
    pub before: &'a str,
    /// The one that there shall be.
    pub after: &'a str,
    /// Where the browser is.
    pub at: Option<IpAddr>,
}

/// Whoever is signed in chooses a password. Their other sessions end, and links that wait; tokens stay.
///
/// Whoever has none chooses one in a session of the operator's link alone: one of a token ends with the token, and a
/// password would reach further.
pub async fn choose_password(app: &App, permit: &Permit, new: NewPassword<'_>) -> Result<(), SignInError> {
    let identity = permit.person(&[Act::ChoosePassword])?;
    is_on(app)?;
    let session = identity.session().ok_or(ApiError::SessionNeeded)?;
    let user = &identity.user;
    let after = Password::chosen(new.after, &user.name)?;
    let guesser = Guesser::at(app, SECRET, user.name.as_str(), new.at);
    let before = match may_choose(app, permit, session).await? {
        Chooser::Has => Some(is_shown(app, permit, &guesser, new.before).await?),
        Chooser::First => None,
    };
    let kept = app.passwords().keep(after, app.entropy()).await?;
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    is_still(&mut tx, user, before.as_ref()).await?;
    if before.is_some() {
        guesser.right(&mut tx).await?;
    }
    let now = tx.now();
    passwords::set(tx.conn(), &user.id, &kept, now).await?;
    sessions::confirm(tx.conn(), session, now).await?;
    let ended = sessions::end_others(tx.conn(), &user.id, session).await?;
    links::drop_all(tx.conn(), &user.id).await?;
    tx.audit(permit.audit("password.choose", user.name.to_string()).with(json!({ "ended": ended })));
    tx.commit().await?;
    Ok(())
}

/// Who may choose a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chooser {
    /// Whoever has one, and shows it.
    Has,
    /// Whoever has none yet.
    First,
}

/// Whether whoever is signed in may choose a password, and how.
pub async fn may_choose(app: &App, permit: &Permit, session: &str) -> Result<Chooser, SignInError> {
    let user = permit.user(&[Act::ChoosePassword])?;
    let mut conn = app.db().read().await?;
    if passwords::of_user(&mut conn, &user.id).await?.is_some() {
        return Ok(Chooser::Has);
    }
    let row = sessions::find(&mut conn, session).await?.ok_or(ApiError::SessionNeeded)?;
    if row.made_from.is_some() {
        return Err(SignInError::Bounded);
    }
    if !row.is_confirmed(app.clock().now()) {
        return Err(ApiError::ConfirmationNeeded.into());
    }
    Ok(Chooser::First)
}

/// Gives somebody a password, as the operator. All their sessions end, and links that wait; tokens stay. How many
/// sessions those were.
pub async fn set_password_as_operator(
    db: &Db,
    entropy: &Entropy,
    name: &Owner,
    password: &str,
    actor: &str,
) -> Result<u64, SignInError> {
    let password = Password::chosen(password, name)?;
    let kept = Passwords::default().keep(password, entropy).await?;
    let mut tx = db.quiet().await?;
    let user = users::find(tx.conn(), name).await?;
    let user = user.ok_or_else(|| SignInError::UserUnknown { user: name.clone() })?;
    users::lock(tx.conn(), &user.id).await?;
    let now = tx.now();
    passwords::set(tx.conn(), &user.id, &kept, now).await?;
    let ended = sessions::end_all(tx.conn(), &user.id).await?;
    links::drop_all(tx.conn(), &user.id).await?;
    let change = NewAudit::new(Actor::unshown(actor), "password.set", name.to_string());
    tx.audit(change.with(json!({ "ended": ended })));
    tx.commit().await?;
    Ok(ended)
}

fn is_on(app: &App) -> Result<(), SignInError> {
    if app.config().sign_in.password { Ok(()) } else { Err(SignInError::PasswordOff) }
}

/// What is kept of the password of whoever is signed in, if they show it. The guess is counted.
async fn is_shown(
    app: &App,
    permit: &Permit,
    guesser: &Guesser,
    password: &str,
) -> Result<KeptPassword, SignInError> {
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    guesser.count(&mut tx).await?;
    let kept = passwords::of_user(tx.conn(), &permit.identity().user.id).await?;
    tx.commit().await?;
    let is_right = app.passwords().matches(Password::shown(password), kept.as_ref()).await?;
    kept.filter(|_| is_right).ok_or(SignInError::Wrong)
}

/// Refuses where the password became another one while this one was computed. Whoever changes it waits until the
/// transaction ends.
async fn is_still(tx: &mut QuietTx, user: &User, kept: Option<&KeptPassword>) -> Result<(), SignInError> {
    users::lock(tx.conn(), &user.id).await?;
    let now = passwords::of_user(tx.conn(), &user.id).await?;
    if now.as_ref() == kept { Ok(()) } else { Err(SignInError::Wrong) }
}
