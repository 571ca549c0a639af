use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use http::StatusCode;
use skill_core::api::{ReportRequest, Reported};

use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::JsonBody;
use crate::moderation::{self, Filed};
use crate::problem::ApiError;

/// Tells the moderators about a skill, a closed one too.
///
/// A second report of a skill by the same user is answered with the first, as long as that waits to be decided.
#[utoipa::path(
    post,
    path = "/api/registry/v1/skills/{owner}/{slug}/reports",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
    ),
    request_body(
        content_type = "application/json",
        description = "`{\"kind\":KIND,\"reason\":TEXT,\"version\":VERSION}`",
    ),
    responses(
        (status = 201, content_type = "application/json", description = "It was taken"),
        (status = 200, content_type = "application/json", description = "It was there"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn report(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    JsonBody(request): JsonBody<ReportRequest>,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let filed = moderation::report(&app, &permit, &request).await.map_err(ApiError::from);
    let Filed { id, name, version, kind, already, .. } = app.disk().noted(filed)?;
    let status = if already { StatusCode::OK } else { StatusCode::CREATED };
    let reported =
        Reported { id, owner: name.owner, slug: name.slug, version, kind, already_reported: already };
    Ok((status, Json(reported)).into_response())
}
