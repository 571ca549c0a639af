use axum::extract::State;
use axum::{Extension, Json};
use http::StatusCode;
use skill_core::api::{InvitationLine, InvitationPage, InvitationRequest};
use skill_core::name::Owner;

use super::members::read_role;
use crate::accounts;
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::http::extract::{IdPath, JsonBody, Query};
use crate::problem::ApiError;
use crate::store::invitations::{self, Invitation};
use crate::store::publishers::MemberRole;

const PAGE: usize = 50;
const MOST: usize = 200;

/// Lists the open invitations of whoever asks, by publisher.
#[utoipa::path(
    get,
    path = "/api/registry/v1/invitations",
    tag = "registry",
    security(("token" = [])),
    params(
        ("limit" = Option<u32>, Query, description = "1 to 200, 50 without it"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses(
        (status = 200, content_type = "application/json", description = "`invitations`, `nextCursor`"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn own_invitations(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Json<InvitationPage>, ApiError> {
    let user = &permit.person(&[Act::AnswerInvitation])?.user;
    let limit = query.limit(PAGE, MOST);
    let after = query.cursor::<Owner>()?;
    let now = app.clock().now();
    let mut conn = app.db().read().await?;
    let rows = invitations::of_user(&mut conn, &user.id, now, after.as_ref(), limit + 1).await?;
    Ok(page(rows, limit, |row| row.publisher.to_string()))
}

/// Lists the open invitations to a publisher, by user.
#[utoipa::path(
    get,
    path = "/api/registry/v1/publishers/{owner}/invitations",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "To whose"),
        ("limit" = Option<u32>, Query, description = "1 to 200, 50 without it"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses(
        (status = 200, content_type = "application/json", description = "`invitations`, `nextCursor`"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn invitations(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    query: Query,
) -> Result<Json<InvitationPage>, ApiError> {
    let owner = permit.publisher(&[Act::ReadPublisher])?;
    let limit = query.limit(PAGE, MOST);
    let after = query.cursor::<Owner>()?;
    let now = app.clock().now();
    let mut conn = app.db().read().await?;
    let rows = invitations::to_publisher(&mut conn, owner, now, after.as_ref(), limit + 1).await?;
    Ok(page(rows, limit, |row| row.user.to_string()))
}

/// Invites a user to a publisher, for seven days. One who is invited already is invited anew.
#[utoipa::path(
    post,
    path = "/api/registry/v1/publishers/{owner}/invitations",
    tag = "registry",
    security(("token" = [])),
    params(("owner" = String, Path, description = "To what")),
    request_body(content_type = "application/json", description = "`user`, `role` (`publisher` without it)"),
    responses(
        (status = 201, content_type = "application/json", description = "Invited"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn invite(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    JsonBody(request): JsonBody<Option<InvitationRequest>>,
) -> Result<(StatusCode, Json<InvitationLine>), ApiError> {
    let InvitationRequest { user, role } = request.ok_or_else(|| ApiError::Other {
        status: StatusCode::BAD_REQUEST,
        code: "body-unreadable",
        title: "the body does not say a user".to_owned(),
    })?;
    let role = role.map_or(Ok(MemberRole::Publisher), |role| read_role(&role))?;
    app.disk().room()?;
    let invited = accounts::invite(&app, &permit, &user, role).await.map_err(ApiError::from);
    Ok((StatusCode::CREATED, Json(line(app.disk().noted(invited)?))))
}

/// Takes an invitation to a publisher back.
#[utoipa::path(
    delete,
    path = "/api/registry/v1/publishers/{owner}/invitations/{id}",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "To what"),
        ("id" = String, Path, description = "Its id"),
    ),
    responses((status = 204), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn withdraw_invitation(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
) -> Result<StatusCode, ApiError> {
    app.disk().room()?;
    let done = accounts::withdraw_invitation(&app, &permit, &id).await.map_err(ApiError::from);
    app.disk().noted(done)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Accepts an own invitation.
#[utoipa::path(
    post,
    path = "/api/registry/v1/invitations/{id}/accept",
    tag = "registry",
    security(("token" = [])),
    params(("id" = String, Path, description = "Its id")),
    responses(
        (status = 200, content_type = "application/json", description = "The invitation that was accepted"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn accept(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
) -> Result<Json<InvitationLine>, ApiError> {
    app.disk().room()?;
    let done = accounts::accept(&app, &permit, &id).await.map_err(ApiError::from);
    Ok(Json(line(app.disk().noted(done)?)))
}

/// Declines an own invitation.
#[utoipa::path(
    post,
    path = "/api/registry/v1/invitations/{id}/decline",
    tag = "registry",
    security(("token" = [])),
    params(("id" = String, Path, description = "Its id")),
    responses(
        (status = 200, content_type = "application/json", description = "The invitation that was declined"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn decline(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    IdPath(id): IdPath,
) -> Result<Json<InvitationLine>, ApiError> {
    app.disk().room()?;
    let done = accounts::decline(&app, &permit, &id).await.map_err(ApiError::from);
    Ok(Json(line(app.disk().noted(done)?)))
}

fn page(
    mut rows: Vec<Invitation>,
    limit: usize,
    cursor: impl Fn(&Invitation) -> String,
) -> Json<InvitationPage> {
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next_cursor = rows.last().filter(|_| more).map(cursor);
    Json(InvitationPage { invitations: rows.into_iter().map(line).collect(), next_cursor })
}

fn line(invitation: Invitation) -> InvitationLine {
    InvitationLine {
        id: invitation.id,
        publisher: invitation.publisher,
        user: invitation.user,
        role: invitation.role.as_str().to_owned(),
        invited_by: invitation.invited_by,
        created_at: invitation.created_at,
        expires_at: invitation.expires_at,
    }
}
