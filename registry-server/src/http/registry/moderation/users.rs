use axum::extract::State;
use axum::{Extension, Json};
use http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skill_core::api::ReasonRequest;
use skill_core::name::{NameError, Owner, SkillName, Slug};
use skill_core::version::Version;
use utoipa::ToSchema;

use crate::accounts::{self, Banned, Hand};
use crate::app::App;
use crate::auth::Permit;
use crate::http::extract::{JsonBody, UserPath};
use crate::problem::ApiError;
use crate::store::users::User;

/// An account as administrators see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccountView {
    #[schema(value_type = String)]
    user: Owner,
    /// `user`, `moderator` or `admin`.
    role: &'static str,
    /// Since when it is closed.
    #[schema(value_type = Option<String>)]
    disabled_at: Option<Timestamp>,
}

impl From<User> for AccountView {
    fn from(user: User) -> Self {
        Self { user: user.name, role: user.role.as_str(), disabled_at: user.disabled_at }
    }
}

/// An account that was closed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BannedView {
    #[serde(flatten)]
    account: AccountView,
    /// Publishers of several users that nobody with an open account owns now.
    #[schema(value_type = Vec<String>)]
    ownerless: Vec<Owner>,
    /// Releases of the user's own publisher that this hid.
    hidden: Vec<HiddenRelease>,
}

#[derive(Debug, Serialize, ToSchema)]
struct HiddenRelease {
    #[schema(value_type = String)]
    owner: Owner,
    #[schema(value_type = String)]
    slug: Slug,
    #[schema(value_type = String)]
    version: Version,
}

/// Why an account is closed, and what becomes of its skills.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Ban {
    #[serde(default)]
    reason: String,
    #[serde(default)]
    hide_skills: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Role {
    #[serde(default)]
    role: String,
}

/// Closes an account, and hides its skills where that is asked for.
#[utoipa::path(
    post,
    path = "/api/registry/v1/moderation/users/{user}/ban",
    tag = "registry",
    security(("token" = [])),
    params(("user" = String, Path, description = "Whose account")),
    request_body(
        content_type = "application/json",
        description = "`{\"reason\":TEXT,\"hideSkills\":true}`; `hideSkills` is `false` without it",
    ),
    responses((status = 200, body = BannedView), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn ban(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    UserPath(user): UserPath,
    JsonBody(Ban { reason, hide_skills }): JsonBody<Ban>,
) -> Result<Json<BannedView>, ApiError> {
    app.disk().room()?;
    let hand = Hand::Admin { app: &app, permit: &permit };
    let banned = accounts::ban(&hand, &user, &reason).await.map_err(ApiError::from);
    let Banned { user, ownerless } = app.disk().noted(banned)?;
    let hidden = if hide_skills {
        app.disk().noted(accounts::hide_skills(&app, &permit, &user.name, &reason).await)?
    } else {
        Vec::new()
    };
    let named =
        |(name, version): (SkillName, Version)| HiddenRelease { owner: name.owner, slug: name.slug, version };
    Ok(Json(BannedView { account: user.into(), ownerless, hidden: hidden.into_iter().map(named).collect() }))
}

/// Opens an account again. What was hidden with it stays so: each release is restored by itself.
#[utoipa::path(
    post,
    path = "/api/registry/v1/moderation/users/{user}/unban",
    tag = "registry",
    security(("token" = [])),
    params(("user" = String, Path, description = "Whose account")),
    request_body(content_type = "application/json", description = "`{\"reason\": \"…\"}`"),
    responses((status = 200, body = AccountView), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn unban(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    UserPath(user): UserPath,
    JsonBody(ReasonRequest { reason }): JsonBody<ReasonRequest>,
) -> Result<Json<AccountView>, ApiError> {
    app.disk().room()?;
    let hand = Hand::Admin { app: &app, permit: &permit };
    let opened = accounts::unban(&hand, &user, &reason).await.map_err(ApiError::from);
    Ok(Json(app.disk().noted(opened)?.into()))
}

/// Makes a moderator or an administrator of a user, or a plain user again.
#[utoipa::path(
    put,
    path = "/api/registry/v1/moderation/users/{user}/role",
    tag = "registry",
    security(("token" = [])),
    params(("user" = String, Path, description = "Whose")),
    request_body(
        content_type = "application/json",
        description = "`{\"role\":\"moderator\"}`, `admin` or `user`",
    ),
    responses((status = 200, body = AccountView), (status = "4XX", content_type = "application/problem+json")),
)]
pub(crate) async fn set_site_role(
    State(app): State<App>,
    Extension(permit): Extension<Permit>,
    UserPath(user): UserPath,
    JsonBody(Role { role }): JsonBody<Role>,
) -> Result<Json<AccountView>, ApiError> {
    let role = role.parse().map_err(|error: NameError| ApiError::Other {
        status: StatusCode::UNPROCESSABLE_ENTITY,
        code: "role-unreadable",
        title: error.to_string(),
    })?;
    app.disk().room()?;
    let hand = Hand::Admin { app: &app, permit: &permit };
    let changed = accounts::set_site_role(&hand, &user, role).await.map_err(ApiError::from);
    Ok(Json(app.disk().noted(changed)?.into()))
}
