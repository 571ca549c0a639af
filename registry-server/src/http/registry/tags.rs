use axum::{Extension, Json, extract::State};
use http::StatusCode;
use serde::Serialize;
use skill_core::api::TagRequest;
use skill_core::name::{Owner, Slug, Tag};
use skill_core::version::Version;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Permit;
use crate::change;
use crate::http::extract::{JsonBody, TagPath};
use crate::problem::ApiError;

/// A tag and what it points to now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Tagged {
    /// Whose skill it is.
    #[schema(value_type = String)]
    owner: Owner,
    /// Its slug.
    #[schema(value_type = String)]
    slug: Slug,
    /// The tag.
    #[schema(value_type = String)]
    tag: Tag,
    /// The release that it points to.
    #[schema(value_type = String)]
    version: Version,
}

/// Lets a tag point to a release.
///
/// `latest` set so holds until a version higher than every earlier one is published, or until the release may no
/// longer be chosen.
#[utoipa::path(
    put,
    path = "/api/registry/v1/skills/{owner}/{slug}/tags/{tag}",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
        ("tag" = String, Path, description = "The tag"),
    ),
    request_body(content_type = "application/json", description = "`{\"version\": \"1.2.3\"}`"),
    responses((status = 200, body = Tagged), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn set_tag(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    TagPath { name, tag }: TagPath,
    JsonBody(wanted): JsonBody<Option<TagRequest>>,
) -> Result<Json<Tagged>, ApiError> {
    let TagRequest { version } = wanted.ok_or_else(|| ApiError::Other {
        status: StatusCode::BAD_REQUEST,
        code: "body-unreadable",
        title: "the body does not say a version".to_owned(),
    })?;
    app.disk().room()?;
    app.disk().noted(change::set_tags(&app, &permit, std::slice::from_ref(&tag), &version).await)?;
    Ok(Json(Tagged { owner: name.owner, slug: name.slug, tag, version }))
}

/// Removes a tag. Removing `latest` gives it back to the rule.
///
/// One that is not there is gone already, which is 204 too.
#[utoipa::path(
    delete,
    path = "/api/registry/v1/skills/{owner}/{slug}/tags/{tag}",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
        ("tag" = String, Path, description = "The tag"),
    ),
    responses((status = 204), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn remove_tag(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    TagPath { tag, .. }: TagPath,
) -> Result<StatusCode, ApiError> {
    app.disk().room()?;
    app.disk().noted(change::remove_tag(&app, &permit, &tag).await)?;
    Ok(StatusCode::NO_CONTENT)
}
