//! What stands in front of all routes, and their description. The routes are in `table.rs`.

use axum::middleware::{from_fn, from_fn_with_state};
use axum::{Extension, Router};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Components, InfoBuilder, OpenApi, OpenApiBuilder};
use utoipa_axum::router::OpenApiRouter;

use super::v1::openapi::Document;
use super::{cache, gate, linger, table};
use crate::app::App;
use crate::{nul, web};

/// The routes and their description.
pub(crate) fn router(app: &App) -> (Router<App>, OpenApi) {
    let (router, api) = OpenApiRouter::with_openapi(description())
        .merge(table::routes(app).route_layer(from_fn_with_state(app.clone(), gate::gate)))
        .split_for_parts();
    // The document is made of our own types, whose maps all have text for keys: it is always JSON.
    let document = Document(serde_json::to_vec(&api).unwrap_or_default().into());
    let router = router.layer(Extension(document)).layer(from_fn(nul::refuse_in_address));
    let router = router.merge(web::router(app));
    let router = router.layer(from_fn(cache::conditional)).layer(from_fn(linger::linger));
    (router, api)
}

fn description() -> OpenApi {
    let mut components = Components::new();
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.add_security_scheme("token", bearer);
    OpenApiBuilder::new()
        .info(InfoBuilder::new().title("skill-registry").version(env!("CARGO_PKG_VERSION")).build())
        .components(Some(components))
        .build()
}
