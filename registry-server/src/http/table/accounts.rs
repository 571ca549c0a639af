//! Who somebody is.

use http::Method;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{OnPath, Row};
use crate::app::App;
use crate::auth::Act;
use crate::http::{registry, v1};

pub(super) const ROWS: &[Row] = &[
    Row::new(Method::GET, "/api/registry/v1/whoami", Act::Whoami, OnPath::Nothing),
    Row::new(Method::GET, "/api/v1/whoami", Act::Whoami, OnPath::Nothing),
];

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(v1::whoami::whoami)).routes(routes!(registry::whoami::whoami))
}
