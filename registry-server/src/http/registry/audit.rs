use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, HeaderValue};

use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::Query;
use crate::moderation;
use crate::problem::ApiError;
use crate::store::audit::{Entry, Filter};

/// As many as a page holds, and as are given where no limit is said.
const MOST: usize = 200;
/// The number to ask on after; absent where nothing follows.
const NEXT: HeaderName = HeaderName::from_static("x-next-after");

/// Gives the audit log: one line of JSON for each change, oldest first, with its number and its digest.
///
/// The digest is over the line without its last key; docs/API.md, "Audit log", says how to follow it.
#[utoipa::path(
    get,
    path = "/api/registry/v1/audit",
    tag = "registry",
    security(("token" = [])),
    params(
        ("after" = Option<u64>, Query, description = "Number after which to begin: `x-next-after` of the page before"),
        ("limit" = Option<u32>, Query, description = "1 to 200, 200 if it is not said"),
        ("actor" = Option<String>, Query, description = "Only what this user did"),
        ("action" = Option<String>, Query, description = "Only changes of this kind"),
        ("subject" = Option<String>, Query, description = "Only what was done to this; a skill stands for its releases too"),
        ("since" = Option<String>, Query, description = "RFC 3339; not before"),
        ("until" = Option<String>, Query, description = "RFC 3339; before"),
    ),
    responses(
        (status = 200, content_type = "application/jsonl", description = "Rows"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn audit(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Response, ApiError> {
    let text = |key: &str| query.text(key).map(str::to_owned);
    let filter = Filter {
        actor: text("actor"),
        subject: text("subject"),
        action: text("action"),
        since: query.read_as("since", |text| text.parse().ok())?,
        until: query.read_as("until", |text| text.parse().ok())?,
    };
    let after = query.read_as("after", |text| text.parse().ok())?.unwrap_or_default();
    let limit = query.limit(MOST, MOST) as u32;
    let page = moderation::read_audit(&app, &permit, &filter, after, limit).await?;
    let lines: String = page.entries.iter().map(Entry::line).collect();
    let mut response =
        ([(CONTENT_TYPE, "application/jsonl"), (CACHE_CONTROL, "no-store")], lines).into_response();
    if let Some(next) = page.next {
        response.headers_mut().insert(NEXT, HeaderValue::from(next));
    }
    Ok(response)
}
