use std::collections::BTreeSet;

use futures_util::StreamExt as _;
use sha2::Digest as _;
use skill_core::digest::Sha256;

use super::finding::{Family, Report};
use crate::blob::{BlobError, BlobStore};
use crate::store::{Conn, StoreError, lines, skills};

const PAGE: u32 = 100;

/// Every release has its archive, which is what its digest says. What no release needs is a note: a publish that was cut
/// off leaves it, and it goes by itself.
pub(super) async fn check(conn: &mut Conn, blobs: &BlobStore, report: &mut Report) -> Result<(), StoreError> {
    let mut needed = BTreeSet::new();
    let mut after = String::new();
    loop {
        // What cannot be read is told with the states.
        let Ok(page) = skills::page(conn, &after, PAGE).await else { break };
        let Some(last) = page.last() else { break };
        after.clone_from(&last.id);
        for skill in &page {
            for release in lines::of_skill(conn, &skill.id).await.unwrap_or_default() {
                let (digest, size) = (release.archive_sha256, release.archive_size);
                if needed.insert(digest) {
                    report.saw(Family::Archives, 1);
                    if let Some(wrong) = wrong(blobs, digest, size).await {
                        report.wrong(
                            Family::Archives,
                            format!("{} {}: {wrong}", skill.name(), release.version),
                        );
                    }
                }
            }
        }
    }
    match blobs.digests().await {
        Ok(there) => match there.difference(&needed).count() {
            0 => {}
            1 => report.notes.push("1 archive that no release needs".to_owned()),
            some => report.notes.push(format!("{some} archives that no release needs")),
        },
        Err(error) => report.wrong(Family::Archives, error.to_string()),
    }
    Ok(())
}

/// What is wrong with an archive.
async fn wrong(blobs: &BlobStore, digest: Sha256, size: u64) -> Option<String> {
    match read(blobs, digest, size).await {
        Ok(found) if found == digest => None,
        Ok(found) => Some(format!("the archive has digest {found}, the release says {digest}")),
        Err(error) => Some(error.to_string()),
    }
}

async fn read(blobs: &BlobStore, digest: Sha256, size: u64) -> Result<Sha256, BlobError> {
    let mut stream = blobs.open(&digest, size).await?.into_stream();
    let mut hash = sha2::Sha256::new();
    while let Some(piece) = stream.next().await {
        hash.update(piece?);
    }
    Ok(Sha256::from_bytes(hash.finalize().into()))
}
