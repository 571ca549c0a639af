use axum::extract::State;
use axum::{Extension, Json};
use http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::name::NameError;

use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::{IdPath, JsonBody};
use crate::problem::ApiError;
use crate::store::webhooks::{Attempt, Delivery, Webhook};
use crate::webhooks::{self, NewWebhook};

/// A webhook about to be made.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WebhookRequest {
    url: String,
    kinds: Vec<String>,
}

/// A webhook in a list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhookLine {
    id: String,
    url: String,
    kinds: Vec<String>,
    created_at: Timestamp,
    disabled_at: Option<Timestamp>,
    disabled_reason: Option<String>,
}

/// The webhooks of a publisher.
#[derive(Debug, Serialize)]
pub(crate) struct WebhookList {
    webhooks: Vec<WebhookLine>,
}

/// A webhook that was made.
#[derive(Debug, Serialize)]
pub(crate) struct WebhookMade {
    /// In this answer and nowhere else.
    secret: String,
    #[serde(flatten)]
    webhook: WebhookLine,
}

/// A delivery in a list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeliveryLine {
    id: String,
    event: u64,
    kind: String,
    attempts: u64,
    status: Option<u64>,
    error: Option<String>,
    created_at: Timestamp,
    delivered_at: Option<Timestamp>,
    dead_at: Option<Timestamp>,
}

/// What was sent to a webhook.
#[derive(Debug, Serialize)]
pub(crate) struct DeliveryList {
    deliveries: Vec<DeliveryLine>,
}

/// What came of a ping.
#[derive(Debug, Serialize)]
pub(crate) struct Pinged {
    status: Option<u16>,
    error: Option<String>,
}

impl From<Webhook> for WebhookLine {
    fn from(hook: Webhook) -> Self {
        let (disabled_at, disabled_reason) = hook.disabled.unzip();
        Self {
            id: hook.id,
            url: hook.url,
            kinds: hook.kinds.split(',').map(str::to_owned).collect(),
            created_at: hook.created_at,
            disabled_at,
            disabled_reason,
        }
    }
}

impl From<Delivery> for DeliveryLine {
    fn from(delivery: Delivery) -> Self {
        let Delivery { id, event, kind, attempts, status, error, created_at, delivered_at, dead_at } =
            delivery;
        Self { id, event, kind, attempts, status, error, created_at, delivered_at, dead_at }
    }
}

/// Lists the webhooks of a publisher, oldest first.
#[utoipa::path(
    get,
    path = "/api/registry/v1/publishers/{owner}/webhooks",
    tag = "registry",
    security(("token" = [])),
    params(("owner" = String, Path, description = "Whose")),
    responses(
        (status = 200, content_type = "application/json", description = "`webhooks`"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn list(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
) -> Result<Json<WebhookList>, ApiError> {
    let webhooks = webhooks::list(&app, &permit).await?.into_iter().map(WebhookLine::from).collect();
    Ok(Json(WebhookList { webhooks }))
}

/// Makes a webhook. Its secret is in this answer and nowhere else.
#[utoipa::path(
    post,
    path = "/api/registry/v1/publishers/{owner}/webhooks",
    tag = "registry",
    security(("token" = [])),
    params(("owner" = String, Path, description = "Whose")),
    request_body(content_type = "application/json", description = "`{\"url\":URL,\"kinds\":[KIND]}`, without kinds all"),
    responses(
        (status = 201, content_type = "application/json", description = "It was made"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn make(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    JsonBody(WebhookRequest { url, kinds }): JsonBody<WebhookRequest>,
) -> Result<(StatusCode, Json<WebhookMade>), ApiError> {
    let unreadable = |error: NameError| ApiError::Other {
        status: StatusCode::UNPROCESSABLE_ENTITY,
        code: "webhook-kind-unreadable",
        title: error.to_string(),
    };
    let kinds = kinds.iter().map(|kind| kind.parse()).collect::<Result<_, _>>().map_err(unreadable)?;
    app.disk().room()?;
    let made = webhooks::make(&app, &permit, &NewWebhook { url, kinds }).await.map_err(ApiError::from);
    let made = app.disk().noted(made)?;
    Ok((StatusCode::CREATED, Json(WebhookMade { secret: made.secret, webhook: made.webhook.into() })))
}

/// Removes a webhook, and what was to be sent to it.
#[utoipa::path(
    delete,
    path = "/api/registry/v1/publishers/{owner}/webhooks/{id}",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose"),
        ("id" = String, Path, description = "Which"),
    ),
    responses((status = 204), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn remove(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
) -> Result<StatusCode, ApiError> {
    app.disk().room()?;
    app.disk().noted(webhooks::remove(&app, &permit, &id).await.map_err(ApiError::from))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists the last hundred deliveries of a webhook, last first.
#[utoipa::path(
    get,
    path = "/api/registry/v1/publishers/{owner}/webhooks/{id}/deliveries",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose"),
        ("id" = String, Path, description = "Which"),
    ),
    responses(
        (status = 200, content_type = "application/json", description = "`deliveries`"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn deliveries(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
) -> Result<Json<DeliveryList>, ApiError> {
    let all = webhooks::deliveries(&app, &permit, &id).await?;
    Ok(Json(DeliveryList { deliveries: all.into_iter().map(DeliveryLine::from).collect() }))
}

/// Sends something to a webhook now, once, and answers what came of it.
#[utoipa::path(
    post,
    path = "/api/registry/v1/publishers/{owner}/webhooks/{id}/ping",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose"),
        ("id" = String, Path, description = "Which"),
    ),
    responses(
        (status = 200, content_type = "application/json", description = "`status`, `error`"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn ping(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
) -> Result<Json<Pinged>, ApiError> {
    let Attempt { status, error, .. } = webhooks::ping(&app, &permit, &id).await?;
    Ok(Json(Pinged { status, error }))
}
