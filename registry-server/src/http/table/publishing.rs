//! What brings a release in.

use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::{registry, upload};

pub(super) fn routes(app: &App) -> OpenApiRouter<App> {
    // The body is streamed.
    OpenApiRouter::new()
        .routes(routes!(registry::publish::publish))
        .layer(DefaultBodyLimit::max(upload::most(&app.publishing().limits)))
}
