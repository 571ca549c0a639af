use axum::extract::State;
use axum::{Extension, Json};
use skill_core::api::Starred;

use crate::app::App;
use crate::auth::Permit;
use crate::problem::ApiError;
use crate::star;

/// Stars a skill. Once more it changes nothing.
#[utoipa::path(
    put,
    path = "/api/registry/v1/skills/{owner}/{slug}/star",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
    ),
    responses(
        (status = 200, content_type = "application/json", description = "It has the star"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn star(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
) -> Result<Json<Starred>, ApiError> {
    app.disk().room()?;
    let starred = app.disk().noted(star::star(&app, &permit).await.map_err(ApiError::from))?;
    Ok(Json(answer(starred)))
}

/// Takes a star back. Without one it changes nothing.
#[utoipa::path(
    delete,
    path = "/api/registry/v1/skills/{owner}/{slug}/star",
    tag = "registry",
    security(("token" = [])),
    params(
        ("owner" = String, Path, description = "Whose skill"),
        ("slug" = String, Path, description = "Which"),
    ),
    responses(
        (status = 200, content_type = "application/json", description = "It has no star of this user"),
        (status = "4XX", content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn unstar(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
) -> Result<Json<Starred>, ApiError> {
    app.disk().room()?;
    let starred = app.disk().noted(star::unstar(&app, &permit).await.map_err(ApiError::from))?;
    Ok(Json(answer(starred)))
}

fn answer(starred: star::Starred) -> Starred {
    let star::Starred { name, changed, stars } = starred;
    Starred { owner: name.owner, slug: name.slug, changed, stars }
}
