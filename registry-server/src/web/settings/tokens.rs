use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use jiff::Timestamp;
use serde::Serialize;

use super::{Refusal, frame_of};
use crate::accounts::{self, WantedToken, token_end};
use crate::app::App;
use crate::auth::{Act, Identity, Permit, Scope, Scopes, TokenText};
use crate::http::cursor::Cursor;
use crate::http::extract::Query;
use crate::problem::ApiError;
use crate::store::publishers::Membership;
use crate::store::tokens::{self, TokenRow};
use crate::web::account::in_words;
use crate::web::address::Address;
use crate::web::back::Back;
use crate::web::form::{Form, unreadable};
use crate::web::page::page;
use crate::web::words::Time;

const PER_PAGE: usize = 50;
/// What else than the usual is offered.
const LIVES: [(&str, &str); 4] =
    [("7d", "7 days"), ("30d", "30 days"), ("365d", "a year"), ("never", "until it is revoked")];

#[derive(Debug, Serialize)]
struct View {
    name: String,
    form: String,
    tokens: Vec<Line>,
    more: Option<Address>,
    /// `None`: this session may make none.
    make: Option<Make>,
    /// Where its user shows first who they are, if that is what it lacks.
    again: String,
    refused: String,
}

#[derive(Debug, Serialize)]
struct Line {
    id: String,
    prefix: String,
    label: String,
    scopes: String,
    only: String,
    made: Time,
    used: Option<Time>,
    ends: Option<Time>,
    is_over: bool,
}

/// The form that makes one: what may be chosen, and what was.
#[derive(Debug, Serialize)]
struct Make {
    label: String,
    skill: String,
    scopes: Vec<Choice>,
    publishers: Vec<Choice>,
    /// When it ends of which nothing is said.
    usual: Option<Time>,
    lives: Vec<Choice>,
}

#[derive(Debug, Serialize)]
struct Choice {
    value: String,
    word: &'static str,
    chosen: bool,
}

#[derive(Debug, Serialize)]
struct Made {
    token: String,
    line: Line,
}

/// `/settings/tokens`: the own tokens that are not revoked, newest first, and a form that makes one.
pub(in crate::web) async fn tokens(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Response, ApiError> {
    list(&app, &permit, query.cursor()?, None).await
}

/// Makes a token. Its text is on the page that answers, and nowhere else.
pub(in crate::web) async fn make_token(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let (text, row) = match made(&app, &permit, &form).await {
        Ok(made) => made,
        Err(error) => return list(&app, &permit, None, Some((form, Refusal::of(error)?))).await,
    };
    let line = Line::of(row, app.clock().now());
    let view = Made { token: text.reveal().to_owned(), line };
    let frame = frame_of("tokens", "A new token");
    page(&app, StatusCode::CREATED, "settings-token-made.html", &frame, &view)
}

async fn made(app: &App, permit: &Permit, form: &Form) -> Result<(TokenText, TokenRow), ApiError> {
    let scopes = form.all("scope").collect::<Vec<_>>().join(",");
    if scopes.is_empty() {
        return Err(unreadable("a token does one thing at least: tick it"));
    }
    let wanted = WantedToken {
        label: form.text("label").trim().to_owned(),
        scopes: scopes.parse().map_err(unreadable)?,
        publisher: form.read("publisher")?,
        skill: form.read("skill")?,
        life: form.read("life")?,
    };
    let made = accounts::make_token(app, permit, wanted).await.map_err(ApiError::from);
    app.disk().noted(made)
}

/// Refuses one of the tokens on that page, and every token that was made with it.
pub(in crate::web) async fn revoke_token(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let done = accounts::revoke_own_token(&app, &permit, form.text("token")).await.map_err(ApiError::from);
    app.disk().noted(done)?;
    Ok(Redirect::to(Address::tokens().as_str()).into_response())
}

/// The page, with what was typed if that was refused.
async fn list(
    app: &App,
    permit: &Permit,
    after: Option<Cursor>,
    refused: Option<(Form, Refusal)>,
) -> Result<Response, ApiError> {
    let identity = permit.person(&[Act::ListTokens, Act::MakeToken])?;
    let session = identity.session().ok_or(ApiError::SessionNeeded)?;
    let after = after.map(|Cursor { at, id }| (at, id));
    let mut conn = app.db().read().await?;
    let mut rows = tokens::of_user(&mut conn, &identity.user.id, after, PER_PAGE + 1).await?;
    drop(conn);
    let is_more = rows.len() > PER_PAGE;
    rows.truncate(PER_PAGE);
    let cursor = |row: &TokenRow| Cursor { at: row.created_at, id: row.id.clone() }.to_string();
    let more = rows.last().filter(|_| is_more).map(|last| Address::tokens().with("cursor", &cursor(last)));
    let (form, refusal) = refused.unzip();
    let may_make = permit.also(Act::MakeToken);
    let now = app.clock().now();
    let view = View {
        name: identity.user.name.to_string(),
        form: app.web_key().form_field(session),
        tokens: rows.into_iter().map(|row| Line::of(row, now)).collect(),
        more,
        again: match &may_make {
            Err(ApiError::ConfirmationNeeded) => Back::read(Address::tokens().as_str()).again(),
            _ => String::new(),
        },
        make: may_make.is_ok().then(|| Make::of(app, identity, form.as_ref())),
        refused: refusal.as_ref().map(|refusal| refusal.text.clone()).unwrap_or_default(),
    };
    let status = refusal.map_or(StatusCode::OK, |refusal| refusal.status);
    page(app, status, "settings-tokens.html", &frame_of("tokens", "Tokens"), &view)
}

impl Line {
    fn of(row: TokenRow, now: Timestamp) -> Self {
        let skill = row.skill.map(|skill| skill.to_string());
        Self {
            id: row.id,
            prefix: row.prefix,
            label: row.label,
            scopes: row.scopes.to_string().replace(',', ", "),
            only: skill.or_else(|| row.publisher.map(|owner| owner.to_string())).unwrap_or_default(),
            made: Time::of(row.created_at),
            used: row.last_used_at.map(Time::of),
            is_over: row.expires_at.is_some_and(|end| end <= now),
            ends: row.expires_at.map(Time::of),
        }
    }
}

impl Make {
    /// What this session may give, and of it what a form that was refused had chosen.
    fn of(app: &App, identity: &Identity, typed: Option<&Form>) -> Self {
        let text = |name| typed.map(|form| form.text(name)).unwrap_or_default();
        let may = Scopes::of_role(identity.user.role);
        let scope = |scope: Scope| Choice {
            chosen: match typed {
                Some(form) => form.all("scope").any(|word| word == scope.as_str()),
                None => Scopes::default().has(scope),
            },
            value: scope.to_string(),
            word: in_words(scope),
        };
        let publisher = |membership: &Membership| Choice {
            chosen: text("publisher") == membership.publisher.as_str(),
            value: membership.publisher.to_string(),
            word: "",
        };
        let fits = |life: &str| life.parse().is_ok_and(|life| token_end(app, identity, Some(life)).is_ok());
        let life = |(value, word): (&str, _)| Choice {
            value: value.to_owned(),
            word,
            chosen: text("life") == value,
        };
        Self {
            label: text("label").to_owned(),
            skill: text("skill").to_owned(),
            scopes: may.iter().filter(|one| identity.needs(*one).is_ok()).map(scope).collect(),
            publishers: identity.publishers.iter().map(publisher).collect(),
            usual: token_end(app, identity, None).ok().flatten().map(Time::of),
            lives: LIVES.into_iter().filter(|(life, _)| fits(life)).map(life).collect(),
        }
    }
}
