use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use skill_core::state::ReleaseState;
use tokio::sync::Mutex;

use super::text::{Family, Text, Type};
use crate::app::App;
use crate::store::jobs::Standing as Jobs;
use crate::store::{StoreError, head, jobs, releases};

/// The database is asked this often at most, however often the metrics are.
const EVERY: SignedDuration = SignedDuration::from_secs(15);
/// How long it has to answer: less than whoever asks for metrics waits.
const PATIENCE: Duration = Duration::from_secs(2);

const UP: Family =
    Family { name: "skill_registry_database_up", kind: Type::Gauge, help: "1 if the database answered." };
const EVENTS: Family = Family {
    name: "skill_registry_events_total",
    kind: Type::Counter,
    help: "Changes that readers can see, since the registry was made.",
};
const LEAVES: Family = Family {
    name: "skill_registry_log_leaves_total",
    kind: Type::Counter,
    help: "Leaves of the log, since the registry was made.",
};
const RELEASES: Family =
    Family { name: "skill_registry_releases", kind: Type::Gauge, help: "Releases, by their state." };
const JOBS: Family = Family {
    name: "skill_registry_jobs",
    kind: Type::Gauge,
    help: "Jobs that wait, and those that were given up.",
};

/// What the database said when it was asked last; while one asks, others wait for that.
#[derive(Debug, Default)]
pub(super) struct Standing(Mutex<Option<Kept>>);

#[derive(Debug, Clone)]
struct Kept {
    at: Timestamp,
    /// `None` if it did not answer.
    facts: Option<Facts>,
}

#[derive(Debug, Clone)]
struct Facts {
    head: head::Head,
    releases: Vec<(ReleaseState, u64)>,
    jobs: Jobs,
}

impl Standing {
    /// Writes what stands in the database. Where that does not answer, it says so and leaves the rest out: the counts of
    /// the process are wanted most then.
    pub(super) async fn write(&self, app: &App, text: &mut Text) {
        let facts = self.facts(app).await;
        text.alone(&UP, u8::from(facts.is_some()));
        let Some(Facts { head, releases, jobs }) = facts else { return };
        text.alone(&EVENTS, head.event);
        text.alone(&LEAVES, head.leaf);
        text.family(&RELEASES);
        for state in ReleaseState::ALL {
            let count = releases.iter().find(|(of, _)| *of == state).map_or(0, |(_, count)| *count);
            text.sample("", &[("state", state.as_str())], count);
        }
        text.family(&JOBS);
        text.sample("", &[("state", "waiting")], jobs.waiting);
        text.sample("", &[("state", "dead")], jobs.dead);
    }

    async fn facts(&self, app: &App) -> Option<Facts> {
        let mut kept = self.0.lock().await;
        let now = app.clock().now();
        // A clock that was put back does not keep an answer for longer.
        let lately = kept.as_ref().filter(|kept| now.duration_since(kept.at).abs() < EVERY);
        if let Some(lately) = lately {
            return lately.facts.clone();
        }
        let known = kept.take().and_then(|kept| kept.facts);
        let facts = match tokio::time::timeout(PATIENCE, ask(app, known)).await {
            Ok(Ok(facts)) => Some(facts),
            Ok(Err(error)) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "the metrics are not whole");
                None
            }
            Err(_) => {
                tracing::warn!("the metrics are not whole: the database does not answer");
                None
            }
        };
        *kept = Some(Kept { at: now, facts: facts.clone() });
        facts
    }
}

/// Asks. Releases are counted again only where something changed since `known`: that looks at each of them.
async fn ask(app: &App, known: Option<Facts>) -> Result<Facts, StoreError> {
    let mut conn = app.db().read().await?;
    let head = head::get(&mut conn).await?;
    let releases = match known {
        Some(known) if known.head == head => known.releases,
        _ => releases::by_state(&mut conn).await?,
    };
    Ok(Facts { head, releases, jobs: jobs::standing(&mut conn).await? })
}
