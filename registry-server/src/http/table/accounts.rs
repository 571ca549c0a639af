//! Who somebody is, and by what they show it.

use http::Method;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{OnPath, Row};
use crate::app::App;
use crate::auth::Act;
use crate::http::{cli, registry, v1};

const TOKENS: &str = "/api/registry/v1/tokens";

pub(super) const ROWS: &[Row] = &[
    Row::new(Method::POST, "/api/cli/device/code", Act::Open, OnPath::Nothing),
    Row::new(Method::POST, "/api/cli/device/token", Act::Open, OnPath::Nothing),
    Row::new(Method::POST, "/api/registry/v1/sign-in-links", Act::MakeSignInLink, OnPath::Nothing),
    Row::new(Method::GET, TOKENS, Act::ListTokens, OnPath::Nothing),
    Row::new(Method::POST, TOKENS, Act::MakeToken, OnPath::Nothing),
    Row::new(Method::DELETE, "/api/registry/v1/tokens/{id}", Act::RevokeToken, OnPath::Nothing),
    Row::new(Method::GET, "/api/registry/v1/whoami", Act::Whoami, OnPath::Nothing),
    Row::new(Method::GET, "/api/v1/whoami", Act::Whoami, OnPath::Nothing),
];

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(cli::device::code))
        .routes(routes!(cli::device::token))
        .routes(routes!(registry::sign_in_links::make_link))
        .routes(routes!(registry::tokens::tokens, registry::tokens::make_token))
        .routes(routes!(registry::tokens::revoke_token))
        .routes(routes!(registry::whoami::whoami))
        .routes(routes!(v1::whoami::whoami))
}
