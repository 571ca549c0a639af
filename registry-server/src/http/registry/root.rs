use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};

use crate::app::App;
use crate::problem::ApiError;
use crate::store::roots;

/// Gives one version of the root metadata, the exact bytes that were signed.
///
/// Answers without a token on private registries too.
#[utoipa::path(
    get,
    path = "/trust/root/{file}",
    tag = "registry",
    params(("file" = String, Path, description = "`1.json` and so on, up to `rootVersion`")),
    responses(
        (status = 200, content_type = "application/json", description = "A DSSE envelope"),
        (status = 404, content_type = "application/problem+json", description = "No such version"),
    ),
)]
pub(crate) async fn root(State(app): State<App>, Path(file): Path<String>) -> Result<Response, ApiError> {
    let number = file.strip_suffix(".json").filter(|text| !text.starts_with(['0', '+']));
    let version: Option<u64> = number.and_then(|text| text.parse().ok());
    let json = match version {
        Some(version) => roots::get(&mut *app.db().read().await?, version).await?,
        None => None,
    };
    let json = json.ok_or_else(|| ApiError::Other {
        status: StatusCode::NOT_FOUND,
        code: "root-not-found",
        title: format!("there is no root {file}"),
    })?;
    Ok(([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-cache")], json).into_response())
}
