use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use skill_core::api::ReasonRequest;
use skill_core::name::{Owner, SkillName, Slug};
use skill_core::version::Version;
use skill_trust::predicate::TakedownScope;
use utoipa::ToSchema;

use super::proposals::WaitingView;
use crate::app::App;
use crate::auth::Permit;
use crate::change::{self, Closing, Restoration, Restored};
use crate::http::extract::{JsonBody, ReleasePath};
use crate::http::registry::yank::Standing;
use crate::problem::ApiError;

/// A release that was given back.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RestoredView {
    #[serde(flatten)]
    standing: Standing,
    /// Other names under which the same bytes are still closed.
    still_closed: Vec<NamedRelease>,
}

#[derive(Debug, Serialize, ToSchema)]
struct NamedRelease {
    #[schema(value_type = String)]
    owner: Owner,
    #[schema(value_type = String)]
    slug: Slug,
    #[schema(value_type = String)]
    version: Version,
}

impl RestoredView {
    pub(super) fn new(name: SkillName, version: Version, restored: Restored) -> Self {
        let named = |(name, version): (SkillName, Version)| NamedRelease {
            owner: name.owner,
            slug: name.slug,
            version,
        };
        Self {
            standing: Standing { owner: name.owner, slug: name.slug, version, status: restored.state },
            still_closed: restored.closed.into_iter().map(named).collect(),
        }
    }
}

/// Why a release is taken down, and what of it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Takedown {
    #[serde(default)]
    reason: String,
    #[serde(default)]
    scope: Option<TakedownScope>,
}

/// Closes the bytes of a release, and tells the reason to its publisher alone.
#[utoipa::path(
    post,
    path = "/api/registry/v1/moderation/releases/{owner}/{slug}/{version}/hide",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
        ("version" = String, Path, description = "Number"),
    ),
    request_body(content_type = "application/json", description = "`{\"reason\": \"…\"}`"),
    responses((status = 200, body = Standing), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn hide(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    release: ReleasePath,
    JsonBody(ReasonRequest { reason }): JsonBody<ReasonRequest>,
) -> Result<Json<Standing>, ApiError> {
    close(&app, &permit, release, Closing::Hide, &reason).await
}

/// Closes the bytes of a release, under every name.
#[utoipa::path(
    post,
    path = "/api/registry/v1/moderation/releases/{owner}/{slug}/{version}/quarantine",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
        ("version" = String, Path, description = "Number"),
    ),
    request_body(content_type = "application/json", description = "`{\"reason\": \"…\"}`"),
    responses((status = 200, body = Standing), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn quarantine(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    release: ReleasePath,
    JsonBody(ReasonRequest { reason }): JsonBody<ReasonRequest>,
) -> Result<Json<Standing>, ApiError> {
    close(&app, &permit, release, Closing::Quarantine, &reason).await
}

/// Removes a release: its bytes under every name, or this name and number.
#[utoipa::path(
    post,
    path = "/api/registry/v1/moderation/releases/{owner}/{slug}/{version}/takedown",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
        ("version" = String, Path, description = "Number"),
    ),
    request_body(
        content_type = "application/json",
        description = "`{\"reason\": \"…\", \"scope\": \"bytes\"}`, or `release`",
    ),
    responses((status = 200, body = Standing), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn takedown(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    release: ReleasePath,
    JsonBody(Takedown { reason, scope }): JsonBody<Takedown>,
) -> Result<Json<Standing>, ApiError> {
    let scope = scope.ok_or_else(|| ApiError::Other {
        status: StatusCode::UNPROCESSABLE_ENTITY,
        code: "takedown-scope",
        title: "a takedown says its scope: `bytes`, under every name, or `release`, this one".to_owned(),
    })?;
    close(&app, &permit, release, Closing::Takedown(scope), &reason).await
}

/// Gives a release back that was quarantined or taken down, or proposes it to a second person.
#[utoipa::path(
    post,
    path = "/api/registry/v1/moderation/releases/{owner}/{slug}/{version}/restore",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
        ("version" = String, Path, description = "Number"),
    ),
    request_body(content_type = "application/json", description = "`{\"reason\": \"…\"}`"),
    responses(
        (status = 200, body = RestoredView),
        (status = 202, body = WaitingView, description = "It waits for a second person"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn restore(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    ReleasePath { name, version }: ReleasePath,
    JsonBody(ReasonRequest { reason }): JsonBody<ReasonRequest>,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    Ok(match app.disk().noted(change::restore(&app, &permit, &version, &reason).await)? {
        Restoration::Done(restored) => Json(RestoredView::new(name, version, restored)).into_response(),
        Restoration::Waits { state, proposal } => {
            (StatusCode::ACCEPTED, Json(WaitingView::new(state, *proposal))).into_response()
        }
    })
}

async fn close(
    app: &App,
    permit: &Permit,
    ReleasePath { name, version }: ReleasePath,
    closing: Closing,
    reason: &str,
) -> Result<Json<Standing>, ApiError> {
    app.disk().room()?;
    let status = app.disk().noted(change::close(app, permit, &version, closing, reason).await)?;
    Ok(Json(Standing { owner: name.owner, slug: name.slug, version, status }))
}
