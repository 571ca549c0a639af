use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use crate::accounts;
use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::JsonBody;
use crate::problem::ApiError;

/// A publisher about to be made, as clients of the contract say it.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewPublisher {
    /// In any case, with or without `@`.
    #[serde(default)]
    handle: String,
    /// Name for people; absent: the handle.
    #[serde(default)]
    display_name: Option<String>,
}

/// A publisher that was made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MadePublisher {
    /// Always true.
    ok: bool,
    /// The handle, which is never given twice.
    publisher_id: String,
    /// The handle.
    handle: String,
    /// Always true.
    created: bool,
    /// Always false: nobody is trusted for having a name.
    trusted: bool,
}

/// Makes a publisher for several users.
#[utoipa::path(
    post,
    path = "/api/v1/publishers",
    tag = "clawhub",
    security(("token" = [])),
    request_body(content_type = "application/json", description = "`handle`, `displayName`"),
    responses(
        (status = 201, body = MadePublisher),
        (status = 400, description = "No handle, or none that can be"),
        (status = 401, description = "No token, or none that is good"),
        (status = 403, description = "A token for something else"),
        (status = 409, description = "Taken or reserved"),
    ),
)]
pub(crate) async fn make_publisher(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    JsonBody(wanted): JsonBody<NewPublisher>,
) -> Result<Response, ApiError> {
    let handle = wanted.handle.trim().trim_start_matches('@').to_lowercase();
    let handle = handle.parse().map_err(|error: skill_core::name::NameError| ApiError::Other {
        status: StatusCode::BAD_REQUEST,
        code: "usage",
        title: error.to_string(),
    })?;
    app.disk().room()?;
    let name = wanted.display_name.unwrap_or_default();
    let made = accounts::create_publisher(&app, &permit, handle, &name).await.map_err(ApiError::from);
    let handle = app.disk().noted(made)?.handle.to_string();
    let made =
        MadePublisher { ok: true, publisher_id: handle.clone(), handle, created: true, trusted: false };
    Ok((StatusCode::CREATED, json(&made)).into_response())
}
