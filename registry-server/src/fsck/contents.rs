use std::collections::BTreeSet;

use skill_bundle::{Limits, Tree, open_archive};
use skill_core::digest::TreeDigest;

use super::finding::{Family, Report};
use crate::blob::BlobStore;
use crate::store::lines::Line;
use crate::store::{Conn, StoreError, files, lines, releases, skills};

const PAGE: u32 = 100;

/// What a file is, as archive and rows say alike: path, bytes, digest, executable bit.
type Listed = (String, u64, String, bool);

/// Every archive opens, its files have the tree digest of the release, and they are those that the rows list.
pub(super) async fn check(conn: &mut Conn, blobs: &BlobStore, report: &mut Report) -> Result<(), StoreError> {
    let mut after = String::new();
    loop {
        // What cannot be read is told with the states.
        let Ok(page) = skills::page(conn, &after, PAGE).await else { return Ok(()) };
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.id);
        for skill in &page {
            for line in lines::of_skill(conn, &skill.id).await.unwrap_or_default() {
                let what = format!("{} {}", skill.name(), line.version);
                let wrong = wrong(conn, blobs, &line).await;
                if let Some(Some(wrong)) = report.readable(Family::Contents, &what, wrong)? {
                    report.wrong(Family::Contents, format!("{what}: {wrong}"));
                }
                report.saw(Family::Contents, 1);
            }
        }
    }
}

async fn wrong(conn: &mut Conn, blobs: &BlobStore, line: &Line) -> Result<Option<String>, StoreError> {
    // An archive that is missing or has other bytes is told with the archives.
    let Ok(blob) = blobs.open(&line.archive_sha256, line.archive_size).await else { return Ok(None) };
    let Ok(file) = blob.into_file().await else { return Ok(None) };
    let Some(release) = releases::by_id(conn, &line.id).await? else { return Ok(None) };
    let (tree, in_archive) = match tokio::task::spawn_blocking(move || opened(file)).await {
        Ok(Ok(opened)) => opened,
        Ok(Err(error)) => return Ok(Some(format!("its archive does not open: {error}"))),
        Err(error) => return Ok(Some(format!("its archive does not open: {error}"))),
    };
    if tree != release.tree_digest {
        return Ok(Some(format!(
            "its files have the tree digest {tree}, the release says {}",
            release.tree_digest
        )));
    }
    let rows = files::of_release(conn, &line.id).await?;
    let listed: BTreeSet<Listed> =
        rows.into_iter().map(|row| (row.path, row.size, row.sha256.to_hex(), row.executable)).collect();
    let other = listed.symmetric_difference(&in_archive).next();
    Ok(other.map(|(path, ..)| format!("{path} is not in the archive as it is listed")))
}

fn opened(mut file: std::fs::File) -> Result<(TreeDigest, BTreeSet<Listed>), skill_bundle::BundleError> {
    let (bundle, _) = open_archive(&mut file, &Limits::default())?;
    let listed = bundle
        .files()
        .map(|(path, file)| {
            (path.as_str().to_owned(), file.size(), file.sha256().to_hex(), file.executable())
        })
        .collect();
    Ok((Tree::of(&bundle).digest(), listed))
}
