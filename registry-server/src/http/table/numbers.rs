//! What is counted of skills, and by whom.

use http::Method;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{OnPath, Row};
use crate::app::App;
use crate::auth::Act;
use crate::http::{registry, v1};

const STAR: &str = "/api/registry/v1/skills/{owner}/{slug}/star";
const V1_STAR: &str = "/api/v1/stars/{slug}";

pub(super) const ROWS: &[Row] = &[
    Row::new(Method::PUT, STAR, Act::Star, OnPath::Skill),
    Row::new(Method::DELETE, STAR, Act::Star, OnPath::Skill),
    // Which skill a bare slug means is known only when it was asked for.
    Row::new(Method::POST, V1_STAR, Act::Star, OnPath::Later),
    Row::new(Method::DELETE, V1_STAR, Act::Star, OnPath::Later),
];

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(registry::star::star, registry::star::unstar))
        .routes(routes!(v1::stars::star, v1::stars::unstar))
}
