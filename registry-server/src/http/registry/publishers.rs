use axum::extract::State;
use axum::{Extension, Json};
use http::StatusCode;
use skill_core::api::{PublisherLine, PublisherRequest};

use crate::accounts;
use crate::app::App;
use crate::auth::{Act, Permit};
use crate::http::extract::JsonBody;
use crate::problem::ApiError;
use crate::store::publishers::{self, MemberRole, Publisher};

/// Makes a publisher for several users. Whoever asks is its owner.
#[utoipa::path(
    post,
    path = "/api/registry/v1/publishers",
    tag = "registry",
    security(("token" = [])),
    request_body(content_type = "application/json", description = "`handle`, `displayName`"),
    responses(
        (status = 201, content_type = "application/json", description = "Made"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn make_publisher(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    JsonBody(request): JsonBody<Option<PublisherRequest>>,
) -> Result<(StatusCode, Json<PublisherLine>), ApiError> {
    let PublisherRequest { handle, display_name } = request.ok_or_else(|| ApiError::Other {
        status: StatusCode::BAD_REQUEST,
        code: "body-unreadable",
        title: "the body does not say a handle".to_owned(),
    })?;
    app.disk().room()?;
    let made = accounts::create_publisher(&app, &permit, handle, &display_name).await.map_err(ApiError::from);
    let made = app.disk().noted(made)?;
    Ok((StatusCode::CREATED, Json(line(made, MemberRole::Owner))))
}

/// Shows a publisher to its members.
#[utoipa::path(
    get,
    path = "/api/registry/v1/publishers/{owner}",
    tag = "registry",
    security(("token" = [])),
    params(("owner" = String, Path, description = "Its handle")),
    responses(
        (status = 200, content_type = "application/json",
            description = "`handle`, `kind`, `displayName`, `createdAt`, `role`"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn publisher(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
) -> Result<Json<PublisherLine>, ApiError> {
    let owner = permit.publisher(&[Act::ReadPublisher])?;
    let gone = || ApiError::NotMember { owner: owner.clone() };
    let role = permit.identity().role_in(owner).ok_or_else(gone)?;
    let mut conn = app.db().read().await?;
    let found = publishers::find(&mut conn, owner).await?.ok_or_else(gone)?;
    Ok(Json(line(found, role)))
}

fn line(publisher: Publisher, role: MemberRole) -> PublisherLine {
    PublisherLine {
        handle: publisher.handle,
        kind: publisher.kind.as_str().to_owned(),
        display_name: publisher.display_name,
        created_at: publisher.created_at,
        role: role.as_str().to_owned(),
    }
}
