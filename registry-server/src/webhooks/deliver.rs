use bytes::Bytes;
use http::Method;
use serde::Deserialize;
use skill_core::digest::Sha256;

use super::sign;
use crate::app::App;
use crate::jobs::Outcome;
use crate::problem::ApiError;
use crate::store::audit::{Actor, NewAudit};
use crate::store::jobs::Job;
use crate::store::restrictions::REGISTRY;
use crate::store::webhooks::{self, Attempt, End, Webhook};
use crate::store::{QuietTx, StoreError};

/// The kind of the jobs that deliver.
pub(crate) const JOB: &str = "webhook";
/// How often a delivery is tried, within some twenty minutes.
pub(super) const ATTEMPTS: u64 = 8;
/// After so many failures in a row nothing more is sent.
const FAILURES: u64 = 50;
/// Characters of an error that are kept.
const ERROR: usize = 200;

/// What a job carries: all that is sent, so that each attempt sends the same.
#[derive(Debug, Deserialize)]
struct Payload {
    delivery: String,
    webhook: String,
    kind: String,
    body: String,
}

/// An attempt that was made, and is to be noted.
#[derive(Debug)]
pub(crate) struct Sent {
    delivery: String,
    /// `None`: who removed the webhook took its deliveries with it.
    hook: Option<Webhook>,
    attempt: Attempt,
}

/// Makes one attempt at a delivery.
pub(crate) async fn deliver(app: &App, job: &Job) -> Result<Sent, ApiError> {
    let Payload { delivery, webhook, kind, body } =
        serde_json::from_value(job.payload.clone()).map_err(ApiError::internal)?;
    let hook = webhooks::by_id(&mut *app.db().read().await?, &webhook).await?;
    let mut attempt = match &hook {
        Some(Webhook { disabled: Some((_, why)), .. }) => Attempt::dead(why),
        Some(hook) => send(app, hook, &delivery, &kind, body).await?,
        None => Attempt::dead("the webhook was removed"),
    };
    if attempt.end.is_none() && job.attempts >= job.max_attempts {
        attempt.end = Some(End::Dead);
    }
    Ok(Sent { delivery, hook, attempt })
}

impl Sent {
    /// Notes the attempt, and what follows from it.
    pub(crate) async fn note(self, tx: &mut QuietTx) -> Result<Outcome, StoreError> {
        let Self { delivery, hook, attempt } = self;
        let Some(hook) = hook else { return Ok(Outcome::Done) };
        let (now, failed) = (tx.now(), attempt.end != Some(End::Delivered));
        webhooks::tried(tx.conn(), &delivery, &attempt, now).await?;
        if failed && hook.disabled.is_none() && webhooks::failures(tx.conn(), &hook.id).await? >= FAILURES {
            let why = format!("{FAILURES} attempts in a row were not taken");
            if webhooks::disable(tx.conn(), &hook.id, &why, now).await? {
                let by = Actor { name: REGISTRY.to_owned(), credential: None };
                tx.audit(NewAudit::new(by, "webhook-disable", hook.publisher.to_string()).because(&why));
            }
        }
        Ok(match attempt {
            Attempt { end: Some(_), .. } => Outcome::Done,
            Attempt { error: Some(error), .. } => Outcome::Again(error),
            Attempt { status, .. } => Outcome::Again(format!("status {}", status.unwrap_or_default())),
        })
    }
}

/// One attempt. Only an answer of 2xx takes what was sent.
pub(super) async fn send(
    app: &App,
    hook: &Webhook,
    id: &str,
    kind: &str,
    body: String,
) -> Result<Attempt, ApiError> {
    let secret = app.web_key().webhook_secret(&hook.id);
    if Sha256::of(secret) != hook.secret {
        let error = "the key of this registry's pages is another than when the webhook was made";
        return Ok(Attempt { status: None, error: Some(error.to_owned()), end: None });
    }
    let headers = sign::headers(&secret, id, kind, &body, app.clock().now())?;
    let sent = match app.outbound().read(&hook.url) {
        Ok(url) => app.outbound().send(Method::POST, &url, headers, Bytes::from(body)).await,
        Err(error) => Err(error),
    };
    Ok(match sent {
        Ok(answer) => Attempt {
            status: Some(answer.status.as_u16()),
            error: None,
            end: answer.status.is_success().then_some(End::Delivered),
        },
        Err(error) => {
            let error = error.to_string().chars().take(ERROR).collect();
            Attempt { status: None, error: Some(error), end: None }
        }
    })
}
