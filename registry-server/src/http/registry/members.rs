use axum::extract::State;
use axum::{Extension, Json};
use http::StatusCode;
use skill_core::api::{MemberLine, MemberPage, RoleRequest};
use skill_core::name::{NameError, Owner};

use crate::accounts;
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::http::extract::{JsonBody, Query, UserPath};
use crate::problem::ApiError;
use crate::store::members::{self, Member};
use crate::store::publishers::MemberRole;

const PAGE: usize = 50;
const MOST: usize = 200;

/// Lists the members of a publisher, by name.
#[utoipa::path(
    get,
    path = "/api/registry/v1/publishers/{owner}/members",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose"),
        ("limit" = Option<u32>, Query, description = "1 to 200, 50 without it"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses(
        (status = 200, content_type = "application/json", description = "`members`, `nextCursor`"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn members(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Json<MemberPage>, ApiError> {
    let owner = permit.publisher(&[Act::ReadPublisher])?;
    let limit = query.limit(PAGE, MOST);
    let after = query.cursor::<Owner>()?;
    let mut conn = app.db().read().await?;
    let mut rows = members::of_publisher(&mut conn, owner, after.as_ref(), limit + 1).await?;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next_cursor = rows.last().filter(|_| more).map(|row| row.name.to_string());
    Ok(Json(MemberPage { members: rows.into_iter().map(line).collect(), next_cursor }))
}

/// Gives a member of a publisher another role.
#[utoipa::path(
    put,
    path = "/api/registry/v1/publishers/{owner}/members/{user}",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose"),
        ("user" = String, Path, description = "Name of the member"),
    ),
    request_body(content_type = "application/json", description = "`{\"role\": \"publisher\"}`, `admin` or `owner`"),
    responses(
        (status = 200, content_type = "application/json", description = "`user`, `displayName`, `role`, `since`"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn set_role(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    UserPath(user): UserPath,
    JsonBody(RoleRequest { role }): JsonBody<RoleRequest>,
) -> Result<Json<MemberLine>, ApiError> {
    let role = read_role(&role)?;
    app.disk().room()?;
    let changed = accounts::set_role(&app, &permit, &user, role).await.map_err(ApiError::from);
    Ok(Json(line(app.disk().noted(changed)?)))
}

/// Ends a membership: one's own, or as an owner that of another.
#[utoipa::path(
    delete,
    path = "/api/registry/v1/publishers/{owner}/members/{user}",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose"),
        ("user" = String, Path, description = "Name of the member"),
    ),
    responses((status = 204), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn remove_member(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    UserPath(user): UserPath,
) -> Result<StatusCode, ApiError> {
    app.disk().room()?;
    app.disk().noted(accounts::remove_member(&app, &permit, &user).await.map_err(ApiError::from))?;
    Ok(StatusCode::NO_CONTENT)
}

/// A role as a body says it.
pub(super) fn read_role(text: &str) -> Result<MemberRole, ApiError> {
    text.parse().map_err(|error: NameError| ApiError::Other {
        status: StatusCode::UNPROCESSABLE_ENTITY,
        code: "role-unreadable",
        title: error.to_string(),
    })
}

fn line(member: Member) -> MemberLine {
    MemberLine {
        user: member.name,
        display_name: member.display_name,
        role: member.role.as_str().to_owned(),
        since: member.since,
    }
}
