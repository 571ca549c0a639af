use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use http::header::CACHE_CONTROL;
use http::{HeaderValue, StatusCode};
use skill_core::api::SignInLink;

use crate::accounts;
use crate::app::App;
use crate::auth::Permit;
use crate::problem::ApiError;

/// Makes a link that signs a browser in, once and within 15 minutes.
///
/// The session has the scopes of the token that asks for the link, ends with it, and is refused when that is revoked.
#[utoipa::path(
    post,
    path = "/api/registry/v1/sign-in-links",
    tag = "registry",
    security(("token" = [])),
    responses(
        (status = 201, content_type = "application/json", description = "`url`, `expiresAt`"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn make_link(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
) -> Result<Response, ApiError> {
    app.disk().room()?;
    let made = accounts::make_link(&app, &permit).await.map_err(ApiError::from);
    let (secret, link) = app.disk().noted(made)?;
    let answer = SignInLink { url: app.sign_in_url(&secret), expires_at: link.expires_at };
    let mut response = (StatusCode::CREATED, Json(answer)).into_response();
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}
