use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use skill_core::digest::Sha256;
use skill_trust::TrustEnvelope;

use super::find::{self, Choice, Miss};
use crate::app::App;
use crate::auth::Caller;
use crate::http::access::Door;
use crate::http::extract::{SlugPath, VersionPath};
use crate::problem::ApiError;
use crate::signing::envelope::in_force;

/// Gives the trust envelope of a release: the signed statements about it, with their places in the log.
///
/// With the root chain beside it, nothing else is needed to verify the release (docs/FORMAT.md, "Trust
/// envelope"). Restrictions that were lifted are left out, with what lifted them.
#[utoipa::path(
    get,
    path = "/api/v1/skills/{slug}/versions/{version}/envelope",
    tag = "registry",
    params(
        ("slug" = String, Path, description = "Slug"),
        ("version" = String, Path, description = "Number"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill"),
    ),
    responses(
        (status = 200, content_type = "application/json", description = "`skill.trust-envelope.v1`"),
        (status = "4XX", content_type = "application/problem+json", description = "As for the archive"),
    ),
)]
pub(crate) async fn envelope(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    SlugPath(wanted): SlugPath,
    VersionPath(version): VersionPath,
) -> Result<Response, ApiError> {
    let mut conn = app.db().read().await?;
    let skill = find::skill(&app, &mut conn, &wanted).await.map_err(Miss::into_problem)?;
    let release =
        find::release(&mut conn, &skill, &Choice::Version(version), Door::Download, &caller).await?;
    let statements = in_force(&mut conn, &skill.id, &release.id).await?;
    drop(conn);
    let json = TrustEnvelope::new(statements).map_err(ApiError::internal)?.to_json();
    let tag = format!("\"{}\"", Sha256::of(&json));
    let mut response = json.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(ETAG, HeaderValue::from_str(&tag).map_err(ApiError::internal)?);
    Ok(response)
}
