//! Noting that tokens are used beside the requests: best effort, and never in the way of one.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::mpsc;

use crate::app::App;
use crate::store::{StoreError, tokens};

/// Tokens that wait to be noted; the use of others is noted another time.
const WAITING: usize = 1024;
/// How long to leave a database alone that refused.
const PAUSE: Duration = Duration::from_secs(10);

/// The tokens whose use is to be noted, each once at a time.
#[derive(Debug)]
pub struct TokenUses {
    pending: Mutex<HashSet<String>>,
    sender: mpsc::Sender<Use>,
    receiver: Mutex<Option<mpsc::Receiver<Use>>>,
}

/// That a token was used, and when: a note may wait longer than the grain of what is kept.
#[derive(Debug)]
struct Use {
    token_id: String,
    at: Timestamp,
}

impl Default for TokenUses {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        Self { pending: Mutex::default(), sender, receiver: Mutex::new(Some(receiver)) }
    }
}

impl TokenUses {
    /// Notes that the token with this id was used at this time.
    pub(super) fn note(&self, token_id: &str, at: Timestamp) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let noted = Use { token_id: token_id.to_owned(), at };
        if !pending.contains(token_id) && self.sender.try_send(noted).is_ok() {
            pending.insert(token_id.to_owned());
        }
    }

    /// Writes the notes until the registry ends.
    pub(crate) async fn keep_writing(app: App) {
        let taken = app.token_uses().receiver.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut receiver) = taken else { return };
        let mut uses = Vec::with_capacity(WAITING);
        while receiver.recv_many(&mut uses, WAITING).await > 0 {
            if let Err(error) = write(&app, &uses).await {
                tracing::warn!(%error, tokens = uses.len(), "the use of tokens was not noted");
                tokio::time::sleep(PAUSE).await;
            }
            let mut pending = app.token_uses().pending.lock().unwrap_or_else(PoisonError::into_inner);
            for done in uses.drain(..) {
                pending.remove(&done.token_id);
            }
        }
    }
}

async fn write(app: &App, uses: &[Use]) -> Result<(), StoreError> {
    let mut tx = app.db().quiet().await?;
    for Use { token_id, at } in uses {
        tokens::used(tx.conn(), token_id, *at).await?;
    }
    tx.commit().await
}
