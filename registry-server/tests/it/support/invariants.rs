//! What must hold in every registry at any time: what `fsck` checks, but for who signed the statements, as tests of the
//! store write statements that nobody signed.

use std::path::Path;

use skill_registry::blob::BlobStore;
use skill_registry::data::Folder;
use skill_registry::fsck;

use super::engine::connect;

/// Every invariant that does not hold, in words.
pub(super) async fn broken(url: &str, data: &Path) -> Vec<String> {
    let mut conn = connect(url).await;
    let blobs = BlobStore::folder(&Folder::at(data).blobs()).unwrap();
    let report = fsck::structure(&mut conn, &blobs).await.unwrap();
    report.findings.into_iter().map(|finding| format!("{}: {}", finding.family, finding.detail)).collect()
}
