use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use serde::Serialize;
use skill_core::name::Owner;

use super::{Refusal, frame_of};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::http::extract::Query;
use crate::problem::ApiError;
use crate::store::webhooks::{Attempt, Delivery, Webhook};
use crate::web::address::Address;
use crate::web::form::{Form, unreadable};
use crate::web::page::page;
use crate::web::words::Time;
use crate::webhooks::{self, Kind, Made, NewWebhook};

/// Characters of an address that are shown: its path or query may be a secret of who receives.
const SHOWN: usize = 80;

#[derive(Debug, Serialize)]
struct View {
    form: String,
    handle: String,
    here: Address,
    members: Address,
    hooks: Vec<Hook>,
    kinds: Vec<Choice>,
    url: String,
    /// What came of a ping.
    answered: String,
    refused: String,
}

#[derive(Debug, Serialize)]
struct Hook {
    id: String,
    url: String,
    kinds: String,
    made: Time,
    /// Why nothing more is sent, and since when.
    disabled: Option<(Time, String)>,
    deliveries: Address,
}

#[derive(Debug, Serialize)]
struct Choice {
    word: &'static str,
    meaning: &'static str,
    chosen: bool,
}

#[derive(Debug, Serialize)]
struct MadeView {
    secret: String,
    url: String,
    here: Address,
}

#[derive(Debug, Serialize)]
struct Deliveries {
    handle: String,
    here: Address,
    url: String,
    rows: Vec<Sent>,
}

#[derive(Debug, Serialize)]
struct Sent {
    id: String,
    kind: String,
    at: Time,
    attempts: u64,
    outcome: String,
}

/// `/settings/publishers/{owner}/webhooks`: which there are, and a form that makes one.
pub(in crate::web) async fn hooks(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
) -> Result<Response, ApiError> {
    shown(&app, &permit, String::new(), None).await
}

/// Makes a webhook. Its secret is on the page that answers, and nowhere else.
pub(in crate::web) async fn make_hook(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let Made { webhook, secret } = match made(&app, &permit, &form).await {
        Ok(made) => made,
        Err(error) => return shown(&app, &permit, String::new(), Some((form, Refusal::of(error)?))).await,
    };
    let view = MadeView { secret, url: short(&webhook.url), here: Address::webhooks(of(&permit)?) };
    let frame = frame_of("publishers", "A new webhook");
    page(&app, StatusCode::CREATED, "settings-webhook-made.html", &frame, &view)
}

async fn made(app: &App, permit: &Permit, form: &Form) -> Result<Made, ApiError> {
    let kinds = form.all("kind").map(str::parse::<Kind>).collect::<Result<_, _>>().map_err(unreadable)?;
    let new = NewWebhook { url: form.text("url").trim().to_owned(), kinds };
    app.disk().noted(webhooks::make(app, permit, &new).await.map_err(ApiError::from))
}

/// Removes one, with what was to be sent.
pub(in crate::web) async fn remove_hook(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let done = webhooks::remove(&app, &permit, form.text("webhook")).await.map_err(ApiError::from);
    app.disk().noted(done)?;
    Ok(Redirect::to(Address::webhooks(of(&permit)?).as_str()).into_response())
}

/// Sends something to one now, and says what came of it.
pub(in crate::web) async fn ping_hook(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    form: Form,
) -> Result<Response, ApiError> {
    let Attempt { status, error, .. } = webhooks::ping(&app, &permit, form.text("webhook")).await?;
    let answered = match (status, error) {
        (_, Some(error)) => format!("Nothing took it: {error}."),
        (Some(status), None) => format!("It was answered with {status}."),
        (None, None) => "It was sent.".to_owned(),
    };
    shown(&app, &permit, answered, None).await
}

/// The last deliveries of one.
pub(in crate::web) async fn deliveries(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Response, ApiError> {
    let owner = of(&permit)?;
    let id = query.text("webhook").unwrap_or_default();
    let rows = webhooks::deliveries(&app, &permit, id).await?;
    let hooks = webhooks::list(&app, &permit).await?;
    let url = hooks.iter().find(|hook| hook.id == id).map(|hook| short(&hook.url)).unwrap_or_default();
    let view = Deliveries {
        handle: owner.to_string(),
        here: Address::webhooks(owner),
        url,
        rows: rows.into_iter().map(Sent::of).collect(),
    };
    page(&app, StatusCode::OK, "settings-deliveries.html", &frame_of("publishers", "Deliveries"), &view)
}

fn of(permit: &Permit) -> Result<&Owner, ApiError> {
    permit.publisher(&[Act::Webhooks])
}

async fn shown(
    app: &App,
    permit: &Permit,
    answered: String,
    refused: Option<(Form, Refusal)>,
) -> Result<Response, ApiError> {
    let owner = of(permit)?;
    let session = permit.identity().session().ok_or(ApiError::SessionNeeded)?;
    let hooks = webhooks::list(app, permit).await?;
    let (form, refusal) = refused.unzip();
    let choice = |kind: Kind| Choice {
        word: kind.as_str(),
        meaning: meaning(kind),
        chosen: form.as_ref().is_none_or(|form| form.all("kind").any(|word| word == kind.as_str())),
    };
    let view = View {
        form: app.web_key().form_field(session),
        handle: owner.to_string(),
        here: Address::webhooks(owner),
        members: Address::publisher_settings(owner),
        hooks: hooks.into_iter().map(|hook| Hook::of(owner, hook)).collect(),
        kinds: Kind::ALL.map(choice).into(),
        url: form.as_ref().map(|form| form.text("url").to_owned()).unwrap_or_default(),
        answered,
        refused: refusal.as_ref().map(|refusal| refusal.text.clone()).unwrap_or_default(),
    };
    let status = refusal.map_or(StatusCode::OK, |refusal| refusal.status);
    let frame = frame_of("publishers", &format!("Webhooks of {owner}"));
    page(app, status, "settings-webhooks.html", &frame, &view)
}

const fn meaning(kind: Kind) -> &'static str {
    match kind {
        Kind::Publish => "a release came",
        Kind::Verdict => "a release came that is not clean",
        Kind::State => "a release was closed or opened again",
    }
}

fn short(url: &str) -> String {
    match url.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &url[..end]),
        None => url.to_owned(),
    }
}

impl Hook {
    fn of(owner: &Owner, hook: Webhook) -> Self {
        Self {
            url: short(&hook.url),
            kinds: hook.kinds.replace(',', ", "),
            made: Time::of(hook.created_at),
            disabled: hook.disabled.map(|(at, why)| (Time::of(at), why)),
            deliveries: Address::deliveries(owner).with("webhook", &hook.id),
            id: hook.id,
        }
    }
}

impl Sent {
    fn of(delivery: Delivery) -> Self {
        let outcome = match (delivery.delivered_at, delivery.dead_at, delivery.error, delivery.status) {
            (Some(_), _, _, Some(status)) => format!("taken, answered with {status}"),
            (Some(_), ..) => "taken".to_owned(),
            (None, Some(_), Some(error), _) => format!("given up: {error}"),
            (None, Some(_), None, status) => {
                format!("given up, answered with {}", status.unwrap_or_default())
            }
            (None, None, Some(error), _) => format!("is tried again: {error}"),
            (None, None, None, Some(status)) => format!("is tried again, answered with {status}"),
            (None, None, None, None) => "waits to be sent".to_owned(),
        };
        Self {
            id: delivery.id,
            kind: delivery.kind,
            at: Time::of(delivery.created_at),
            attempts: delivery.attempts,
            outcome,
        }
    }
}
