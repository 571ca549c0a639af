use std::time::Duration;

use futures_util::StreamExt as _;
use jiff::Timestamp;
use skill_core::digest::Sha256;

use super::{BlobStore, digest_of};
use crate::problem::ApiError;
use crate::store::{Db, releases};

/// Younger blobs are left alone: the transaction that will refer to them may still be on its way.
const GRACE: Duration = Duration::from_hours(1);

/// What a sweep did.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Blobs that nothing refers to, and that are gone now.
    pub removed: Vec<Sha256>,
    /// How many blobs were kept.
    pub kept: usize,
}

/// Removes the blobs that a crash between blob and transaction left behind.
pub async fn sweep(blobs: &BlobStore, db: &Db, now: Timestamp) -> Result<Swept, ApiError> {
    let mut swept = Swept::default();
    let mut objects = blobs.list();
    while let Some(object) = objects.next().await {
        let object = object.map_err(super::BlobError::Store)?;
        let age = now.as_millisecond() - object.last_modified.timestamp_millis();
        if u128::try_from(age).unwrap_or_default() < GRACE.as_millis() {
            swept.kept += 1;
            continue;
        }
        let Some(digest) = digest_of(&object.location) else { continue };
        if releases::archive_is_needed(&mut *db.read().await?, digest).await? {
            swept.kept += 1;
        } else {
            blobs.delete(&object.location).await?;
            swept.removed.push(digest);
        }
    }
    Ok(swept)
}
