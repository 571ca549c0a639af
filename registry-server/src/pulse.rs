//! How far the registry is, as this process knows it.
//!
//! Every change that a reader can see raises the event number in the database. Caches and the search
//! index compare it with the one they were made at. This process learns of its own changes at
//! once ([`Pulse::observe`]) and of those of others by asking.

use std::time::Duration;

use tokio::sync::watch;

use crate::store::{Db, StoreError, head};

/// How often the database is asked whether another process changed something (the promise: at most 250 ms).
const EVERY: Duration = Duration::from_millis(200);

/// The number of the last event that this process has heard of.
#[derive(Debug, Clone)]
pub struct Pulse(watch::Sender<u64>);

impl Default for Pulse {
    fn default() -> Self {
        Self(watch::Sender::new(0))
    }
}

impl Pulse {
    /// The number of the last event heard of.
    pub fn event(&self) -> u64 {
        *self.0.borrow()
    }

    /// Hears of an event. Numbers only grow.
    pub fn observe(&self, event: u64) {
        self.0.send_if_modified(|last| {
            let newer = event > *last;
            *last = event.max(*last);
            newer
        });
    }

    /// Wakes whoever follows, each time the number grew.
    pub fn follow(&self) -> watch::Receiver<u64> {
        self.0.subscribe()
    }

    /// Asks the database once.
    pub async fn ask(&self, db: &Db) -> Result<u64, StoreError> {
        let head = head::get(&mut *db.read().await?).await?;
        self.observe(head.event);
        Ok(head.event)
    }

    /// Asks the database for as long as the process lives. A database that does not answer is asked again.
    pub async fn keep_asking(self, db: Db) {
        let mut ticks = tokio::time::interval(EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.ask(&db).await {
                tracing::warn!(error = &error as &dyn std::error::Error, "cannot ask for the last event");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_only_grow() {
        let pulse = Pulse::default();
        let follower = pulse.follow();
        pulse.observe(7);
        pulse.observe(3);
        assert_eq!(pulse.event(), 7);
        assert!(follower.has_changed().unwrap());
    }
}
