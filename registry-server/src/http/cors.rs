use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
};
use http::{HeaderValue, Method, StatusCode};

const METHODS: &str = "GET, POST, PUT, DELETE, OPTIONS, PATCH, HEAD";
const HEADERS: &str = "Content-Type, Authorization, Digest, X-Clawhub-Version";

/// Lets pages of any origin ask (ClawHub contract 0). Tokens travel in a header that a page has to set
/// itself; there are no cookies on these routes.
pub(crate) async fn cors(request: Request, next: Next) -> Response {
    if !request.uri().path().starts_with("/api/") {
        return next.run(request).await;
    }
    if request.method() != Method::OPTIONS {
        let mut response = next.run(request).await;
        response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        return response;
    }
    let asked = request.headers().get(ACCESS_CONTROL_REQUEST_HEADERS).cloned();
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked.unwrap_or(HeaderValue::from_static(HEADERS)));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    response
}
