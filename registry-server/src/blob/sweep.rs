use std::time::Duration;

use futures_util::StreamExt as _;
use jiff::Timestamp;
use object_store::ObjectMeta;
use object_store::path::Path;
use skill_core::digest::Sha256;

use super::{BlobStore, digest_of};
use crate::problem::ApiError;
use crate::store::{Db, contents, releases};

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
///
/// However many processes publish and sweep, no blob goes that a stored release refers to: before one is
/// removed, and before a release that refers to it is stored, its digest is locked in the database
/// ([`contents`]). The sweep then asks again whether it is needed and how old it is; the publish whether it
/// is there, and puts it again if it is not.
pub async fn sweep(blobs: &BlobStore, db: &Db, now: Timestamp) -> Result<Swept, ApiError> {
    let mut swept = Swept::default();
    let mut objects = blobs.list();
    while let Some(object) = objects.next().await {
        let object = object.map_err(super::BlobError::Store)?;
        if is_young(&object, now) {
            swept.kept += 1;
            continue;
        }
        let Some(digest) = digest_of(&object.location) else { continue };
        let needed = releases::archive_is_needed(&mut *db.read().await?, digest).await?;
        if needed || !remove(blobs, db, &object.location, digest, now).await? {
            swept.kept += 1;
        } else {
            swept.removed.push(digest);
        }
    }
    Ok(swept)
}

/// How many blobs a sweep would remove now.
pub async fn unneeded(blobs: &BlobStore, db: &Db, now: Timestamp) -> Result<usize, ApiError> {
    let mut count = 0;
    let mut objects = blobs.list();
    while let Some(object) = objects.next().await {
        let object = object.map_err(super::BlobError::Store)?;
        let Some(digest) = digest_of(&object.location).filter(|_| !is_young(&object, now)) else { continue };
        if !releases::archive_is_needed(&mut *db.read().await?, digest).await? {
            count += 1;
        }
    }
    Ok(count)
}

fn is_young(object: &ObjectMeta, now: Timestamp) -> bool {
    let age = now.as_millisecond() - object.last_modified.timestamp_millis();
    u128::try_from(age).unwrap_or_default() < GRACE.as_millis()
}

/// Removes one blob if, with its digest locked, it is still old and needed by nothing.
async fn remove(
    blobs: &BlobStore,
    db: &Db,
    location: &Path,
    digest: Sha256,
    now: Timestamp,
) -> Result<bool, ApiError> {
    let mut tx = db.quiet().await?;
    let at = tx.now();
    contents::lock(tx.conn(), digest, at).await?;
    let young = blobs.find(location).await?.is_none_or(|object| is_young(&object, now));
    if young || releases::archive_is_needed(tx.conn(), digest).await? {
        return Ok(false);
    }
    blobs.delete(location).await?;
    tx.commit().await?;
    Ok(true)
}
