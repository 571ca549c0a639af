//! Work beside the requests that must not be lost: kept in the database, claimed by one process at a time, tried again
//! when it fails.

use std::time::Duration;

use tokio::sync::Notify;

use crate::app::App;
use crate::problem::ApiError;
use crate::store::jobs;
use crate::webhooks;

/// Jobs that one process does at a time.
pub(crate) const WORKERS: usize = 2;
/// How often a process looks for what is due, where nobody wakes it.
const EVERY: Duration = Duration::from_secs(1);
/// How long a job belongs to who claimed it; none takes half of that.
const LEASE: Duration = Duration::from_mins(1);
/// How long is waited after the first failure; twice as long after each further one, up to the longest.
const PAUSE: Duration = Duration::from_secs(10);
const LONGEST: Duration = Duration::from_hours(1);

/// Wakes workers.
#[derive(Debug, Default)]
pub(crate) struct Jobs(Notify);

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// There is nothing more to do.
    Done,
    /// It did not succeed, because of this.
    Again(String),
}

impl Jobs {
    /// There may be something to do.
    pub(crate) fn wake(&self) {
        self.0.notify_one();
    }

    /// Does jobs for as long as the process lives.
    pub(crate) async fn keep_working(app: App) {
        loop {
            match work(&app).await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "a job was left"),
            }
            let _ = tokio::time::timeout(EVERY, app.jobs().0.notified()).await;
        }
    }
}

/// Does one job; `false` if none is due. To look takes no lock.
async fn work(app: &App) -> Result<bool, ApiError> {
    let now = app.clock().now();
    if !jobs::any_due(&mut *app.db().read().await?, webhooks::JOB, now).await? {
        return Ok(false);
    }
    let worker = app.entropy().id()?;
    let lease = now.saturating_add(LEASE).unwrap_or(now);
    let mut tx = app.db().quiet().await?;
    let claimed = jobs::claim(tx.conn(), &worker, webhooks::JOB, now, lease).await?;
    tx.commit().await?;
    let Some(job) = claimed else { return Ok(false) };
    app.jobs().wake();
    let sent = webhooks::deliver(app, &job).await;
    // What it came to and what becomes of the job are one change.
    let mut tx = app.db().quiet().await?;
    let outcome = match sent {
        Ok(sent) => sent.note(&mut tx).await?,
        Err(error) => Outcome::Again(error.to_string()),
    };
    match outcome {
        Outcome::Done => jobs::finish(tx.conn(), &job.id, &worker).await?,
        Outcome::Again(why) => {
            let now = tx.now();
            let again = now.saturating_add(pause(job.attempts)).unwrap_or(now);
            jobs::fail(tx.conn(), &job.id, &worker, &why, again, now).await?
        }
    };
    tx.commit().await?;
    Ok(true)
}

/// After this many attempts.
fn pause(attempts: u64) -> Duration {
    let doubled = 1_u32.checked_shl(attempts.saturating_sub(1).try_into().unwrap_or(u32::MAX));
    doubled.map_or(LONGEST, |times| PAUSE.saturating_mul(times)).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_an_hour() {
        let seconds: Vec<u64> = [1, 2, 3, 7, 8, 9, 10, 40, u64::MAX].map(|n| pause(n).as_secs()).into();
        assert_eq!(seconds, [10, 20, 40, 640, 1280, 2560, 3600, 3600, 3600]);
    }
}
