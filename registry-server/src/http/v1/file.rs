use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
    X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use skill_bundle::BundlePath;

use super::find::{self, Choice, Miss};
use super::resolve::bad_request;
use crate::app::App;
use crate::auth::Caller;
use crate::http::access::Door;
use crate::http::cache;
use crate::http::extract::{Query, SlugPath, file_not_found};
use crate::problem::ApiError;
use crate::publish::content_type;
use crate::skill_md::{SHOWN_BYTES, file_of};
use crate::store::files::{self, FileRow};

/// Asked for again each time, which the entity tag makes cheap: what is quarantined is so at once.
const CACHING: &str = "no-cache";
const CONTENT_SHA256: HeaderName = HeaderName::from_static("x-content-sha256");
const CONTENT_SIZE: HeaderName = HeaderName::from_static("x-content-size");

/// Gives one file of a version: its bytes as they were published.
///
/// The path is looked up as it is spelled, then in any letter case. Browsers are told to save it, never to
/// show or run it: scripts, styles and documents are plain text or octets. `preview=1` gives UTF-8 text up to 200 KB to be shown.
#[utoipa::path(
    get,
    path = "/api/v1/skills/{slug}/file",
    tag = "clawhub",
    params(
        ("slug" = String, Path, description = "Slug"),
        ("path" = String, Query, description = "Path inside the bundle"),
        ("version" = Option<String>, Query, description = "Number"),
        ("tag" = Option<String>, Query, description = "Tag; without both, `latest`"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill"),
        ("preview" = Option<String>, Query, description = "`1`: as text"),
    ),
    responses(
        (status = 200, content_type = "application/octet-stream", description = "The file"),
        (status = 304, description = "`If-None-Match` names the `ETag`"),
        (status = 400, description = "`Missing path`"),
        (status = 404, description = "`File not found`, `Version not found`, `Skill not found`"),
        (status = 413, description = "Too long for a preview"),
        (status = 415, description = "No text, for a preview"),
    ),
)]
pub(crate) async fn file(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    SlugPath(wanted): SlugPath,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, Miss> {
    let path = query.text("path").ok_or_else(|| bad_request("Missing path"))?;
    let choice = Choice::of(&query)?;
    let mut conn = app.db().read().await?;
    let skill = find::skill(&app, &mut conn, &wanted).await?;
    let release = find::release(&mut conn, &skill, &choice, Door::Detail, &caller).await?;
    let listed = files::of_release(&mut conn, &release.id).await?;
    drop(conn);
    let row = listed
        .iter()
        .find(|file| file.path == path)
        .or_else(|| listed.iter().find(|file| file.path.eq_ignore_ascii_case(path)))
        .ok_or_else(file_not_found)?;
    let preview_wanted = query.flag("preview");
    let tag = HeaderValue::from_str(&format!("\"{}\"", row.sha256)).map_err(ApiError::internal)?;
    if !preview_wanted && cache::has(headers.get(IF_NONE_MATCH), &tag) {
        let caching = [(ETAG, tag), (CACHE_CONTROL, HeaderValue::from_static(CACHING))];
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let inside = BundlePath::parse(&row.path).map_err(ApiError::internal)?;
    let missing = || ApiError::internal(format!("{} is not in the archive of its release", row.path));
    let bytes = file_of(&app, &release, inside).await?.ok_or_else(missing)?;
    if preview_wanted { Ok(preview(bytes)?) } else { Ok(raw(row, tag, bytes)?) }
}

fn raw(row: &FileRow, tag: HeaderValue, bytes: Vec<u8>) -> Result<Response, ApiError> {
    let name = row.path.rsplit('/').next().unwrap_or(&row.path);
    let name = utf8_percent_encode(name, NON_ALPHANUMERIC);
    let header = |text: String| HeaderValue::from_str(&text).map_err(ApiError::internal);
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type::served(&row.content_type)));
    headers.insert(ETAG, tag);
    headers.insert(CONTENT_SHA256, header(row.sha256.to_string())?);
    headers.insert(CONTENT_SIZE, HeaderValue::from(row.size));
    headers.insert(CONTENT_DISPOSITION, header(format!("attachment; filename*=UTF-8''{name}"))?);
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(CACHING));
    Ok(response)
}

fn preview(bytes: Vec<u8>) -> Result<Response, ApiError> {
    if bytes.len() > SHOWN_BYTES {
        return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, "preview-large", "File too large to preview"));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "preview-binary", "File is not text"))?;
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(CACHING));
    Ok(response)
}

fn refused(status: StatusCode, code: &'static str, title: &str) -> ApiError {
    ApiError::Other { status, code, title: title.to_owned() }
}
