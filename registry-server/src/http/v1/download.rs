use std::net::SocketAddr;

use axum::Extension;
use axum::body::Body;
use axum::extract::{ConnectInfo, State};
use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use super::find::{self, Choice, Miss};
use super::resolve::bad_request;
use crate::app::App;
use crate::auth::Caller;
use crate::http::access::Door;
use crate::http::cache;
use crate::http::extract::{Query, Wanted};
use crate::problem::ApiError;

/// Asked for again each time: what is quarantined is so at once.
const CACHING: &str = "no-cache";
const CONTENT_SHA256: HeaderName = HeaderName::from_static("x-content-sha256");

/// Gives the archive of a version: the canonical zip of its files, which its release statement names.
///
/// Whether the release may be given is asked of the database every time. An archive that is missing or cut
/// short is an error before the first byte.
#[utoipa::path(
    get,
    path = "/api/v1/download",
    tag = "clawhub",
    params(
        ("slug" = String, Query, description = "Slug"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill"),
        ("version" = Option<String>, Query, description = "Number"),
        ("tag" = Option<String>, Query, description = "Tag; without both, `latest`"),
    ),
    responses(
        (status = 200, content_type = "application/zip", description = "The archive"),
        (status = 304, description = "`If-None-Match` names the `ETag`, and the archive may be given"),
        (status = 400, description = "`Missing slug`"),
        (status = 403, description = "Quarantined"),
        (status = 404, description = "`Skill not found`, `Version not found`"),
        (status = 410, description = "`Version not available`"),
        (status = 423, description = "Pending"),
    ),
)]
pub(crate) async fn download(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    address: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, Miss> {
    let slug = query.text("slug").ok_or_else(|| bad_request("Missing slug"))?;
    let wanted = Wanted::read(slug, query.text("ownerHandle").or_else(|| query.text("owner")))?;
    let choice = Choice::of(&query)?;
    let mut conn = app.db().read().await?;
    let skill = find::skill(&app, &mut conn, &wanted).await?;
    let release = find::release(&mut conn, &skill, &choice, Door::Download, &caller).await?;
    drop(conn);
    let header = |text: String| HeaderValue::from_str(&text).map_err(ApiError::internal);
    let tag = header(format!("\"{}\"", release.archive_sha256))?;
    if cache::has(headers.get(IF_NONE_MATCH), &tag) {
        let caching = [(ETAG, tag), (CACHE_CONTROL, HeaderValue::from_static(CACHING))];
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let blob =
        app.blobs().open(&release.archive_sha256, release.archive_size).await.map_err(ApiError::from)?;
    app.downloads().note(&release.id, &caller, address.map(|Extension(ConnectInfo(address))| address));
    let name = format!("attachment; filename=\"{}-{}.zip\"", skill.slug, release.version);
    let mut response = Response::new(Body::from_stream(blob.into_stream()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(release.archive_size));
    headers.insert(CONTENT_DISPOSITION, header(name)?);
    headers.insert(ETAG, tag);
    headers.insert(CONTENT_SHA256, header(release.archive_sha256.to_string())?);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(CACHING));
    Ok(response)
}
