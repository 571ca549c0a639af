//! Publishing: an upload becomes a release, through a chain of types of which each is made by the one before
//! and by nothing else.
//!
//! `Received -> Inspected -> Authorized -> Scanned -> Attested -> Stored`
//!
//! Up to `Attested` nothing that anybody can see has changed. Then the blob is kept, and one transaction
//! stores the rest: a crash at any moment leaves either a whole release or none.

mod attested;
mod authorized;
pub(crate) mod content_type;
mod error;
mod inspected;
mod plan;
mod received;
mod scanned;
mod shares;
mod stored;
mod turns;

use std::path::PathBuf;

use skill_core::api::{Published, ServerLimits};
use skill_core::state::ReleaseState;
use tokio::sync::oneshot::error::RecvError;

use crate::app::App;
use crate::auth::Permit;
use crate::change;
pub use crate::http::upload::CutOff;
use crate::http::upload::Upload;
use crate::store::holds;
use crate::store::releases::Release;
use attested::Attested;
use authorized::{Authorized, Decision, Place, Same};
pub use error::PublishError;
use inspected::Inspected;
pub(crate) use plan::plan;
use received::Received;
use scanned::Scanned;
pub(crate) use shares::Shares;
use stored::Outcome;
pub(crate) use stored::waiting;
pub(crate) use turns::Turn;
use turns::Turns;

/// How many bundles are in memory at a time.
const BUNDLES: u32 = 2;
/// A bundle whose archive has more bytes than this is there alone: one of 50 MiB keeps the registry under 150 MB.
const LARGE: u64 = 4 << 20;
/// How often a release is placed anew when others of the same skill come in between.
const TRIES: usize = 8;

/// What publishing needs beside the database and the blobs.
#[derive(Debug, Clone)]
pub struct Publishing {
    /// What this registry takes.
    pub limits: ServerLimits,
    /// Folder for temporary files, on the disk of the data folder.
    pub scratch: PathBuf,
    turns: Turns,
}

impl Publishing {
    /// Publishing within `limits`, with temporary files in `scratch`.
    pub fn new(limits: ServerLimits, scratch: PathBuf) -> Self {
        Self { limits, scratch, turns: Turns::new(BUNDLES) }
    }

    /// Waits until a bundle of `who`, an archive of so many bytes, may be in memory and be scanned; it may as long as
    /// the turn is held.
    pub(crate) async fn turn(&self, who: &str, archive_bytes: u64) -> Result<Turn, RecvError> {
        self.turns.wait(who, if archive_bytes > LARGE { BUNDLES } else { 1 }).await
    }
}

/// Takes one upload of somebody who may publish; where to is decided when the upload has said it.
pub(crate) async fn publish(app: &App, permit: Permit, form: Upload) -> Result<Published, PublishError> {
    let received = Received::read(app, permit, form).await?;
    let size = received.archive.metadata()?.len();
    let turn = app.publishing().turn(&received.permit.identity().user.id, size).await;
    let turn = turn.map_err(|error| PublishError::Stopped(error.to_string()))?;
    let inspected = Inspected::open(app, received).await?;
    let authorized = match Authorized::decide(app, inspected).await? {
        Decision::Goes(authorized) => authorized,
        Decision::Unchanged(same) => return unchanged(app, *same).await,
    };
    let (scanned, turn) = Scanned::judge(authorized, turn).await?;
    let mut attested = Attested::sign(app, scanned).await?;
    drop(turn);
    attested.keep_blob(app).await?;
    for _ in 0..TRIES {
        let overtaken = match attested.store(app).await? {
            Outcome::Stored(stored) => return Ok(stored.published),
            Outcome::Overtaken(attested) => *attested,
        };
        let draft = &overtaken.draft;
        attested = match Place::decide(app, &draft.permit, &draft.meta, draft.tree).await? {
            Decision::Goes(place) => overtaken.moved(app, place)?,
            Decision::Unchanged(same) => return unchanged(app, *same).await,
        };
    }
    Err(PublishError::Overtaken)
}

/// The answer for content that is there already: that of its first publish, as it stands now. Tags that are asked
/// for and do not point there yet are set.
async fn unchanged(app: &App, same: Same) -> Result<Published, PublishError> {
    let Same { name, permit, release: Release { row, log_index, .. }, tags } = same;
    if !tags.is_empty() {
        change::set_tags(app, &permit, &tags, &row.version).await?;
    }
    let waiting = match row.state {
        ReleaseState::Pending => holds::open_on(&mut *app.db().read().await?, &row.skill_id).await?,
        _ => Vec::new(),
    };
    Ok(Published {
        url: app.page_of(&name),
        owner: name.owner,
        slug: name.slug,
        version: row.version,
        tree_digest: row.tree_digest,
        archive_sha256: row.archive_sha256,
        verdict: row.verdict,
        status: row.state,
        log_index,
        unchanged: true,
        findings: row.findings,
        waiting: waiting.into_iter().map(stored::waiting).collect(),
    })
}

/// Runs what computes or waits for a disk beside the requests.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, PublishError> + Send + 'static,
) -> Result<T, PublishError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| PublishError::Stopped(error.to_string()))?
}
