use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::json;
use super::find::{self, Miss};
use crate::app::App;
use crate::auth::{On, Permit};
use crate::http::extract::{SlugPath, Wanted};
use crate::problem::ApiError;
use crate::star;

/// A star was given (contract 1.13).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StarGiven {
    /// Always true.
    ok: bool,
    /// Always true: the skill has the star.
    starred: bool,
    /// Whether it had it before.
    already_starred: bool,
}

/// A star was taken back.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StarTaken {
    /// Always true.
    ok: bool,
    /// Always true: the skill has no star of this user.
    unstarred: bool,
    /// Whether it had none before.
    already_unstarred: bool,
}

/// Stars a skill.
#[utoipa::path(
    post,
    path = "/api/v1/stars/{slug}",
    tag = "clawhub",
    security(("token" = [])),
    params(
        ("slug" = String, Path, description = "Slug"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill"),
    ),
    responses((status = 200, body = StarGiven), (status = 404, description = "`Skill not found`")),
)]
pub(crate) async fn star(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    SlugPath(wanted): SlugPath,
) -> Result<Response, Miss> {
    let permit = permitted(&app, &permit, &wanted).await?;
    let starred = app.disk().noted(star::star(&app, &permit).await.map_err(ApiError::from))?;
    Ok(json(&StarGiven { ok: true, starred: true, already_starred: !starred.changed }))
}

/// Takes a star back.
#[utoipa::path(
    delete,
    path = "/api/v1/stars/{slug}",
    tag = "clawhub",
    security(("token" = [])),
    params(
        ("slug" = String, Path, description = "Slug"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill"),
    ),
    responses((status = 200, body = StarTaken), (status = 404, description = "`Skill not found`")),
)]
pub(crate) async fn unstar(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    SlugPath(wanted): SlugPath,
) -> Result<Response, Miss> {
    let permit = permitted(&app, &permit, &wanted).await?;
    let starred = app.disk().noted(star::unstar(&app, &permit).await.map_err(ApiError::from))?;
    Ok(json(&StarTaken { ok: true, unstarred: true, already_unstarred: !starred.changed }))
}

/// The permit for the skill that is meant, now that its name is known.
async fn permitted(app: &App, permit: &Permit, wanted: &Wanted) -> Result<Permit, Miss> {
    app.disk().room()?;
    let skill = find::skill(app, &mut *app.db().read().await?, wanted).await?;
    Ok(permit.narrow(On::Skill(skill.name()))?)
}
