use http::StatusCode;
use serde_json::json;
use skill_core::api::Problem;
use skill_core::digest::Sha256;

use super::deliver::send;
use super::kind::{Kind, Kinds};
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::entropy::EntropyError;
use crate::outbound::OutboundError;
use crate::problem::ApiError;
use crate::store::webhooks::{self, Attempt, Delivery, Webhook};
use crate::store::{Conn, StoreError, head};

/// As many webhooks a publisher has.
const MOST: usize = 20;
/// Bytes of a URL.
const URL: usize = 2_000;
/// Deliveries that are listed.
const LISTED: u32 = 100;

/// A webhook about to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWebhook {
    /// Where to.
    pub url: String,
    /// What it tells; none stands for all.
    pub kinds: Vec<Kind>,
}

/// A webhook that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The webhook.
    pub webhook: Webhook,
    /// Its secret, as 64 hexadecimal digits: shown now and never again.
    pub secret: String,
}

/// Why something was not done with webhooks.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    /// Nothing is sent there.
    #[error(transparent)]
    Address(#[from] OutboundError),
    /// The URL is too long.
    #[error("a URL has at most {URL} bytes")]
    Long,
    /// The publisher has none of that id.
    #[error("there is no such webhook")]
    Unknown,
    /// It has as many as it may have.
    #[error("a publisher has at most {MOST} webhooks")]
    Many,
    /// The permit was for something else.
    #[error(transparent)]
    Permit(#[from] ApiError),
    /// A statement did not run.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Random bytes.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

impl From<WebhookError> for ApiError {
    fn from(error: WebhookError) -> Self {
        let (status, code) = match error {
            WebhookError::Permit(error) => return error,
            WebhookError::Store(error) => return error.into(),
            WebhookError::Entropy(error) => return error.into(),
            WebhookError::Address(_) | WebhookError::Long => {
                (StatusCode::UNPROCESSABLE_ENTITY, "webhook-address")
            }
            WebhookError::Unknown => (StatusCode::NOT_FOUND, "webhook-not-found"),
            WebhookError::Many => (StatusCode::CONFLICT, "webhooks-many"),
        };
        let problem = Problem::new(status.as_u16(), code, error.to_string());
        Self::Problem(Box::new(match error {
            WebhookError::Many => problem.with("limit", MOST),
            _ => problem,
        }))
    }
}

/// Makes a webhook of the publisher of a permit. It is told of what happens from now on.
pub async fn make(app: &App, permit: &Permit, new: &NewWebhook) -> Result<Made, WebhookError> {
    let owner = permit.publisher(&[Act::Webhooks])?;
    if new.url.len() > URL {
        return Err(WebhookError::Long);
    }
    let url = app.outbound().read(&new.url)?;
    let id = app.entropy().id()?;
    let secret = Sha256::from_bytes(app.web_key().webhook_secret(&id));
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    // Also keeps two of them from being made at once.
    webhooks::lock_seen(tx.conn()).await?;
    if webhooks::of_publisher(tx.conn(), owner).await?.len() >= MOST {
        return Err(WebhookError::Many);
    }
    if !webhooks::any(tx.conn()).await? {
        // Nobody was to be told of what was before.
        let head = head::get(tx.conn()).await?;
        webhooks::set_seen(tx.conn(), head.event).await?;
    }
    let webhook = Webhook {
        id,
        publisher: owner.clone(),
        url: new.url.clone(),
        secret: Sha256::of(secret.as_bytes()),
        kinds: Kinds::of(&new.kinds).words().join(","),
        created_by: permit.identity().user.id.clone(),
        created_at: tx.now(),
        disabled: None,
    };
    webhooks::insert(tx.conn(), &webhook).await?;
    // A path or a query may be a secret of who receives.
    let detail = json!({ "id": webhook.id, "host": url.host_str(), "kinds": webhook.kinds });
    tx.audit(permit.audit("webhook", owner.to_string()).with(detail));
    tx.commit().await?;
    Ok(Made { webhook, secret: secret.to_hex() })
}

/// The webhooks of the publisher of a permit, oldest first.
pub async fn list(app: &App, permit: &Permit) -> Result<Vec<Webhook>, WebhookError> {
    let owner = permit.publisher(&[Act::Webhooks])?;
    Ok(webhooks::of_publisher(&mut *app.db().read().await?, owner).await?)
}

/// Removes a webhook, and what was to be sent to it.
pub async fn remove(app: &App, permit: &Permit, id: &str) -> Result<(), WebhookError> {
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    let hook = own(tx.conn(), permit, id).await?;
    webhooks::remove(tx.conn(), &hook.id).await?;
    tx.audit(permit.audit("webhook-remove", hook.publisher.to_string()).with(json!({ "id": hook.id })));
    Ok(tx.commit().await?)
}

/// The last deliveries of a webhook, last first.
pub async fn deliveries(app: &App, permit: &Permit, id: &str) -> Result<Vec<Delivery>, WebhookError> {
    let mut conn = app.db().read().await?;
    let hook = own(&mut conn, permit, id).await?;
    Ok(webhooks::deliveries(&mut conn, &hook.id, LISTED).await?)
}

/// Sends something to a webhook now, once, and says what came of it.
pub async fn ping(app: &App, permit: &Permit, id: &str) -> Result<Attempt, WebhookError> {
    let mut tx = app.db().quiet().await?;
    permit.confirm(&mut tx).await?;
    let hook = own(tx.conn(), permit, id).await?;
    // Nothing waits for whoever receives.
    drop(tx);
    let id = app.entropy().id()?;
    let body = json!({
        "id": id,
        "kind": "ping",
        "at": app.clock().now(),
        "registryId": app.registry_id(),
        "owner": hook.publisher,
    });
    Ok(send(app, &hook, &id, "ping", body.to_string()).await?)
}

async fn own(conn: &mut Conn, permit: &Permit, id: &str) -> Result<Webhook, WebhookError> {
    let owner = permit.publisher(&[Act::Webhooks])?;
    let hook = webhooks::by_id(conn, id).await?.filter(|hook| hook.publisher == *owner);
    hook.ok_or(WebhookError::Unknown)
}
