//! Whether the process lives, and whether it does all that it should.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use serde::Serialize;

use crate::app::App;
use crate::disk;
use crate::store::head;

/// Answers 200 as long as the process answers at all.
pub async fn healthz() -> &'static str {
    "ok\n"
}

/// One thing that has to be well.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Readiness {
    ready: bool,
    database: bool,
    writable: bool,
    search: bool,
}

/// Answers 200 if the registry reads, writes and searches, else 503 and what it does not do.
pub async fn readyz(State(app): State<App>) -> Response {
    let database = async { head::get(&mut *app.db().read().await?).await }.await.is_ok();
    disk::look_again(&app).await;
    let writable = app.disk().is_writable();
    let search = app.search_is_current();
    let ready = database && writable && search;
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(Readiness { ready, database, writable, search })).into_response()
}
