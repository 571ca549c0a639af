use axum::extract::State;
use axum::{Extension, Json};
use skill_core::api::{ReasonRequest, SkillDeleted, SkillUndeleted};

use super::yank::Standing;
use crate::app::App;
use crate::auth::Permit;
use crate::change::{self, Deletion, Undeletion};
use crate::http::extract::{JsonBody, ReleasePath, SkillPath};
use crate::problem::ApiError;

/// Withdraws a release: nobody gets it any more. Its number stays used.
///
/// Withdrawing what is withdrawn changes nothing. What the registry closed is 409 `release-closed`.
#[utoipa::path(
    post,
    path = "/api/registry/v1/skills/{owner}/{slug}/versions/{version}/withdraw",
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
pub(crate) async fn withdraw(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    release: ReleasePath,
    JsonBody(ReasonRequest { reason }): JsonBody<ReasonRequest>,
) -> Result<Json<Standing>, ApiError> {
    turn(&app, &permit, release, true, &reason).await
}

/// Brings a withdrawn release back: it stands as it did before.
#[utoipa::path(
    post,
    path = "/api/registry/v1/skills/{owner}/{slug}/versions/{version}/restore",
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
pub(crate) async fn restore(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    release: ReleasePath,
    JsonBody(ReasonRequest { reason }): JsonBody<ReasonRequest>,
) -> Result<Json<Standing>, ApiError> {
    turn(&app, &permit, release, false, &reason).await
}

async fn turn(
    app: &App,
    permit: &Permit,
    ReleasePath { name, version }: ReleasePath,
    withdrawn: bool,
    reason: &str,
) -> Result<Json<Standing>, ApiError> {
    app.disk().room()?;
    let changed = change::set_withdrawn(app, permit, &version, withdrawn, reason).await;
    let status = app.disk().noted(changed)?;
    Ok(Json(Standing { owner: name.owner, slug: name.slug, version, status }))
}

/// Deletes a whole skill: nobody gets any of its releases any more, and its numbers stay used.
///
/// `reservedUntil` says until when nobody else may take the bare slug; it is absent where another skill holds that.
/// Deleting what is deleted changes nothing, not even that time.
#[utoipa::path(
    delete,
    path = "/api/registry/v1/skills/{owner}/{slug}",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
    ),
    request_body(content_type = "application/json", description = "`{\"reason\": \"…\"}`, or no body"),
    responses(
        (status = 200, content_type = "application/json", description = "`owner`, `slug`, `releases`, `reservedUntil`"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn delete(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    SkillPath(name): SkillPath,
    JsonBody(ReasonRequest { reason }): JsonBody<ReasonRequest>,
) -> Result<Json<SkillDeleted>, ApiError> {
    app.disk().room()?;
    let Deletion { releases, reserved_until } =
        app.disk().noted(change::delete(&app, &permit, &reason).await)?;
    Ok(Json(SkillDeleted { owner: name.owner, slug: name.slug, releases, reserved_until }))
}

/// Brings a deleted skill back: each of its releases stands as it did before.
///
/// The bare slug is its own again unless somebody took it meanwhile; `bareSlug` says so.
#[utoipa::path(
    post,
    path = "/api/registry/v1/skills/{owner}/{slug}/undelete",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
    ),
    request_body(content_type = "application/json", description = "`{\"reason\": \"…\"}`, or no body"),
    responses(
        (status = 200, content_type = "application/json", description = "`owner`, `slug`, `releases`, `bareSlug`"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn undelete(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    SkillPath(name): SkillPath,
    JsonBody(ReasonRequest { reason }): JsonBody<ReasonRequest>,
) -> Result<Json<SkillUndeleted>, ApiError> {
    app.disk().room()?;
    let Undeletion { releases, bare_slug } =
        app.disk().noted(change::undelete(&app, &permit, &reason).await)?;
    Ok(Json(SkillUndeleted { owner: name.owner, slug: name.slug, releases, bare_slug }))
}
