//! What becomes of a release and of a name after the publish.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::registry;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(registry::yank::yank))
        .routes(routes!(registry::yank::unyank))
        .routes(routes!(registry::tags::set_tag, registry::tags::remove_tag))
}
