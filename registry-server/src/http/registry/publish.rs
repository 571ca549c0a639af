use std::time::Duration;

use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use http::StatusCode;

use crate::app::App;
use crate::auth::Permit;
use crate::http::upload::Upload;
use crate::problem::ApiError;
use crate::publish::{self, PublishError};

/// How long an upload waits until others have ended.
const PATIENCE: Duration = Duration::from_mins(1);

/// Publishes one version of a skill: one upload, one answer.
///
/// The form has two parts in this order: `meta`, JSON, and `archive`, a zip or tar.gz. The same content under
/// the same number is answered as the first time, with `unchanged`; so is, without a number, the newest release
/// sent again. Other content under a used number is 409 `version-taken` with the `next` free one. A malicious
/// release is stored, closed and its number used: 201 with `status` `quarantined`. When this answers, the release
/// is on disk, and it can be read back at once.
#[utoipa::path(
    post,
    path = "/api/registry/v1/publish",
    tag = "registry",
    security(("token" = [])),
    request_body(content_type = "multipart/form-data", description = "`meta`, then `archive`"),
    responses(
        (status = 201, content_type = "application/json", description = "Published"),
        (status = 200, content_type = "application/json", description = "It was there already"),
        (status = 401, content_type = "application/problem+json", description = "`login-needed` and others"),
        (status = 403, content_type = "application/problem+json", description = "`scope-missing`, `not-member`"),
        (status = 408, content_type = "application/problem+json", description = "`upload-slow`"),
        (status = 409, content_type = "application/problem+json", description = "`version-taken`, \
            `version-exhausted`, `slug-reserved`, `slug-held`, `skill-deleted`, `tag-not-honoured`"),
        (status = 413, content_type = "application/problem+json", description = "`bundle-large` and others"),
        (status = 422, content_type = "application/problem+json", description = "`bundle-*`, `frontmatter-*`, \
            `tree-digest`, `envelope-large`"),
    ),
)]
pub(crate) async fn publish(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    request: Request,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let turn =
        async { (app.upload_shares().of(&permit.identity().user.id).await, app.uploads().acquire().await) };
    let turn = tokio::time::timeout(PATIENCE, turn).await.map_err(|_| ApiError::Busy)?;
    let disk = app.disk().clone();
    let form = Upload::open(request, move || disk.room().is_ok()).await;
    let form = form.map_err(|reason| PublishError::Form { reason })?;
    let published = publish::publish(&app, permit, form).await.map_err(ApiError::from);
    let published = app.disk().noted(published)?;
    drop(turn);
    if !published.unchanged {
        app.search().reach(app.pulse().event()).await;
    }
    let status = if published.unchanged { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Json(published)).into_response())
}
