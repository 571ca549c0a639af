//! Who somebody is.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::{registry, v1};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(v1::whoami::whoami)).routes(routes!(registry::whoami::whoami))
}
