use axum::Extension;
use axum::response::Response;

use super::answer::json;
use super::wire::{User, WhoAmI};
use crate::auth::Caller;
use crate::problem::ApiError;

/// Says who a token belongs to.
#[utoipa::path(
    get,
    path = "/api/v1/whoami",
    tag = "clawhub",
    security(("token" = [])),
    responses((status = 200, body = WhoAmI), (status = 401, description = "No token, or none that is good")),
)]
pub(crate) async fn whoami(Extension(caller): Extension<Caller>) -> Result<Response, ApiError> {
    let user = &caller.identity()?.user;
    Ok(json(&WhoAmI {
        user: User {
            handle: Some(user.name.to_string()),
            display_name: user.display_name.clone(),
            image: None,
            role: user.role.to_string(),
        },
    }))
}
