//! What brings a release in.

use axum::extract::DefaultBodyLimit;
use http::Method;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{OnPath, Row};
use crate::app::App;
use crate::auth::Act;
use crate::http::{registry, upload};
use crate::rate::Kind;

pub(super) const ROWS: &[Row] = &[
    Row::new(Method::POST, "/api/registry/v1/publish", Act::Publish, OnPath::Later),
    // It changes nothing.
    Row::new(Method::POST, "/api/registry/v1/publish/plan", Act::Publish, OnPath::Later).counted(Kind::Read),
];

pub(super) fn routes(app: &App) -> OpenApiRouter<App> {
    // The body is streamed.
    let publish = OpenApiRouter::new()
        .routes(routes!(registry::publish::publish))
        .layer(DefaultBodyLimit::max(upload::most(&app.publishing().limits)));
    publish.routes(routes!(registry::plan::plan))
}
