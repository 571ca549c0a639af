use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::name::{NameError, Owner, Slug};
use skill_core::version::Version;
use utoipa::ToSchema;

use super::proposals::WaitingView;
use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::{IdPath, JsonBody};
use crate::moderation::{self, Granting};
use crate::problem::ApiError;
use crate::store::appeals::{Answer, Appeal};

/// An appeal as moderators see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppealCaseView {
    id: String,
    #[schema(value_type = String)]
    owner: Owner,
    #[schema(value_type = String)]
    slug: Slug,
    #[schema(value_type = String)]
    version: Version,
    reason: String,
    /// Who appeals.
    #[schema(value_type = String)]
    by: Owner,
    #[schema(value_type = String)]
    at: Timestamp,
    /// `granted`, `declined`, or null while it waits.
    decision: Option<&'static str>,
    decided_by: Option<String>,
    #[schema(value_type = Option<String>)]
    decided_at: Option<Timestamp>,
    /// What the moderator said.
    note: Option<String>,
}

impl From<Appeal> for AppealCaseView {
    fn from(appeal: Appeal) -> Self {
        let answered = appeal.answered;
        Self {
            id: appeal.id,
            owner: appeal.name.owner,
            slug: appeal.name.slug,
            version: appeal.version,
            reason: appeal.reason,
            by: appeal.by,
            at: appeal.at,
            decision: answered.as_ref().map(|answered| answered.answer.as_str()),
            decided_by: answered.as_ref().map(|answered| answered.by.clone()),
            decided_at: answered.as_ref().map(|answered| answered.at),
            note: answered.map(|answered| answered.note),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Said {
    #[serde(default)]
    decision: String,
    #[serde(default)]
    note: String,
}

/// Answers an appeal. Granting it gives the release back.
#[utoipa::path(
    post,
    path = "/api/registry/v1/moderation/appeals/{id}/decide",
    tag = "registry",
    security(("token" = [])),
    params(("id" = String, Path, description = "Id of the appeal")),
    request_body(
        content_type = "application/json",
        description = "`{\"decision\":\"granted\",\"note\":TEXT}`, or `declined`",
    ),
    responses(
        (status = 200, body = AppealCaseView),
        (status = 202, body = WaitingView, description = "It waits for a second person"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn answer(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
    JsonBody(Said { decision, note }): JsonBody<Said>,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let answer: Answer = decision.parse().map_err(|error: NameError| ApiError::Other {
        status: StatusCode::UNPROCESSABLE_ENTITY,
        code: "decision-unreadable",
        title: error.to_string(),
    })?;
    let decided = moderation::decide_appeal(&app, &permit, &id, answer, &note).await.map_err(ApiError::from);
    Ok(match app.disk().noted(decided)? {
        Granting::Answered(appeal) => Json(AppealCaseView::from(*appeal)).into_response(),
        Granting::Waits { state, proposal } => {
            (StatusCode::ACCEPTED, Json(WaitingView::new(state, *proposal))).into_response()
        }
    })
}
