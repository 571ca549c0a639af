use std::time::Duration;

use serde_json::json;

use super::deliver::{ATTEMPTS, JOB};
use super::kind::{Kind, Kinds};
use crate::app::App;
use crate::problem::ApiError;
use crate::store::events::{self, Event};
use crate::store::jobs::{self, NewJob};
use crate::store::lines::{self, Line};
use crate::store::skills::{self, Skill};
use crate::store::webhooks::{self, Webhook};
use crate::store::{QuietTx, StoreError};

/// Events that are looked at in one transaction.
const BATCH: u32 = 100;
/// How long is waited after an error.
const PAUSE: Duration = Duration::from_secs(1);

/// Makes deliveries of events for as long as the process lives.
pub(crate) async fn keep_dispatching(app: App) {
    let mut pulse = app.pulse().follow();
    loop {
        match dispatch(&app).await {
            Ok(()) if pulse.changed().await.is_err() => return,
            Ok(()) => {}
            Err(error) => {
                tracing::warn!(%error, "events were not told to webhooks yet");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Looks at every event that no process looked at. The number of the last one is locked meanwhile, so that each is
/// looked at once.
async fn dispatch(app: &App) -> Result<(), ApiError> {
    loop {
        if !webhooks::any(&mut *app.db().read().await?).await? {
            return Ok(());
        }
        let mut tx = app.db().quiet().await?;
        let seen = webhooks::lock_seen(tx.conn()).await?;
        let new = events::after(tx.conn(), seen, BATCH).await?;
        let Some(last) = new.last() else { return Ok(()) };
        for event in &new {
            tell(app, &mut tx, event).await?;
        }
        webhooks::set_seen(tx.conn(), last.event).await?;
        tx.commit().await?;
        app.jobs().wake();
        if new.len() < BATCH as usize {
            return Ok(());
        }
    }
}

/// Makes a delivery for every webhook that wants to know of an event.
async fn tell(app: &App, tx: &mut QuietTx, event: &Event) -> Result<(), ApiError> {
    let (Some(owner), Some(release)) = (&event.owner, &event.release_id) else { return Ok(()) };
    let mut hooks = webhooks::of_publisher(tx.conn(), owner).await?;
    hooks.retain(|hook| hook.disabled.is_none() && hook.created_at <= event.at);
    if hooks.is_empty() {
        return Ok(());
    }
    let Some(line) = lines::by_id(tx.conn(), release).await? else { return Ok(()) };
    let Some(skill) = skills::by_id(tx.conn(), &line.skill_id).await? else { return Ok(()) };
    for hook in hooks {
        let kinds: Kinds = hook
            .kinds
            .parse()
            .map_err(|_| StoreError::Unreadable { column: "kinds", text: hook.kinds.clone() })?;
        if let Some(kind) = kinds.told(event.kind, line.verdict) {
            note(app, tx, event, &hook, kind, (&skill, &line)).await?;
        }
    }
    Ok(())
}

async fn note(
    app: &App,
    tx: &mut QuietTx,
    event: &Event,
    hook: &Webhook,
    kind: Kind,
    (skill, line): (&Skill, &Line),
) -> Result<(), ApiError> {
    let (id, now) = (app.entropy().id()?, tx.now());
    if !webhooks::note(tx.conn(), &id, &hook.id, event.event, kind.as_str(), now).await? {
        return Ok(());
    }
    // As it is now, which every attempt tells: the number of the event says which is later.
    let body = json!({
        "id": id,
        "kind": kind.as_str(),
        "event": event.event,
        "at": event.at,
        "registryId": app.registry_id(),
        "owner": skill.owner,
        "slug": skill.slug,
        "version": line.version,
        "state": line.state,
        "verdict": line.verdict,
        "url": app.page_of(&skill.name()),
    });
    let job = NewJob {
        id: app.entropy().id()?,
        kind: JOB.to_owned(),
        payload: json!({ "delivery": id, "webhook": hook.id, "kind": kind.as_str(), "body": body.to_string() }),
        dedup_key: None,
        run_at: now,
        max_attempts: ATTEMPTS,
    };
    jobs::enqueue(tx.conn(), &job, now).await?;
    Ok(())
}
