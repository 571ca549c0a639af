//! Every route of the API, one file an area. Paths and texts are at the handlers; `GET /api/v1/openapi.json` and the
//! snapshot in `tests/it/routes.rs` show them in one list.

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

mod accounts;
mod names;
mod publishing;
mod reading;

/// Whoever asks: a private registry too says who it is before it is shown a token.
pub(super) fn open() -> OpenApiRouter<App> {
    reading::open()
}

/// Whoever may.
pub(super) fn gated(app: &App) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(accounts::routes())
        .merge(names::routes())
        .merge(publishing::routes(app))
        .merge(reading::routes(app))
}
