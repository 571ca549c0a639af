use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::HeaderValue;
use http::header::X_CONTENT_TYPE_OPTIONS;

/// The layer around everything: no answer is taken for something else than it says it is, above all not for a script
/// or a stylesheet of the pages.
pub(crate) async fn nosniff(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
