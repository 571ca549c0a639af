use std::io::{Seek as _, Write as _};

use axum::extract::multipart::Field;
use skill_core::api::PublishMeta;

use super::PublishError;
use crate::app::App;
use crate::auth::Permit;
use crate::http::upload::{CutOff, Upload};
use crate::nul;

/// The most bytes that the part `meta` may have.
const META_BYTES: usize = 64 * 1024;
/// The most characters of a changelog.
const CHANGELOG_CHARACTERS: usize = 10_000;

/// An upload that has come in whole: who sends it, what is asked for, and the archive in a temporary file
/// without a name, which is gone when the process is.
///
/// That the caller may publish at all was checked before the first byte of the body was read.
#[derive(Debug)]
pub(super) struct Received {
    pub(super) permit: Permit,
    pub(super) meta: PublishMeta,
    pub(super) archive: std::fs::File,
}

impl Received {
    /// Reads the form: `meta`, then `archive`. Parts after these are not read.
    pub(super) async fn read(app: &App, permit: Permit, mut form: Upload) -> Result<Self, PublishError> {
        let meta = read_meta(next(&mut form, "meta").await?).await?;
        let archive = next(&mut form, "archive").await?;
        let archive = keep(app, archive).await?;
        Ok(Self { permit, meta, archive })
    }
}

async fn next<'f>(form: &'f mut Upload, name: &'static str) -> Result<Field<'f>, PublishError> {
    let field = form.next_field().await.map_err(|error| unreadable(&error))?;
    match field {
        Some(field) if field.name() == Some(name) => Ok(field),
        Some(field) => Err(PublishError::Form {
            reason: format!(
                "the part `{}` stands where `{name}` is expected",
                field.name().unwrap_or_default()
            ),
        }),
        None => Err(PublishError::Form { reason: format!("the part `{name}` is missing") }),
    }
}

async fn read_meta(mut field: Field<'_>) -> Result<PublishMeta, PublishError> {
    let wrong = |why: String| PublishError::Form { reason: format!("the part `meta`: {why}") };
    let mut json = Vec::new();
    while let Some(piece) = field.chunk().await.map_err(|error| unreadable(&error))? {
        if json.len() + piece.len() > META_BYTES {
            return Err(wrong(format!("it has more than {META_BYTES} bytes")));
        }
        json.extend_from_slice(&piece);
    }
    meta(&json).map_err(wrong)
}

/// What is asked for, from its JSON; or what is wrong with that.
pub(super) fn meta(json: &[u8]) -> Result<PublishMeta, String> {
    // Else a list would be taken for the keys in their order.
    if !json.trim_ascii_start().starts_with(b"{") {
        return Err("it is no object of JSON".to_owned());
    }
    let meta: PublishMeta = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    if nul::is_in_json(json) {
        return Err("it holds the character U+0000".to_owned());
    }
    if meta.source_commit.as_ref().is_some_and(|commit| !is_commit(commit)) {
        return Err("`sourceCommit` is not 40 or 64 hex digits".to_owned());
    }
    if meta.version.is_some() && meta.bump.is_some() {
        return Err("`version` and `bump` exclude each other".to_owned());
    }
    if meta.changelog.chars().count() > CHANGELOG_CHARACTERS {
        return Err(format!("the changelog has more than {CHANGELOG_CHARACTERS} characters"));
    }
    Ok(meta)
}

/// A commit of git, by SHA-1 or SHA-256.
fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Streams the archive to a temporary file and stops at the limit.
async fn keep(app: &App, mut field: Field<'_>) -> Result<std::fs::File, PublishError> {
    let limit = app.publishing().limits.archive_bytes;
    let mut file = tempfile::tempfile_in(&app.publishing().scratch)?;
    let mut size: u64 = 0;
    while let Some(piece) = field.chunk().await.map_err(|error| unreadable(&error))? {
        size += piece.len() as u64;
        if size > limit {
            return Err(PublishError::ArchiveLarge { limit });
        }
        file = super::blocking(move || {
            file.write_all(&piece)?;
            Ok(file)
        })
        .await?;
    }
    file.rewind()?;
    Ok(file)
}

fn unreadable(error: &axum::extract::multipart::MultipartError) -> PublishError {
    match CutOff::of(error) {
        Some(why) => PublishError::CutOff(why),
        None => PublishError::Form { reason: error.body_text() },
    }
}
