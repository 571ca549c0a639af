use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use skill_core::name::{Owner, Slug};
use skill_core::version::Version;
use utoipa::ToSchema;

use super::answer::json;
use crate::app::App;
use crate::auth::Permit;
use crate::http::cursor::Cursor;
use crate::http::extract::{IdPath, JsonBody, Query};
use crate::moderation;
use crate::problem::ApiError;
use crate::store::reports::{Decision, Ended, Report};

const LIMIT: usize = 25;
const MOST: usize = 200;

/// A page of reports.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReportPage {
    /// Oldest first.
    items: Vec<ReportItem>,
    /// What to ask for next; null at the end.
    next_cursor: Option<String>,
}

/// A report in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReportItem {
    report_id: String,
    #[schema(value_type = String)]
    owner_handle: Owner,
    #[schema(value_type = String)]
    slug: Slug,
    #[schema(value_type = String)]
    version: Version,
    /// `open`, `confirmed` or `dismissed`.
    status: &'static str,
    kind: &'static str,
    reason: String,
    #[schema(value_type = String)]
    reporter_handle: Owner,
    created_at: i64,
    triaged_at: Option<i64>,
    triage_note: Option<String>,
}

impl From<Report> for ReportItem {
    fn from(report: Report) -> Self {
        let decided = report.decided;
        Self {
            report_id: report.id,
            owner_handle: report.name.owner,
            slug: report.name.slug,
            version: report.version,
            status: decided.as_ref().map_or("open", |decided| decided.decision.as_str()),
            kind: report.kind.as_str(),
            reason: report.reason,
            reporter_handle: report.by,
            created_at: report.at.as_millisecond(),
            triaged_at: decided.as_ref().map(|decided| decided.at.as_millisecond()),
            triage_note: decided.map(|decided| decided.note),
        }
    }
}

/// Lists reports, oldest first.
#[utoipa::path(
    get,
    path = "/api/v1/skills/-/reports",
    tag = "clawhub",
    security(("token" = [])),
    params(
        ("status" = Option<String>, Query, description = "`open` (if it is not said), `confirmed`, `dismissed` or `all`"),
        ("limit" = Option<u32>, Query, description = "1 to 200, 25 if it is not said"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses((status = 200, body = ReportPage), (status = 400, description = "Another status or cursor")),
)]
pub(crate) async fn reports(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Response, ApiError> {
    let ended = match query.text("status").unwrap_or("open") {
        "open" => Ended::Not,
        "all" => Ended::Any,
        other => Ended::As(other.parse().map_err(|_| unreadable("status"))?),
    };
    let after = query.cursor::<Cursor>().map_err(|_| unreadable("cursor"))?;
    let after = after.map(|Cursor { at, id }| (at, id));
    let limit = query.limit(LIMIT, MOST) as u32;
    let page = moderation::reports(&app, &permit, ended, after.as_ref(), limit).await?;
    let next_cursor = page.next.map(|(at, id)| Cursor { at, id }.to_string());
    Ok(json(&ReportPage { items: page.reports.into_iter().map(ReportItem::from).collect(), next_cursor }))
}

/// The contract's words: `Invalid status query parameter`.
fn unreadable(parameter: &str) -> ApiError {
    let title = format!("Invalid {parameter} query parameter");
    ApiError::Other { status: StatusCode::BAD_REQUEST, code: "usage", title }
}

/// What stock tools send (contract 1.15).
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Triage {
    #[serde(default)]
    status: String,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    final_action: Option<String>,
}

/// What they are told.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Triaged {
    ok: bool,
    report_id: String,
    /// `confirmed` or `dismissed`.
    status: &'static str,
}

/// Decides a report. What is done about the release is an act of its own.
#[utoipa::path(
    post,
    path = "/api/v1/skills/-/reports/{id}/triage",
    tag = "clawhub",
    security(("token" = [])),
    params(("id" = String, Path, description = "`reportId`")),
    request_body(
        content_type = "application/json",
        description = "`{\"status\":\"confirmed\",\"note\":TEXT}`, or `dismissed`; a `finalAction` other than `none` is refused",
    ),
    responses((status = 200, body = Triaged), (status = 409, description = "It was decided before")),
)]
pub(crate) async fn triage(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
    JsonBody(body): JsonBody<Triage>,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let refused = |title: &str| ApiError::Other {
        status: StatusCode::BAD_REQUEST,
        code: "usage",
        title: title.to_owned(),
    };
    let decision: Decision = body.status.parse().map_err(|_| refused("Invalid status"))?;
    if !matches!(body.final_action.as_deref(), None | Some("none")) {
        // To close a release is another act, with a statement of its own: nobody does it on the way.
        return Err(refused(
            "A report is decided here, its release is closed by itself: finalAction must be none",
        ));
    }
    let note = body.note.unwrap_or_default();
    let decided =
        moderation::decide_report(&app, &permit, &id, decision, &note).await.map_err(ApiError::from);
    let report = app.disk().noted(decided)?;
    Ok(json(&Triaged { ok: true, report_id: report.id, status: decision.as_str() }))
}
