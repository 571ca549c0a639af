//! What is read.

use axum::middleware::from_fn_with_state;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::{cache, registry, v1};

/// What also a private registry says to everybody.
pub(super) fn open() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(registry::well_known::well_known))
        .routes(routes!(registry::root::root))
}

pub(super) fn routes(app: &App) -> OpenApiRouter<App> {
    // Answers that are kept until the registry changes.
    let kept = OpenApiRouter::new()
        .routes(routes!(registry::index::index))
        .routes(routes!(registry::limits::limits))
        .routes(routes!(v1::versions::versions))
        .routes(routes!(v1::version::version))
        .routes(routes!(v1::envelope::envelope))
        .routes(routes!(v1::resolve::resolve))
        .route_layer(from_fn_with_state(app.clone(), cache::serve));

    // The same, but an answer counts downloads, which are no change: it also ends by itself.
    let counted = OpenApiRouter::new()
        .routes(routes!(v1::list::list))
        .routes(routes!(v1::detail::detail))
        .route_layer(from_fn_with_state(app.clone(), cache::serve_counted));

    // Asked anew every time: the search index follows the registry a moment later, so that an event number says
    // nothing about an answer of it.
    let fresh = OpenApiRouter::new()
        .routes(routes!(v1::search::search))
        .routes(routes!(v1::file::file))
        .routes(routes!(v1::download::download))
        .routes(routes!(v1::openapi::openapi));

    kept.merge(counted).merge(fresh)
}
