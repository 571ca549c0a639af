//! The text of a release's `SKILL.md`, and other files of it, read from its archive.

use std::collections::{BTreeMap, BTreeSet};

use skill_bundle::{BundleError, BundlePath, Limits, SKILL_MD, open_archive, read_entry};

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

/// Releases of at most so many bytes are unpacked whole where several files of them are wanted: to look each up in the
/// archive's list costs more.
const UNPACKED: u64 = 4 << 20;

/// Several files of a release's archive, by their paths; what is not in it is left out.
pub(crate) async fn files_of(
    app: &App,
    release: &Line,
    wanted: BTreeSet<String>,
) -> Result<BTreeMap<String, Vec<u8>>, ApiError> {
    if wanted.is_empty() {
        return Ok(BTreeMap::new());
    }
    let paths: Vec<BundlePath> = wanted
        .iter()
        .map(|path| BundlePath::parse(path))
        .collect::<Result<_, _>>()
        .map_err(ApiError::internal)?;
    let _slot = app.file_reads().acquire().await;
    let blob = app.blobs().open(&release.archive_sha256, release.archive_size).await?;
    let mut archive = blob.into_file().await?;
    let whole = release.size <= UNPACKED;
    let read = tokio::task::spawn_blocking(move || {
        let mut found = BTreeMap::new();
        if whole {
            let (bundle, _) = open_archive(&mut archive, &Limits::default())?;
            let files = bundle.files().filter(|(path, _)| wanted.contains(path.as_str()));
            found.extend(files.map(|(path, file)| (path.to_string(), file.content().to_vec())));
            return Ok(found);
        }
        for path in paths {
            if let Some(content) = read_entry(&mut archive, &path, &Limits::default())? {
                found.insert(path.to_string(), content);
            }
        }
        Ok::<_, BundleError>(found)
    });
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
