use axum::extract::State;
use axum::{Extension, Json};
use http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::api::ReportKind;
use skill_core::name::{Owner, Slug};
use skill_core::version::Version;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::{IdPath, JsonBody};
use crate::moderation;
use crate::problem::ApiError;
use crate::store::reports::{Decision, Report};

/// A report as moderators see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReportView {
    id: String,
    #[schema(value_type = String)]
    owner: Owner,
    #[schema(value_type = String)]
    slug: Slug,
    #[schema(value_type = String)]
    version: Version,
    #[schema(value_type = String)]
    kind: ReportKind,
    reason: String,
    /// Who reports.
    #[schema(value_type = String)]
    by: Owner,
    #[schema(value_type = String)]
    at: Timestamp,
    /// `confirmed`, `dismissed`, or null while it waits.
    decision: Option<&'static str>,
    decided_by: Option<String>,
    #[schema(value_type = Option<String>)]
    decided_at: Option<Timestamp>,
    /// What the moderator said.
    note: Option<String>,
}

impl From<Report> for ReportView {
    fn from(report: Report) -> Self {
        let decided = report.decided;
        Self {
            id: report.id,
            owner: report.name.owner,
            slug: report.name.slug,
            version: report.version,
            kind: report.kind,
            reason: report.reason,
            by: report.by,
            at: report.at,
            decision: decided.as_ref().map(|decided| decided.decision.as_str()),
            decided_at: decided.as_ref().map(|decided| decided.at),
            decided_by: decided.as_ref().map(|decided| decided.by.clone()),
            note: decided.map(|decided| decided.note),
        }
    }
}

/// What a moderator says about a report.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Said {
    #[serde(default)]
    decision: String,
    #[serde(default)]
    note: String,
}

/// Decides a report. That closes nothing by itself.
#[utoipa::path(
    post,
    path = "/api/registry/v1/moderation/reports/{id}/decide",
    tag = "registry",
    security(("token" = [])),
    params(("id" = String, Path, description = "Id of the report")),
    request_body(
        content_type = "application/json",
        description = "`{\"decision\":\"confirmed\",\"note\":TEXT}`, or `dismissed`",
    ),
    responses((status = 200, body = ReportView), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn decide(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
    JsonBody(Said { decision, note }): JsonBody<Said>,
) -> Result<Json<ReportView>, ApiError> {
    app.disk().room()?;
    let decision: Decision =
        decision.parse().map_err(|error: skill_core::name::NameError| ApiError::Other {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            code: "decision-unreadable",
            title: error.to_string(),
        })?;
    let decided =
        moderation::decide_report(&app, &permit, &id, decision, &note).await.map_err(ApiError::from);
    Ok(Json(app.disk().noted(decided)?.into()))
}
