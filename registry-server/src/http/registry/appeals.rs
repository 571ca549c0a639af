use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use http::StatusCode;
use skill_core::api::{AppealAnswer, AppealList, AppealView, ReasonRequest};

use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::{JsonBody, ReleasePath};
use crate::moderation::{self, Appealed};
use crate::problem::ApiError;
use crate::store::appeals::Appeal;

/// Asks the moderators to look again at a release that the registry closed.
///
/// A second appeal against the same is answered with the first, as long as that waits.
#[utoipa::path(
    post,
    path = "/api/registry/v1/skills/{owner}/{slug}/versions/{version}/appeals",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
        ("version" = String, Path, description = "Number"),
    ),
    request_body(content_type = "application/json", description = "`{\"reason\": \"…\"}`"),
    responses(
        (status = 201, content_type = "application/json", description = "It was taken"),
        (status = 200, content_type = "application/json", description = "It was there"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn appeal(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    ReleasePath { version, .. }: ReleasePath,
    JsonBody(ReasonRequest { reason }): JsonBody<ReasonRequest>,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let appealed = moderation::appeal(&app, &permit, &version, &reason).await.map_err(ApiError::from);
    let Appealed { appeal, already } = app.disk().noted(appealed)?;
    let status = if already { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Json(AppealAnswer { appeal: view(appeal), already_open: already })).into_response())
}

/// Lists what was said against the closing of a release, and what moderators answered.
#[utoipa::path(
    get,
    path = "/api/registry/v1/skills/{owner}/{slug}/versions/{version}/appeals",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
        ("version" = String, Path, description = "Number"),
    ),
    responses(
        (status = 200, content_type = "application/json", description = "`appeals`: the one that waits, then the newest"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn appeals(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    ReleasePath { version, .. }: ReleasePath,
) -> Result<Json<AppealList>, ApiError> {
    let appeals = moderation::appeals_about(&app, &permit, &version).await?;
    Ok(Json(AppealList { appeals: appeals.into_iter().map(view).collect() }))
}

/// An appeal as its publisher sees it: which moderator decided is not told.
fn view(appeal: Appeal) -> AppealView {
    let answered = appeal.answered;
    AppealView {
        id: appeal.id,
        owner: appeal.name.owner,
        slug: appeal.name.slug,
        version: appeal.version,
        by: appeal.by,
        reason: appeal.reason,
        at: appeal.at,
        decision: answered.as_ref().map(|answered| answered.answer.as_str().to_owned()),
        decided_at: answered.as_ref().map(|answered| answered.at),
        note: answered.map(|answered| answered.note),
    }
}
