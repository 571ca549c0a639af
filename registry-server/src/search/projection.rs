//! Keeping the index in line with the database.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;

use super::{Change, Document, Hit, SearchError, SearchIndex};
use crate::app::App;
use crate::http::v1::answer::search_item;
use crate::problem::ApiError;
use crate::skill_md::skill_md;
use crate::store::skills::Skill;
use crate::store::{catalogue, events, head, lines, skills};

/// How many skills or events are read at a time.
const BATCH: u32 = 500;
/// How long to wait before a database or index that refused is asked again.
const PAUSE: Duration = Duration::from_secs(1);
/// How long an answer waits until the index holds what it tells of.
const PATIENCE: Duration = Duration::from_millis(500);
/// Longer texts are searched up to here.
const BODY_BYTES: usize = 32 * 1024;

/// The index of a process, and whether it has caught up with the registry since the process began.
#[derive(Debug, Clone)]
pub struct Search {
    index: Arc<SearchIndex>,
    current: Arc<AtomicBool>,
    seen: watch::Sender<u64>,
}

impl Search {
    /// An index that nothing is in yet.
    pub fn new() -> Result<Self, SearchError> {
        Ok(Self {
            index: Arc::new(SearchIndex::new()?),
            current: Arc::default(),
            seen: watch::Sender::new(0),
        })
    }

    /// Whether it has caught up with the registry since the process began.
    pub fn is_current(&self) -> bool {
        self.current.load(Ordering::Acquire)
    }

    /// The event up to which the registry is in it.
    pub fn seen(&self) -> u64 {
        *self.seen.borrow()
    }

    /// Waits until it has seen `event`, so that what was published is found at once; half a second at most.
    pub async fn reach(&self, event: u64) {
        let mut seen = self.seen.subscribe();
        let reached = tokio::time::timeout(PATIENCE, seen.wait_for(|seen| *seen >= event)).await;
        if reached.is_err() {
            tracing::warn!(event, "an answer did not wait longer for search");
        }
    }

    /// See [`SearchIndex::find`].
    pub fn find(
        &self,
        question: &str,
        limit: usize,
        without_suspicious: bool,
    ) -> Result<Vec<Hit>, SearchError> {
        self.index.find(question, limit, without_suspicious)
    }

    /// Follows the registry for as long as the process lives. What refuses is tried again.
    pub async fn keep_up(app: App) {
        let mut pulse = app.pulse().follow();
        let mut seen = None;
        loop {
            let done = match seen {
                None => app.search().fill(&app).await,
                Some(event) => app.search().catch_up(&app, event).await,
            };
            match done {
                Ok(event) if seen == Some(event) => {
                    app.search().current.store(true, Ordering::Release);
                    if *pulse.borrow_and_update() <= event && pulse.changed().await.is_err() {
                        return;
                    }
                }
                Ok(event) => {
                    seen = Some(event);
                    app.search().seen.send_replace(event);
                }
                Err(error) => {
                    tracing::warn!(%error, "search does not keep up");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    /// Takes in every skill there is. Answers with the event up to which that holds.
    async fn fill(&self, app: &App) -> Result<u64, ApiError> {
        // Read first: what changes meanwhile is taken in again.
        let event = head::get(&mut *app.db().read().await?).await?.event;
        let mut after = String::new();
        loop {
            let page = skills::page(&mut *app.db().read().await?, &after, BATCH).await?;
            let Some(last) = page.last() else { return Ok(event) };
            after.clone_from(&last.id);
            let mut changes = Vec::with_capacity(page.len());
            for skill in &page {
                changes.push(change(app, skill).await?);
            }
            self.apply(changes).await?;
        }
    }

    /// Takes in the skills that changed after `event`. Answers with the last event taken in.
    async fn catch_up(&self, app: &App, event: u64) -> Result<u64, ApiError> {
        let news = events::after(&mut *app.db().read().await?, event, BATCH).await?;
        let Some(last) = news.last().map(|one| one.event) else { return Ok(event) };
        let ids: BTreeSet<String> = news.into_iter().filter_map(|one| one.skill_id).collect();
        let mut changes = Vec::with_capacity(ids.len());
        for id in ids {
            let skill = skills::by_id(&mut *app.db().read().await?, &id).await?;
            changes.push(match skill {
                Some(skill) => change(app, &skill).await?,
                None => Change::Remove(id),
            });
        }
        self.apply(changes).await?;
        Ok(last)
    }

    async fn apply(&self, changes: Vec<Change>) -> Result<(), ApiError> {
        if changes.is_empty() {
            return Ok(());
        }
        let index = Arc::clone(&self.index);
        let applied = tokio::task::spawn_blocking(move || index.apply(changes));
        applied.await.map_err(ApiError::internal)?.map_err(ApiError::internal)
    }
}

/// How a skill stands in the index: as its `latest` release shows it, or not at all.
async fn change(app: &App, skill: &Skill) -> Result<Change, ApiError> {
    let gone = || Change::Remove(skill.id.clone());
    let Some(latest) = skill.latest.as_ref().filter(|_| skill.deleted_at.is_none()) else {
        return Ok(gone());
    };
    let mut conn = app.db().read().await?;
    let card = catalogue::card(&mut conn, &skill.id, latest).await?;
    let release = lines::find(&mut conn, &skill.id, latest).await?;
    drop(conn);
    let (Some(card), Some(release)) = (card, release) else { return Ok(gone()) };
    // A skill whose archive cannot be read is still found by its names.
    let mut body = skill_md(app, &release).await.unwrap_or_else(|error| {
        tracing::warn!(skill = %skill.name(), %error, "the text of a skill cannot be read for search");
        String::new()
    });
    let end = (0..=BODY_BYTES.min(body.len())).rev().find(|&at| body.is_char_boundary(at));
    body.truncate(end.unwrap_or_default());
    Ok(Change::Put(Box::new(Document {
        id: skill.id.clone(),
        name: skill.name(),
        display_name: card.display_name.clone(),
        summary: card.summary.clone(),
        body,
        suspicious: card.verdict.needs_acceptance(),
        card: serde_json::to_vec(&search_item(app, &card)).map_err(ApiError::internal)?,
    })))
}
