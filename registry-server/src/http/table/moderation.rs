//! What moderators and administrators see and decide, and what people tell them.

use http::Method;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{OnPath, Row};
use crate::app::App;
use crate::auth::Act;
use crate::http::registry;

pub(super) const ROWS: &[Row] =
    &[Row::new(Method::GET, "/api/registry/v1/audit", Act::ReadAudit, OnPath::Nothing)];

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(registry::audit::audit))
}
