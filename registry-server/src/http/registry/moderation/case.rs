use axum::extract::State;
use axum::{Extension, Json};
use jiff::Timestamp;
use serde::Serialize;
use skill_core::name::{Owner, Slug};
use skill_core::state::ReleaseState;
use skill_core::verdict::Verdict;
use skill_core::version::Version;
use utoipa::ToSchema;

use super::appeals::AppealCaseView;
use super::holds::HoldView;
use super::proposals::ProposalView;
use super::reports::ReportView;
use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::{Query, SkillPath};
use crate::moderation;
use crate::problem::ApiError;
use crate::store::lines::Line;
use crate::store::restrictions::Restriction;

const LIMIT: usize = 50;
const MOST: usize = 200;

/// Everything about one skill that a moderator looks at.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CaseView {
    #[schema(value_type = String)]
    owner: Owner,
    #[schema(value_type = String)]
    slug: Slug,
    /// When its owner deleted it.
    #[schema(value_type = Option<String>)]
    deleted_at: Option<Timestamp>,
    /// Highest first, in every state.
    releases: Vec<ReleaseView>,
    /// What its releases waited for, oldest first.
    holds: Vec<HoldView>,
    /// Open ones, then the newest; at most 200.
    reports: Vec<ReportView>,
    /// Open ones, then the newest; at most 200.
    appeals: Vec<AppealCaseView>,
    /// Restorations that wait for a second person, oldest first.
    proposals: Vec<ProposalView>,
    /// Newest first.
    restrictions: Vec<RestrictionView>,
    /// What to ask for next, for earlier restrictions; null at the end.
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReleaseView {
    #[schema(value_type = String)]
    version: Version,
    #[schema(value_type = String)]
    state: ReleaseState,
    #[schema(value_type = String)]
    verdict: Verdict,
    #[schema(value_type = String)]
    published_at: Timestamp,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RestrictionView {
    /// Its number, as it is signed.
    sequence: u64,
    action: String,
    #[schema(value_type = Option<String>)]
    version: Option<Version>,
    reason: String,
    /// A user, or `registry` for a verdict.
    by: String,
    #[schema(value_type = String)]
    at: Timestamp,
    /// The later one that lifted it.
    lifted_by: Option<u64>,
}

/// Shows everything about a skill that a moderator looks at before a decision.
#[utoipa::path(
    get,
    path = "/api/registry/v1/moderation/cases/{owner}/{slug}",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
        ("limit" = Option<u32>, Query, description = "Of the restrictions: 1 to 200, 50 if it is not said"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses((status = 200, body = CaseView), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn case(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    SkillPath(name): SkillPath,
    query: Query,
) -> Result<Json<CaseView>, ApiError> {
    let (before, limit) = (query.cursor::<u64>()?, query.limit(LIMIT, MOST));
    let case = moderation::case(&app, &permit, &name, before, limit).await?;
    let restrictions = case.restrictions.iter().map(|one| restriction(one, &case.releases)).collect();
    Ok(Json(CaseView {
        owner: case.skill.owner,
        slug: case.skill.slug,
        deleted_at: case.skill.deleted_at,
        releases: case.releases.into_iter().map(release).collect(),
        holds: case.holds.into_iter().map(HoldView::from).collect(),
        reports: case.reports.into_iter().map(ReportView::from).collect(),
        appeals: case.appeals.into_iter().map(AppealCaseView::from).collect(),
        proposals: case.proposals.into_iter().map(ProposalView::from).collect(),
        restrictions,
        next_cursor: case.next.map(|before| before.to_string()),
    }))
}

fn release(line: Line) -> ReleaseView {
    let Line { version, state, verdict, published_at, .. } = line;
    ReleaseView { version, state, verdict, published_at }
}

fn restriction(one: &Restriction, releases: &[Line]) -> RestrictionView {
    let release = releases.iter().find(|line| line.id == one.release_id);
    RestrictionView {
        sequence: one.sequence,
        action: one.entry.as_str().to_owned(),
        version: release.map(|line| line.version.clone()),
        reason: one.reason.clone(),
        by: one.actor.clone(),
        at: one.at,
        lifted_by: one.lifted_by,
    }
}
