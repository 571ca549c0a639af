use std::sync::Arc;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::CONTENT_TYPE;

use super::ApiError;
use crate::telemetry::RequestId;

/// How a group of routes speaks of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// Our own: `application/problem+json`.
    Problem,
    /// ClawHub's `/api/v1`: plain text.
    Plain,
}

/// Routes of our own on `/api/v1`.
const OURS: [&str; 2] = ["/api/v1/skills/{slug}/versions/{version}/envelope", "/api/v1/openapi.json"];

impl Face {
    /// The face of a route by its template (`/api/v1/skills/{slug}`), or of a path that no route has.
    pub fn of(route: &str) -> Self {
        let foreign = route.starts_with("/api/v1/") || route.starts_with("/api/cli/");
        if foreign && !OURS.contains(&route) { Self::Plain } else { Self::Problem }
    }
}

/// An error on its way out of a handler; [`render`] writes its body.
#[derive(Clone)]
struct Pending(Arc<ApiError>);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(Pending(Arc::new(self)));
        response
    }
}

/// The layer around all routes that writes the body of every [`ApiError`], with the request's id.
pub async fn render(request: Request, next: Next) -> Response {
    let template = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let face = Face::of(template.unwrap_or_else(|| request.uri().path()));
    let id = request.extensions().get::<RequestId>().cloned().unwrap_or_default();
    let mut response = next.run(request).await;
    let Some(error) = taken(&mut response) else { return response };
    let mut rendered = write(&error, face, &id);
    rendered.headers_mut().extend(std::mem::take(response.headers_mut()).into_iter().filter_map(
        |(name, value)| {
            name.filter(|name| *name != CONTENT_TYPE && *name != "content-length").map(|n| (n, value))
        },
    ));
    rendered
}

/// The error that an answer stands for, for whoever writes its body. What happened inside goes to the log.
pub(crate) fn taken(response: &mut Response) -> Option<Arc<ApiError>> {
    let Pending(error) = response.extensions_mut().remove::<Pending>()?;
    if let ApiError::Internal(cause) = &*error {
        tracing::error!(cause = cause.as_ref() as &(dyn std::error::Error + 'static), "internal error");
    }
    Some(error)
}

fn write(error: &ApiError, face: Face, id: &RequestId) -> Response {
    let (content_type, body) = match face {
        Face::Problem => {
            let problem = error.problem().with("requestId", id.as_str());
            // A problem is text and numbers under text keys: it is always JSON.
            ("application/problem+json", serde_json::to_string(&problem).unwrap_or_default())
        }
        Face::Plain => ("text/plain; charset=utf-8", error.plain()),
    };
    let mut response = (error.status(), body).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    error.add_headers(headers);
    response
}
