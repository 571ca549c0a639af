//! Counting downloads beside the requests: each client once a day and release, best effort.
//!
//! A request only drops a note; a task writes the notes in batches. A full basket or a database that
//! cannot be written loses counts, never a download.

mod class;
mod client;
mod counts;
mod today;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::mpsc;

use crate::app::App;
use crate::problem::ApiError;
use crate::store::downloads::{self, Class, day};
use crate::store::{Db, StoreError};
pub(crate) use client::Client;
pub use counts::Counts;
use today::Today;

/// Notes that wait to be written; what comes on top is not counted.
const WAITING: usize = 4096;
/// Notes written in one transaction.
const BATCH: usize = 1024;
/// How long notes are gathered, so that many downloads are few transactions.
const GATHER: Duration = Duration::from_millis(50);

#[derive(Debug, Clone)]
struct Note {
    release_id: String,
    client: Client,
    class: Class,
}

/// The basket of notes.
#[derive(Debug)]
pub struct Downloads {
    sender: mpsc::Sender<Note>,
    receiver: Mutex<Option<mpsc::Receiver<Note>>>,
    noted: AtomicU64,
    lost: AtomicU64,
}

impl Default for Downloads {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        let receiver = Mutex::new(Some(receiver));
        Self { sender, receiver, noted: AtomicU64::new(0), lost: AtomicU64::new(0) }
    }
}

impl Downloads {
    /// Notes a download of a release.
    pub(crate) fn note(&self, release_id: &str, client: Client, class: Class) {
        let note = Note { release_id: release_id.to_owned(), client, class };
        if self.sender.try_send(note).is_ok() {
            self.noted.fetch_add(1, Ordering::Relaxed);
        } else {
            self.lost.fetch_add(1, Ordering::Relaxed);
            tracing::debug!("a download was not counted");
        }
    }

    /// How many this process noted, and how many it lost: for want of room, or after that when they were written.
    pub(crate) fn noted(&self) -> (u64, u64) {
        (self.noted.load(Ordering::Relaxed), self.lost.load(Ordering::Relaxed))
    }

    /// Writes notes until the registry ends.
    pub(crate) async fn keep_writing(app: App) {
        let taken = app.downloads().receiver.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut receiver) = taken else { return };
        let mut notes = Vec::with_capacity(BATCH);
        let mut today = None;
        while receiver.recv_many(&mut notes, BATCH).await > 0 {
            match write(&app, today.take(), &notes).await {
                Ok(day) => today = Some(day),
                Err(error) => {
                    app.downloads().lost.fetch_add(notes.len() as u64, Ordering::Relaxed);
                    tracing::warn!(%error, lost = notes.len(), "downloads were not counted");
                }
            }
            notes.clear();
            tokio::time::sleep(GATHER).await;
        }
    }
}

/// Writes what is new of `notes`; `today` is what is known of the day.
async fn write(app: &App, today: Option<Today>, notes: &[Note]) -> Result<Today, ApiError> {
    let now = app.clock().now();
    let mut today = match today.filter(|today| today.is_now(now)) {
        Some(today) => today,
        None => Today::begin(app, now).await?,
    };
    let new = today.new_of(notes);
    if !new.is_empty() {
        let mut tx = app.db().quiet().await?;
        for one in new {
            downloads::count(tx.conn(), &one.release_id, one.client, one.class, now).await?;
        }
        tx.commit().await?;
    }
    Ok(today)
}

/// How many clients [`forget`] would forget now.
pub async fn to_forget(db: &Db, now: Timestamp) -> Result<u64, StoreError> {
    downloads::to_forget(&mut *db.read().await?, day(now) - 1).await
}

/// Forgets who downloaded before yesterday, and the keys of those days. Answers how many clients it forgot; their
/// downloads stay counted.
pub async fn forget(db: &Db, now: Timestamp) -> Result<u64, StoreError> {
    let mut tx = db.quiet().await?;
    let forgotten = downloads::forget(tx.conn(), day(now) - 1).await?;
    tx.commit().await?;
    Ok(forgotten)
}
