use axum::extract::State;
use axum::{Extension, Json};
use jiff::Timestamp;
use serde::Serialize;
use skill_core::api::ReasonRequest;
use skill_core::name::{Owner, Slug};
use skill_core::state::ReleaseState;
use skill_core::version::Version;
use utoipa::ToSchema;

use super::acts::RestoredView;
use crate::app::App;
use crate::auth::Permit;
use crate::change;
use crate::http::cursor::Cursor;
use crate::http::extract::{IdPath, JsonBody, Query};
use crate::moderation;
use crate::problem::ApiError;
use crate::store::proposals::{Ending, Proposal};

const LIMIT: usize = 50;
const MOST: usize = 200;

/// Restorations that wait for a second person.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProposalsView {
    /// Oldest first.
    proposals: Vec<ProposalView>,
    /// What to ask for next; null at the end.
    next_cursor: Option<String>,
}

/// A release that somebody wants to give back.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProposalView {
    id: String,
    #[schema(value_type = String)]
    owner: Owner,
    #[schema(value_type = String)]
    slug: Slug,
    #[schema(value_type = String)]
    version: Version,
    /// The number of the newest restriction that is to be lifted.
    restriction: u64,
    reason: String,
    /// Who proposes it.
    #[schema(value_type = String)]
    by: Owner,
    #[schema(value_type = String)]
    at: Timestamp,
    /// `approved`, `declined`, or null while it waits.
    decision: Option<&'static str>,
}

impl From<Proposal> for ProposalView {
    fn from(proposal: Proposal) -> Self {
        Self {
            id: proposal.id,
            owner: proposal.name.owner,
            slug: proposal.name.slug,
            version: proposal.version,
            restriction: proposal.restriction,
            reason: proposal.reason,
            by: proposal.by,
            at: proposal.at,
            decision: proposal.ended.map(Ending::as_str),
        }
    }
}

/// A restoration that waits for a second person.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WaitingView {
    /// Where the release stands until then.
    #[schema(value_type = String)]
    status: ReleaseState,
    proposal: ProposalView,
}

impl WaitingView {
    pub(super) fn new(status: ReleaseState, proposal: Proposal) -> Self {
        Self { status, proposal: proposal.into() }
    }
}

/// Lists the restorations that wait for a second person.
#[utoipa::path(
    get,
    path = "/api/registry/v1/moderation/proposals",
    tag = "registry",
    security(("token" = [])),
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, 50 if it is not said"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses((status = 200, body = ProposalsView), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn proposals(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Json<ProposalsView>, ApiError> {
    let after = query.cursor::<Cursor>()?.map(|Cursor { at, id }| (at, id));
    let page = moderation::proposals(&app, &permit, after.as_ref(), query.limit(LIMIT, MOST)).await?;
    Ok(Json(ProposalsView {
        proposals: page.proposals.into_iter().map(ProposalView::from).collect(),
        next_cursor: page.next.map(|(at, id)| Cursor { at, id }.to_string()),
    }))
}

/// Gives a release back that another moderator wants to give back.
#[utoipa::path(
    post,
    path = "/api/registry/v1/moderation/proposals/{id}/approve",
    tag = "registry",
    security(("token" = [])),
    params(("id" = String, Path, description = "Id of the proposal")),
    responses((status = 200, body = RestoredView), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn approve_proposal(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
) -> Result<Json<RestoredView>, ApiError> {
    app.disk().room()?;
    let approved = change::approve(&app, &permit, &id).await.map_err(ApiError::from);
    let (proposal, restored) = app.disk().noted(approved)?;
    Ok(Json(RestoredView::new(proposal.name, proposal.version, restored)))
}

/// Says no to a proposal, or takes the own one back.
#[utoipa::path(
    post,
    path = "/api/registry/v1/moderation/proposals/{id}/decline",
    tag = "registry",
    security(("token" = [])),
    params(("id" = String, Path, description = "Id of the proposal")),
    request_body(content_type = "application/json", description = "`{\"reason\": \"…\"}`"),
    responses((status = 200, body = ProposalView), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn decline_proposal(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
    JsonBody(ReasonRequest { reason }): JsonBody<ReasonRequest>,
) -> Result<Json<ProposalView>, ApiError> {
    app.disk().room()?;
    let declined = change::decline(&app, &permit, &id, &reason).await.map_err(ApiError::from);
    Ok(Json(app.disk().noted(declined)?.into()))
}
