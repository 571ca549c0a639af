use axum::extract::{Multipart, Request, State};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json, extract::FromRequest as _};
use http::StatusCode;

use crate::app::App;
use crate::auth::{Caller, Scope};
use crate::problem::ApiError;
use crate::publish::{self, PublishError};

/// Publishes one version of a skill: one upload, one answer.
///
/// The form has two parts in this order: `meta`, JSON, and `archive`, a zip or tar.gz. The same content under
/// the same number is answered as the first time, with `unchanged`. Other content under a used number is 409
/// `version-taken` with the `next` free one. A malicious release is stored, closed and its number used: 201 with
/// `status` `quarantined`. When this answers, the release is on disk, and it can be read back at once.
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
        (status = 409, content_type = "application/problem+json", description = "`version-taken`, \
            `slug-reserved`, `slug-held`, `skill-deleted`, `tag-not-honoured`"),
        (status = 413, content_type = "application/problem+json", description = "`bundle-large` and others"),
        (status = 422, content_type = "application/problem+json", description = "`bundle-*`, `frontmatter-*`, \
            `tree-digest`"),
    ),
)]
pub(crate) async fn publish(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    request: Request,
) -> Result<Response, ApiError> {
    caller.identity()?.needs(Scope::Publish)?;
    app.disk().room()?;
    let form = Multipart::from_request(request, &app)
        .await
        .map_err(|rejection| PublishError::Form { reason: rejection.body_text() })?;
    let published = publish::publish(&app, caller, form).await.map_err(ApiError::from);
    let published = app.disk().noted(published)?;
    let status = if published.unchanged { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, Json(published)).into_response())
}
