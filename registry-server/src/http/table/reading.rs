//! What is read.

use axum::middleware::from_fn_with_state;
use axum::routing::get;
use http::Method;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{OnPath, Row};
use crate::app::App;
use crate::auth::Act;
use crate::http::{cache, registry, v1};
use crate::rate::Kind;
use crate::{health, metrics};

pub(super) const ROWS: &[Row] = &[
    Row::open("/.well-known/skill-registry.json"),
    Row::open("/healthz").uncounted(),
    Row::new(Method::GET, "/metrics", Act::ReadMetrics, OnPath::Nothing),
    Row::open("/readyz").uncounted(),
    Row::open("/trust/root/{file}"),
    Row::read("/api/registry/v1/limits"),
    Row::read("/api/registry/v1/skills/{owner}/{slug}/downloads"),
    Row::read("/api/registry/v1/skills/{owner}/{slug}/status"),
    Row::read("/api/v1/download").counted(Kind::Download),
    Row::read("/api/v1/openapi.json"),
    Row::read("/api/v1/resolve"),
    Row::read("/api/v1/search"),
    Row::read("/api/v1/skills"),
    Row::read("/api/v1/skills/{slug}"),
    Row::read("/api/v1/skills/{slug}/file"),
    Row::read("/api/v1/skills/{slug}/versions"),
    Row::read("/api/v1/skills/{slug}/versions/{version}"),
    Row::read("/api/v1/skills/{slug}/versions/{version}/envelope"),
    Row::read("/index/{owner}/{slug}"),
];

pub(super) fn routes(app: &App) -> OpenApiRouter<App> {
    // Whoever asks: a private registry too says who it is before it is shown a token.
    let open = OpenApiRouter::new()
        .routes(routes!(registry::well_known::well_known))
        .routes(routes!(registry::root::root))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz));

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
        .routes(routes!(registry::downloads::downloads))
        .routes(routes!(v1::list::list))
        .routes(routes!(v1::detail::detail))
        .route_layer(from_fn_with_state(app.clone(), cache::serve_counted));

    // Asked anew every time: the search index follows the registry a moment later, so that an event number says
    // nothing about an answer of it.
    let fresh = OpenApiRouter::new()
        .routes(routes!(registry::status::status))
        .routes(routes!(v1::search::search))
        .routes(routes!(v1::file::file))
        .routes(routes!(v1::download::download))
        .routes(routes!(v1::openapi::openapi));

    let metrics = OpenApiRouter::new().route("/metrics", get(metrics::metrics));

    open.merge(metrics).merge(kept).merge(counted).merge(fresh)
}
