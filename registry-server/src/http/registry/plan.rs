use axum::extract::{Request, State};
use axum::{Extension, Json};
use skill_core::api::PublishPlan;

use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::short_body;
use crate::problem::ApiError;
use crate::publish;

/// Says what a publish would come to, and stores nothing.
///
/// The body is the `meta` of a publish, with `treeDigest`. What the publish would be refused for, this is refused for,
/// with the same answer. `status` is that of a release in which the scan finds nothing: what the files hold is not known
/// here.
#[utoipa::path(
    post,
    path = "/api/registry/v1/publish/plan",
    tag = "registry",
    security(("token" = [])),
    request_body(content_type = "application/json", description = "The `meta` of a publish, with `treeDigest`"),
    responses(
        (status = 200, content_type = "application/json", description = "What would come of it"),
        (status = "4XX", content_type = "application/problem+json", description = "What the publish would be refused for"),
    ),
)]
pub(crate) async fn plan(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    request: Request,
) -> Result<Json<PublishPlan>, ApiError> {
    app.disk().room()?;
    let body = short_body(request).await?;
    publish::plan(&app, &permit, &body).await.map(Json)
}
