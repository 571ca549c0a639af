use axum::extract::State;
use axum::{Extension, Json};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::version::Version;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::{IdPath, JsonBody};
use crate::moderation;
use crate::problem::ApiError;
use crate::store::holds::Hold;

/// What a release waited for, as moderators see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HoldView {
    id: String,
    #[schema(value_type = String)]
    version: Version,
    /// `look-alike`, `first-publishes` or `engine`.
    kind: &'static str,
    /// Why, in a sentence.
    why: String,
    #[schema(value_type = String)]
    at: Timestamp,
    /// `passed`, `refused`, or null while it waits.
    decision: Option<&'static str>,
    decided_by: Option<String>,
    #[schema(value_type = Option<String>)]
    decided_at: Option<Timestamp>,
    /// What the moderator said.
    note: Option<String>,
}

impl From<Hold> for HoldView {
    fn from(hold: Hold) -> Self {
        let decided = hold.decided;
        Self {
            id: hold.id,
            version: hold.version,
            kind: hold.kind.as_str(),
            why: hold.why,
            at: hold.at,
            decision: decided.as_ref().map(|decided| if decided.passed { "passed" } else { "refused" }),
            decided_at: decided.as_ref().map(|decided| decided.at),
            decided_by: decided.as_ref().map(|decided| decided.by.clone()),
            note: decided.map(|decided| decided.note),
        }
    }
}

/// What a moderator says about a hold.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Said {
    #[serde(default)]
    reason: String,
}

/// Lets the releases of a skill be seen that wait for the same.
#[utoipa::path(
    post,
    path = "/api/registry/v1/moderation/holds/{id}/pass",
    tag = "registry",
    security(("token" = [])),
    params(("id" = String, Path, description = "Id of the hold")),
    request_body(content_type = "application/json", description = "`{\"reason\": \"…\"}`, which may be empty"),
    responses((status = 200, body = HoldView), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn pass(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
    JsonBody(Said { reason }): JsonBody<Said>,
) -> Result<Json<HoldView>, ApiError> {
    app.disk().room()?;
    let hold = app.disk().noted(moderation::pass_hold(&app, &permit, &id, &reason).await)?;
    Ok(Json(hold.into()))
}

/// Takes down the releases of a skill that wait for the same.
#[utoipa::path(
    post,
    path = "/api/registry/v1/moderation/holds/{id}/refuse",
    tag = "registry",
    security(("token" = [])),
    params(("id" = String, Path, description = "Id of the hold")),
    request_body(content_type = "application/json", description = "`{\"reason\": \"…\"}`"),
    responses((status = 200, body = HoldView), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn refuse(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
    JsonBody(Said { reason }): JsonBody<Said>,
) -> Result<Json<HoldView>, ApiError> {
    app.disk().room()?;
    let hold = app.disk().noted(moderation::refuse_hold(&app, &permit, &id, &reason).await)?;
    Ok(Json(hold.into()))
}
