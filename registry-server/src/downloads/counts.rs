//! How often skills were downloaded, as far as it was asked lately: what is found says it, and the search index
//! only learns of it when a skill changes.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};

use crate::app::App;
use crate::store::{StoreError, downloads};

/// How far behind a count may be.
const LIFE: SignedDuration = SignedDuration::from_secs(30);
/// Counts that are remembered; when there are more, all are forgotten.
const MOST: usize = 20_000;

/// Counts by the id of the skill, and since when they are known.
#[derive(Debug, Default)]
pub struct Counts(Mutex<HashMap<String, (u64, Timestamp)>>);

impl Counts {
    /// Downloads of these skills, by id.
    pub(crate) async fn of(app: &App, ids: Vec<String>) -> Result<HashMap<String, u64>, StoreError> {
        let now = app.clock().now();
        let (mut counts, unknown) = app.download_counts().known(ids, now);
        if unknown.is_empty() {
            return Ok(counts);
        }
        let mut asked: HashMap<String, u64> = unknown.iter().map(|id| (id.clone(), 0)).collect();
        let mut conn = app.db().read().await?;
        for some in unknown.chunks(downloads::AT_ONCE) {
            asked.extend(downloads::of_skills(&mut conn, some).await?);
        }
        drop(conn);
        app.download_counts().remember(&asked, now);
        counts.extend(asked);
        Ok(counts)
    }

    fn known(&self, ids: Vec<String>, now: Timestamp) -> (HashMap<String, u64>, Vec<String>) {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counts = HashMap::with_capacity(ids.len());
        let mut unknown = Vec::new();
        for id in ids {
            match kept.get(&id) {
                Some((count, at)) if now.duration_since(*at) < LIFE => {
                    counts.insert(id, *count);
                }
                _ => unknown.push(id),
            }
        }
        (counts, unknown)
    }

    fn remember(&self, counts: &HashMap<String, u64>, at: Timestamp) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() + counts.len() > MOST {
            kept.clear();
        }
        kept.extend(counts.iter().map(|(id, count)| (id.clone(), (*count, at))));
    }
}
