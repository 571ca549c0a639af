use axum::{Extension, Json};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::Caller;
use crate::problem::ApiError;

/// Who a token belongs to, and what it is good for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Account {
    /// Name of the user.
    user: String,
    /// Name for people.
    display_name: String,
    /// The publishers that the token may be used for; a publish without an owner goes to the first.
    publishers: Vec<Membership>,
    /// What the token may be used for.
    scopes: Vec<&'static str>,
    /// From when on it is refused; null: never.
    #[schema(value_type = Option<String>)]
    expires_at: Option<Timestamp>,
}

/// One publisher that a user acts for.
#[derive(Debug, Serialize, ToSchema)]
struct Membership {
    /// Its handle.
    owner: String,
    /// `publisher`, `admin` or `owner`.
    role: &'static str,
}

/// Says who a token belongs to, which publishers that user acts for, and what the token may be used for.
#[utoipa::path(
    get,
    path = "/api/registry/v1/whoami",
    tag = "registry",
    security(("token" = [])),
    responses((status = 200, body = Account), (status = 401, content_type = "application/problem+json")),
)]
pub(crate) async fn whoami(Extension(caller): Extension<Caller>) -> Result<Json<Account>, ApiError> {
    let identity = caller.identity()?;
    let publishers = identity
        .publishers
        .iter()
        .filter(|one| identity.only_publisher.as_ref().is_none_or(|only| *only == one.publisher))
        .map(|one| Membership { owner: one.publisher.to_string(), role: one.role.as_str() });
    Ok(Json(Account {
        user: identity.user.name.to_string(),
        display_name: identity.user.display_name.clone(),
        publishers: publishers.collect(),
        scopes: identity.scopes.iter().map(crate::auth::Scope::as_str).collect(),
        expires_at: identity.expires_at,
    }))
}
