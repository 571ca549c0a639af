//! Counting downloads beside the requests: each client once a day and release, best effort.
//!
//! A request only drops a note; a task writes the notes in batches. A full basket or a database that
//! cannot be written loses counts, never a download.

mod counted;
mod counts;

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use skill_core::digest::Sha256;
use tokio::sync::mpsc;

use crate::app::App;
use crate::auth::Caller;
use crate::store::{StoreError, downloads};
use counted::Counted;
pub use counts::Counts;

/// Notes that wait to be written; what comes on top is not counted.
const WAITING: usize = 4096;
/// Notes written in one transaction.
const BATCH: usize = 1024;
/// How long notes are gathered, so that many downloads are few transactions.
const GATHER: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Note {
    release_id: String,
    client: Sha256,
}

/// The basket of notes.
#[derive(Debug)]
pub struct Downloads {
    sender: mpsc::Sender<Note>,
    receiver: Mutex<Option<mpsc::Receiver<Note>>>,
}

impl Default for Downloads {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        Self { sender, receiver: Mutex::new(Some(receiver)) }
    }
}

impl Downloads {
    /// Notes a download of a release by a user, or by an address where nobody is known. Without
    /// either it is not counted: all such clients would count as one.
    pub(crate) fn note(&self, release_id: &str, caller: &Caller, address: Option<IpAddr>) {
        let client = match (caller.identity(), address) {
            (Ok(identity), _) => format!("user {}", identity.user.id),
            (Err(_), Some(address)) => format!("address {address}"),
            (Err(_), None) => return,
        };
        let note = Note { release_id: release_id.to_owned(), client: Sha256::of(client) };
        if self.sender.try_send(note).is_err() {
            tracing::debug!("a download was not counted");
        }
    }

    /// Writes notes until the registry ends.
    pub(crate) async fn keep_writing(app: App) {
        let taken = app.downloads().receiver.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut receiver) = taken else { return };
        let mut notes = Vec::with_capacity(BATCH);
        let mut counted = Counted::default();
        while receiver.recv_many(&mut notes, BATCH).await > 0 {
            counted.keep_new(&mut notes, app.clock().now());
            if let Err(error) = write(&app, &notes).await {
                tracing::warn!(%error, lost = notes.len(), "downloads were not counted");
                counted = Counted::default();
            }
            notes.clear();
            tokio::time::sleep(GATHER).await;
        }
    }
}

async fn write(app: &App, notes: &[Note]) -> Result<(), StoreError> {
    if notes.is_empty() {
        return Ok(());
    }
    let mut tx = app.db().quiet().await?;
    let now = app.clock().now();
    for note in notes {
        downloads::count(tx.conn(), &note.release_id, note.client, now).await?;
    }
    tx.commit().await
}
