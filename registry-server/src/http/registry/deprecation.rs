use axum::extract::State;
use axum::{Extension, Json};
use http::StatusCode;
use serde::Serialize;
use skill_core::api::DeprecationRequest;
use skill_core::name::{Owner, Slug};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Permit;
use crate::change;
use crate::http::extract::{JsonBody, SkillPath};
use crate::problem::ApiError;

/// A skill and why it should not be used any more.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Advice {
    /// Whose skill it is.
    #[schema(value_type = String)]
    owner: Owner,
    /// Its slug.
    #[schema(value_type = String)]
    slug: Slug,
    /// What its owner says.
    deprecated: String,
}

/// Says of a skill that it should not be used any more, and what to do instead.
///
/// It is advice: nothing is closed by it, and whoever installs the skill is warned.
#[utoipa::path(
    put,
    path = "/api/registry/v1/skills/{owner}/{slug}/deprecation",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
    ),
    request_body(content_type = "application/json", description = "`{\"message\": \"…\"}`"),
    responses((status = 200, body = Advice), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn deprecate(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    SkillPath(name): SkillPath,
    JsonBody(DeprecationRequest { message }): JsonBody<DeprecationRequest>,
) -> Result<Json<Advice>, ApiError> {
    app.disk().room()?;
    app.disk().noted(change::set_deprecated(&app, &permit, Some(&message)).await)?;
    Ok(Json(Advice { owner: name.owner, slug: name.slug, deprecated: message.trim().to_owned() }))
}

/// Takes a deprecation back. One that is not there is gone already, which is 204 too.
#[utoipa::path(
    delete,
    path = "/api/registry/v1/skills/{owner}/{slug}/deprecation",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
    ),
    responses((status = 204), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn undeprecate(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
) -> Result<StatusCode, ApiError> {
    app.disk().room()?;
    app.disk().noted(change::set_deprecated(&app, &permit, None).await)?;
    Ok(StatusCode::NO_CONTENT)
}
