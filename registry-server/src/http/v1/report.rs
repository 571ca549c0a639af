use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use skill_core::api::{ReportKind, ReportRequest};
use utoipa::ToSchema;

use super::answer::json;
use super::find::{self, Miss};
use crate::app::App;
use crate::auth::{On, Permit};
use crate::http::extract::{JsonBody, SlugPath, Wanted, version_not_found};
use crate::moderation;
use crate::problem::ApiError;

/// What stock clients send (contract 1.15).
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Body {
    #[serde(default)]
    reason: String,
    #[serde(default)]
    version: Option<String>,
    #[serde(default)]
    owner_handle: Option<String>,
}

/// What they are told.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReportTaken {
    ok: bool,
    /// Whether this request made a report.
    reported: bool,
    /// Whether a report of the same user waits to be decided.
    already_reported: bool,
    report_id: String,
    skill_id: String,
    /// Reports of the skill that wait to be decided.
    report_count: u64,
}

/// Tells the moderators about a skill.
#[utoipa::path(
    post,
    path = "/api/v1/skills/{slug}/report",
    tag = "clawhub",
    security(("token" = [])),
    params(
        ("slug" = String, Path, description = "Slug"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill; the body may say it too"),
    ),
    request_body(
        content_type = "application/json",
        description = "`{\"reason\":TEXT,\"version\":VERSION,\"ownerHandle\":HANDLE}`, the last two if they matter",
    ),
    responses((status = 200, body = ReportTaken), (status = 404, description = "`Skill not found`")),
)]
pub(crate) async fn report(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    SlugPath(Wanted { owner, slug }): SlugPath,
    JsonBody(body): JsonBody<Body>,
) -> Result<Response, Miss> {
    let said = Wanted::read(slug.as_str(), body.owner_handle.as_deref())?;
    let wanted = Wanted { owner: said.owner.or(owner), slug };
    let version = body.version.as_deref().map(str::parse).transpose().map_err(|_| version_not_found())?;
    app.disk().room()?;
    let name = find::skill(&app, &mut *app.db().read().await?, &wanted).await?.name();
    let permit = permit.narrow(On::Skill(name))?;
    let request = ReportRequest { kind: ReportKind::Other, reason: body.reason, version };
    let filed = moderation::report(&app, &permit, &request).await.map_err(ApiError::from);
    let filed = app.disk().noted(filed)?;
    Ok(json(&ReportTaken {
        ok: true,
        reported: !filed.already,
        already_reported: filed.already,
        report_id: filed.id,
        skill_id: filed.skill_id,
        report_count: filed.open,
    }))
}
