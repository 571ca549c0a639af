//! Every route, grouped by what stands in front of it. Paths and texts are at the handlers; `GET
//! /api/v1/openapi.json` and the snapshot in `tests/it/routes.rs` show them in one list.

use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::{Extension, Router};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Components, InfoBuilder, OpenApi, OpenApiBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::v1::openapi::Document;
use super::{access, cache, linger, registry, upload, v1};
use crate::app::App;
use crate::{nul, web};

/// The routes and their description.
pub(crate) fn router(app: &App) -> (Router<App>, OpenApi) {
    // Whoever asks: a private registry too says who it is before it is shown a token.
    let open = OpenApiRouter::new()
        .routes(routes!(registry::well_known::well_known))
        .routes(routes!(registry::root::root));

    // Whoever may read, from answers that are kept until the registry changes.
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

    // Whoever may read, asked anew every time: the search index follows the registry a moment later, so that
    // an event number says nothing about an answer of it.
    let fresh = OpenApiRouter::new()
        .routes(routes!(v1::search::search))
        .routes(routes!(v1::file::file))
        .routes(routes!(v1::download::download))
        .routes(routes!(v1::openapi::openapi));

    // Whoever has a token.
    let known = OpenApiRouter::new()
        .routes(routes!(v1::whoami::whoami))
        .routes(routes!(registry::whoami::whoami))
        .routes(routes!(registry::yank::yank))
        .routes(routes!(registry::yank::unyank))
        .routes(routes!(registry::tags::set_tag, registry::tags::remove_tag));

    // Whoever has a token, with a body that is streamed.
    let uploads = OpenApiRouter::new()
        .routes(routes!(registry::publish::publish))
        .layer(DefaultBodyLimit::max(upload::most(&app.publishing().limits)));

    let gated = kept.merge(counted).merge(fresh).merge(known).merge(uploads);
    let (router, api) = OpenApiRouter::with_openapi(description())
        .merge(open)
        .merge(gated.route_layer(from_fn_with_state(app.clone(), access::gate)))
        .split_for_parts();
    // The document is made of our own types, whose maps all have text for keys: it is always JSON.
    let document = Document(serde_json::to_vec(&api).unwrap_or_default().into());
    let router = router.merge(web::router(app));
    let router = router.layer(Extension(document)).layer(from_fn(nul::refuse_in_address));
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
