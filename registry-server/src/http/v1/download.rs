use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use skill_core::digest::Sha256;
use skill_core::name::Slug;

use super::find::{self, Choice, Miss};
use super::resolve::bad_request;
use crate::app::App;
use crate::auth::Caller;
use crate::downloads::Client;
use crate::http::access::Door;
use crate::http::cache;
use crate::http::event_cache::{EventCache, Keep};
use crate::http::extract::{Query, Wanted};
use crate::problem::ApiError;
use crate::store::downloads::Class;
use crate::store::lines::Line;

/// Asked for again each time: what is quarantined is so at once.
const CACHING: &str = "no-cache";
const CONTENT_SHA256: HeaderName = HeaderName::from_static("x-content-sha256");
/// Up to here, in bytes, an archive is kept in memory beside the word that it may be given.
const HELD: u64 = 64 * 1024;
/// Bytes of all kept archives together.
const CAPACITY: usize = 8 << 20;

/// Archives that anybody may have, by the queries that ask for them.
pub(crate) type GivenArchives = EventCache<Given, CAPACITY>;

/// An archive that may be given, and how it is sent.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    release_id: Arc<str>,
    headers: HeaderMap,
    digest: Sha256,
    size: u64,
    held: Option<Bytes>,
}

impl Keep for Given {
    fn held(&self) -> usize {
        self.held.as_ref().map_or(0, Bytes::len)
    }
}

/// Gives the archive of a version: the canonical zip of its files, which its release statement names.
///
/// Whether the release may be given is asked of the database once for each event of the registry. An archive that
/// is missing or cut short is an error before the first byte.
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
    query: Query,
    request: Request,
) -> Result<Response, Miss> {
    let key = query.canonical();
    // Read before the database is asked: what is found may then be newer than this number says, never older.
    let event = app.pulse().event();
    let kept = app.given_archives().get(&key, event, app.clock().now());
    let is_kept = kept.is_some();
    let (mut given, for_all) = match kept {
        Some(given) => (given, true),
        None => find(&app, &query, &caller).await?,
    };
    let tag = given.headers[ETAG].clone();
    if cache::has(request.headers().get(IF_NONE_MATCH), &tag) {
        let caching = [(ETAG, tag), (CACHE_CONTROL, HeaderValue::from_static(CACHING))];
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let address =
        app.proxies().remote(request.extensions(), request.headers()).and_then(|remote| remote.address);
    let body = given.body(&app).await?;
    if let Some(client) = Client::of(&caller, address).filter(|_| request.method() == Method::GET) {
        let class = Class::of(request.headers(), address, &app.config().downloads.mirrors);
        app.downloads().note(&given.release_id, client, class);
    }
    let mut response = Response::new(body);
    *response.headers_mut() = given.headers.clone();
    if for_all && !is_kept {
        app.given_archives().put(key, event, given);
    }
    Ok(response)
}

/// The archive that a query asks for, and whether everybody may have it who asks.
async fn find(app: &App, query: &Query, caller: &Caller) -> Result<(Given, bool), Miss> {
    let slug = query.text("slug").ok_or_else(|| bad_request("Missing slug"))?;
    let wanted = Wanted::read(slug, query.text("ownerHandle").or_else(|| query.text("owner")))?;
    let choice = Choice::of(query)?;
    let mut conn = app.db().read().await?;
    let skill = find::skill(app, &mut conn, &wanted).await?;
    let release = find::release(&mut conn, &skill, &choice, Door::Download, caller).await?;
    Ok((Given::new(&skill.slug, &release)?, release.state.is_downloadable()))
}

impl Given {
    fn new(slug: &Slug, release: &Line) -> Result<Self, ApiError> {
        let header = |text: String| HeaderValue::from_str(&text).map_err(ApiError::internal);
        let digest = release.archive_sha256;
        let name = format!("attachment; filename=\"{slug}-{}.zip\"", release.version);
        let headers = [
            (CONTENT_TYPE, HeaderValue::from_static("application/zip")),
            (CONTENT_LENGTH, HeaderValue::from(release.archive_size)),
            (CONTENT_DISPOSITION, header(name)?),
            (ETAG, header(format!("\"{digest}\""))?),
            (CONTENT_SHA256, header(digest.to_string())?),
            (CACHE_CONTROL, HeaderValue::from_static(CACHING)),
        ];
        Ok(Self {
            release_id: release.id.as_str().into(),
            headers: headers.into_iter().collect(),
            digest,
            size: release.archive_size,
            held: None,
        })
    }

    /// Its bytes; a short archive is held from now on.
    async fn body(&mut self, app: &App) -> Result<Body, ApiError> {
        if let Some(held) = &self.held {
            return Ok(Body::from(held.clone()));
        }
        let blob = app.blobs().open(&self.digest, self.size).await?;
        if self.size > HELD {
            return Ok(Body::from_stream(blob.into_stream()));
        }
        let held = blob.into_bytes().await?;
        self.held = Some(held.clone());
        Ok(Body::from(held))
    }
}
