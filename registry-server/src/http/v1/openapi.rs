use axum::Extension;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header::CONTENT_TYPE;

/// The document as it is served.
#[derive(Debug, Clone)]
pub(crate) struct Document(pub(crate) Bytes);

/// Gives the description of every route: this document.
#[utoipa::path(
    get,
    path = "/api/v1/openapi.json",
    tag = "registry",
    responses((status = 200, content_type = "application/json", description = "OpenAPI 3.1")),
)]
pub(crate) async fn openapi(Extension(Document(json)): Extension<Document>) -> Response {
    ([(CONTENT_TYPE, "application/json")], json).into_response()
}
