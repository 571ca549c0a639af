//! How many uploads a user may have open at a time: whoever sends slowly keeps
//! their own waiting. Several who do so at once can still hold every place.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// Uploads of one user at a time.
const EACH: usize = 4;

/// The uploads of each user who has one open, or waits to.
#[derive(Debug, Default)]
pub(crate) struct Shares(Mutex<HashMap<String, Arc<Semaphore>>>);

impl Shares {
    /// Waits until this user may open another upload. What is given stands for it as long as it is held.
    pub(crate) async fn of(&self, user: &str) -> Result<OwnedSemaphorePermit, AcquireError> {
        self.share(user).acquire_owned().await
    }

    fn share(&self, user: &str) -> Arc<Semaphore> {
        let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever has none open and waits for none is forgotten.
        users.retain(|_, share| Arc::strong_count(share) > 1);
        Arc::clone(users.entry(user.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(EACH))))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_user_waits_for_their_own_alone() {
        let shares = Shares::default();
        let mut open = Vec::new();
        for _ in 0..EACH {
            open.push(shares.of("bob").await.unwrap());
        }
        let mut fifth = Box::pin(shares.of("bob"));
        assert!(fifth.as_mut().now_or_never().is_none());
        let ada = shares.of("ada").await.unwrap();
        open.pop();
        assert!(fifth.await.is_ok());
        drop((ada, open));
        let _carl = shares.of("carl").await.unwrap();
        assert_eq!(shares.0.lock().unwrap().len(), 1);
    }
}
