use axum::Json;
use axum::extract::State;
use skill_core::api::ServerLimits;

use crate::app::App;

/// Says what a publish may weigh, so that a client can check before it sends (bug report 84).
#[utoipa::path(
    get,
    path = "/api/registry/v1/limits",
    tag = "registry",
    responses((status = 200, content_type = "application/json", description = "Bytes and numbers")),
)]
pub(crate) async fn limits(State(app): State<App>) -> Json<ServerLimits> {
    Json(app.publishing().limits)
}
