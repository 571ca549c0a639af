//! What stock clients change about a skill: the contract's shapes over the same functions as our own routes.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::name::{Slug, Tag};
use skill_core::version::Version;
use utoipa::ToSchema;

use super::answer::json;
use super::find::{self, Miss};
use crate::app::App;
use crate::auth::{On, Permit};
use crate::change;
use crate::http::extract::{JsonBody, SlugPath, TagSegment, VersionPath, Wanted};
use crate::problem::ApiError;

/// The body of a change. Whose skill it is stands here or in the query; here wins.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Change {
    reason: String,
    owner_handle: Option<String>,
    version: Option<Version>,
}

/// It is done.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Done {
    /// Always true.
    ok: bool,
    /// Until when nobody else may take the slug, in milliseconds since 1970; absent if it is another skill's.
    #[serde(skip_serializing_if = "Option::is_none")]
    slug_reserved_until: Option<i64>,
}

/// A tag points to a release.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TagMoved {
    /// Always true.
    ok: bool,
    /// The skill.
    #[schema(value_type = String)]
    slug: Slug,
    /// The tag.
    #[schema(value_type = String)]
    tag: Tag,
    /// The release.
    #[schema(value_type = String)]
    version: Version,
}

const DONE: Done = Done { ok: true, slug_reserved_until: None };

/// The permit for the skill that is meant, now that its name is known.
async fn permitted(app: &App, permit: &Permit, wanted: Wanted, body: &Change) -> Result<Permit, Miss> {
    let wanted = match &body.owner_handle {
        Some(_) => Wanted::read(wanted.slug.as_str(), body.owner_handle.as_deref())?,
        None => wanted,
    };
    let skill = find::skill(app, &mut *app.db().read().await?, &wanted).await?;
    let permit = permit.narrow(On::Skill(skill.name()))?;
    app.disk().room()?;
    Ok(permit)
}

/// Deletes a whole skill.
#[utoipa::path(
    delete,
    path = "/api/v1/skills/{slug}",
    tag = "clawhub",
    security(("token" = [])),
    params(
        ("slug" = String, Path, description = "Slug"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill; the body may say it too"),
    ),
    request_body(content_type = "application/json", description = "`reason`, `ownerHandle`, or no body"),
    responses((status = 200, body = Done), (status = "4XX", description = "One line of text")),
)]
pub(crate) async fn delete(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    SlugPath(wanted): SlugPath,
    JsonBody(body): JsonBody<Change>,
) -> Result<Response, Miss> {
    let permit = permitted(&app, &permit, wanted, &body).await?;
    let deleted = app.disk().noted(change::delete(&app, &permit, &body.reason).await)?;
    Ok(json(&Done { ok: true, slug_reserved_until: deleted.reserved_until.map(Timestamp::as_millisecond) }))
}

/// Brings a deleted skill back.
#[utoipa::path(
    post,
    path = "/api/v1/skills/{slug}/undelete",
    tag = "clawhub",
    security(("token" = [])),
    params(
        ("slug" = String, Path, description = "Slug"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill; the body may say it too"),
    ),
    request_body(content_type = "application/json", description = "`reason`, `ownerHandle`, or no body"),
    responses((status = 200, body = Done), (status = "4XX", description = "One line of text")),
)]
pub(crate) async fn undelete(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    SlugPath(wanted): SlugPath,
    JsonBody(body): JsonBody<Change>,
) -> Result<Response, Miss> {
    let permit = permitted(&app, &permit, wanted, &body).await?;
    app.disk().noted(change::undelete(&app, &permit, &body.reason).await)?;
    Ok(json(&DONE))
}

/// Withdraws one version.
#[utoipa::path(
    delete,
    path = "/api/v1/skills/{slug}/versions/{version}",
    tag = "clawhub",
    security(("token" = [])),
    params(
        ("slug" = String, Path, description = "Slug"),
        ("version" = String, Path, description = "Number"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill; the body may say it too"),
    ),
    request_body(content_type = "application/json", description = "`version` (as in the path), `ownerHandle`, or no body"),
    responses((status = 200, body = Done), (status = "4XX", description = "One line of text")),
)]
pub(crate) async fn withdraw(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    SlugPath(wanted): SlugPath,
    VersionPath(version): VersionPath,
    JsonBody(body): JsonBody<Change>,
) -> Result<Response, Miss> {
    turn(&app, &permit, wanted, &version, &body, true).await
}

/// Brings a withdrawn version back.
#[utoipa::path(
    post,
    path = "/api/v1/skills/{slug}/versions/{version}/restore",
    tag = "clawhub",
    security(("token" = [])),
    params(
        ("slug" = String, Path, description = "Slug"),
        ("version" = String, Path, description = "Number"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill; the body may say it too"),
    ),
    request_body(content_type = "application/json", description = "`version` (as in the path), `ownerHandle`, or no body"),
    responses((status = 200, body = Done), (status = "4XX", description = "One line of text")),
)]
pub(crate) async fn restore(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    SlugPath(wanted): SlugPath,
    VersionPath(version): VersionPath,
    JsonBody(body): JsonBody<Change>,
) -> Result<Response, Miss> {
    turn(&app, &permit, wanted, &version, &body, false).await
}

async fn turn(
    app: &App,
    permit: &Permit,
    wanted: Wanted,
    version: &Version,
    body: &Change,
    withdrawn: bool,
) -> Result<Response, Miss> {
    if body.version.as_ref().is_some_and(|said| said != version) {
        return Err(usage("the body names another version than the address").into());
    }
    let permit = permitted(app, permit, wanted, body).await?;
    app.disk().noted(change::set_withdrawn(app, &permit, version, withdrawn, &body.reason).await)?;
    Ok(json(&DONE))
}

/// Lets a tag point to a version.
#[utoipa::path(
    post,
    path = "/api/v1/skills/{slug}/tags/{tag}",
    tag = "clawhub",
    security(("token" = [])),
    params(
        ("slug" = String, Path, description = "Slug"),
        ("tag" = String, Path, description = "The tag"),
        ("ownerHandle" = Option<String>, Query, description = "Whose skill; the body may say it too"),
    ),
    request_body(content_type = "application/json", description = "`version`, `ownerHandle`"),
    responses((status = 200, body = TagMoved), (status = "4XX", description = "One line of text")),
)]
pub(crate) async fn tag(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    SlugPath(wanted): SlugPath,
    TagSegment(tag): TagSegment,
    JsonBody(body): JsonBody<Change>,
) -> Result<Response, Miss> {
    let version = body.version.clone().ok_or_else(|| usage("the body does not say a version"))?;
    let slug = wanted.slug.clone();
    let permit = permitted(&app, &permit, wanted, &body).await?;
    let set = change::set_tags(&app, &permit, std::slice::from_ref(&tag), &version).await;
    app.disk().noted(set)?;
    Ok(json(&TagMoved { ok: true, slug, tag, version }))
}

fn usage(title: &str) -> ApiError {
    ApiError::Other { status: StatusCode::BAD_REQUEST, code: "usage", title: title.to_owned() }
}
