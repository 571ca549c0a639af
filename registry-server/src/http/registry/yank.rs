use axum::{Extension, Json, extract::State};
use serde::Serialize;
use skill_core::api::ReasonRequest;
use skill_core::name::{Owner, Slug};
use skill_core::state::ReleaseState;
use skill_core::version::Version;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Permit;
use crate::change;
use crate::http::extract::{JsonBody, ReleasePath};
use crate::problem::ApiError;

/// A release and where it stands now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Standing {
    /// Whose skill it is.
    #[schema(value_type = String)]
    pub(super) owner: Owner,
    /// Its slug.
    #[schema(value_type = String)]
    pub(super) slug: Slug,
    /// The number of the release.
    #[schema(value_type = String)]
    pub(super) version: Version,
    /// Where it stands.
    #[schema(value_type = String)]
    pub(super) status: ReleaseState,
}

/// Yanks a release: nothing chooses it any more but a lock that names it.
///
/// Yanking what is yanked changes nothing.
#[utoipa::path(
    post,
    path = "/api/registry/v1/skills/{owner}/{slug}/versions/{version}/yank",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
        ("version" = String, Path, description = "Number"),
    ),
    request_body(content_type = "application/json", description = "`{\"reason\": \"…\"}`"),
    responses((status = 200, body = Standing), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn yank(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    release: ReleasePath,
    JsonBody(ReasonRequest { reason }): JsonBody<ReasonRequest>,
) -> Result<Json<Standing>, ApiError> {
    say(&app, &permit, release, true, &reason).await
}

/// Takes a yank back.
#[utoipa::path(
    post,
    path = "/api/registry/v1/skills/{owner}/{slug}/versions/{version}/unyank",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
        ("version" = String, Path, description = "Number"),
    ),
    request_body(content_type = "application/json", description = "`{\"reason\": \"…\"}`"),
    responses((status = 200, body = Standing), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn unyank(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    release: ReleasePath,
    JsonBody(ReasonRequest { reason }): JsonBody<ReasonRequest>,
) -> Result<Json<Standing>, ApiError> {
    say(&app, &permit, release, false, &reason).await
}

async fn say(
    app: &App,
    permit: &Permit,
    ReleasePath { name, version }: ReleasePath,
    yanked: bool,
    reason: &str,
) -> Result<Json<Standing>, ApiError> {
    app.disk().room()?;
    let status = app.disk().noted(change::set_yanked(app, permit, &version, yanked, reason).await)?;
    Ok(Json(Standing { owner: name.owner, slug: name.slug, version, status }))
}
