//! What tells others of what becomes of a publisher's releases.

use http::Method;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{OnPath, Row};
use crate::app::App;
use crate::auth::Act;
use crate::http::registry::webhooks;

const WEBHOOKS: &str = "/api/registry/v1/publishers/{owner}/webhooks";
const WEBHOOK: &str = "/api/registry/v1/publishers/{owner}/webhooks/{id}";
const DELIVERIES: &str = "/api/registry/v1/publishers/{owner}/webhooks/{id}/deliveries";
const PING: &str = "/api/registry/v1/publishers/{owner}/webhooks/{id}/ping";

pub(super) const ROWS: &[Row] = &[
    Row::new(Method::GET, WEBHOOKS, Act::Webhooks, OnPath::Owner),
    Row::new(Method::POST, WEBHOOKS, Act::Webhooks, OnPath::Owner),
    Row::new(Method::DELETE, WEBHOOK, Act::Webhooks, OnPath::Owner),
    Row::new(Method::GET, DELIVERIES, Act::Webhooks, OnPath::Owner),
    Row::new(Method::POST, PING, Act::Webhooks, OnPath::Owner),
];

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(webhooks::list, webhooks::make))
        .routes(routes!(webhooks::remove))
        .routes(routes!(webhooks::deliveries))
        .routes(routes!(webhooks::ping))
}
