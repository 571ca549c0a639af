//! The text of a release's `SKILL.md`, read from its archive.

use skill_bundle::{BundlePath, Limits, SKILL_MD, read_entry};

use crate::app::App;
use crate::problem::ApiError;
use crate::store::lines::Line;

/// Longer texts are cut where they are shown (ClawHub contract 1.6: up to 200 KB).
pub(crate) const SHOWN_BYTES: usize = 200_000;

/// One file of a release's archive; `None` if it is not in it.
pub(crate) async fn file_of(
    app: &App,
    release: &Line,
    path: BundlePath,
) -> Result<Option<Vec<u8>>, ApiError> {
    // Held until the bytes are in memory: that many files at a time are unpacked, whoever asks.
    let _slot = app.file_reads().acquire().await;
    let blob = app.blobs().open(&release.archive_sha256, release.archive_size).await?;
    let mut archive = blob.into_file().await?;
    let read = tokio::task::spawn_blocking(move || read_entry(&mut archive, &path, &Limits::default()));
    read.await.map_err(ApiError::internal)?.map_err(ApiError::internal)
}

/// `SKILL.md` as text, cut at [`SHOWN_BYTES`].
pub(crate) async fn skill_md(app: &App, release: &Line) -> Result<String, ApiError> {
    let path = BundlePath::parse(SKILL_MD).map_err(ApiError::internal)?;
    let bytes = file_of(app, release, path).await?.unwrap_or_default();
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if text.len() > SHOWN_BYTES {
        let end = (0..=SHOWN_BYTES).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
        text.truncate(end);
    }
    Ok(text)
}
