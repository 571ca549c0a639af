//! Noting that tokens and sessions are used, beside the requests: best effort, and never in the way of one.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::mpsc;

use super::Credential;
use crate::app::App;
use crate::store::{StoreError, sessions, tokens};

/// Credentials that wait to be noted; the use of others is noted another time.
const WAITING: usize = 1024;
/// How long to leave a database alone that refused.
const PAUSE: Duration = Duration::from_secs(10);

/// The tokens and sessions whose use is to be noted, each once at a time.
#[derive(Debug)]
pub struct Uses {
    pending: Mutex<HashSet<Credential>>,
    sender: mpsc::Sender<Use>,
    receiver: Mutex<Option<mpsc::Receiver<Use>>>,
}

/// That something was used, and when: a note may wait longer than the grain of what is kept.
#[derive(Debug)]
struct Use {
    by: Credential,
    at: Timestamp,
}

impl Default for Uses {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        Self { pending: Mutex::default(), sender, receiver: Mutex::new(Some(receiver)) }
    }
}

impl Uses {
    /// Notes that this was used at this time.
    pub(super) fn note(&self, by: &Credential, at: Timestamp) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let noted = Use { by: by.clone(), at };
        if !pending.contains(by) && self.sender.try_send(noted).is_ok() {
            pending.insert(by.clone());
        }
    }

    /// Writes the notes until the registry ends.
    pub(crate) async fn keep_writing(app: App) {
        let taken = app.uses().receiver.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut receiver) = taken else { return };
        let mut uses = Vec::with_capacity(WAITING);
        while receiver.recv_many(&mut uses, WAITING).await > 0 {
            if let Err(error) = write(&app, &uses).await {
                tracing::warn!(%error, count = uses.len(), "the use of tokens and sessions was not noted");
                tokio::time::sleep(PAUSE).await;
            }
            let mut pending = app.uses().pending.lock().unwrap_or_else(PoisonError::into_inner);
            for done in uses.drain(..) {
                pending.remove(&done.by);
            }
        }
    }
}

async fn write(app: &App, uses: &[Use]) -> Result<(), StoreError> {
    let mut tx = app.db().quiet().await?;
    for Use { by, at } in uses {
        match by {
            Credential::Token(id) => tokens::used(tx.conn(), id, *at).await?,
            Credential::Session(sha256) => sessions::used(tx.conn(), sha256, *at).await?,
        }
    }
    tx.commit().await
}
