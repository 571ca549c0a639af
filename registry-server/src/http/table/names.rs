//! What becomes of a release and of a name after the publish.

use http::Method;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{OnPath, Row};
use crate::app::App;
use crate::auth::Act;
use crate::http::{registry, v1};

const RELEASE_YANK: &str = "/api/registry/v1/skills/{owner}/{slug}/versions/{version}/yank";
const RELEASE_UNYANK: &str = "/api/registry/v1/skills/{owner}/{slug}/versions/{version}/unyank";
const RELEASE_WITHDRAW: &str = "/api/registry/v1/skills/{owner}/{slug}/versions/{version}/withdraw";
const RELEASE_RESTORE: &str = "/api/registry/v1/skills/{owner}/{slug}/versions/{version}/restore";
const SKILL: &str = "/api/registry/v1/skills/{owner}/{slug}";
const SKILL_DEPRECATION: &str = "/api/registry/v1/skills/{owner}/{slug}/deprecation";
const SKILL_UNDELETE: &str = "/api/registry/v1/skills/{owner}/{slug}/undelete";
const TAG: &str = "/api/registry/v1/skills/{owner}/{slug}/tags/{tag}";

// The contract's. Whose skill it is may stand in the body.
const V1_SKILL: &str = "/api/v1/skills/{slug}";
const V1_UNDELETE: &str = "/api/v1/skills/{slug}/undelete";
const V1_VERSION: &str = "/api/v1/skills/{slug}/versions/{version}";
const V1_RESTORE: &str = "/api/v1/skills/{slug}/versions/{version}/restore";
const V1_TAG: &str = "/api/v1/skills/{slug}/tags/{tag}";

pub(super) const ROWS: &[Row] = &[
    Row::new(Method::POST, RELEASE_YANK, Act::Yank, OnPath::Skill),
    Row::new(Method::POST, RELEASE_UNYANK, Act::Yank, OnPath::Skill),
    Row::new(Method::POST, RELEASE_WITHDRAW, Act::Withdraw, OnPath::Skill),
    Row::new(Method::POST, RELEASE_RESTORE, Act::Withdraw, OnPath::Skill),
    Row::new(Method::DELETE, SKILL, Act::DeleteSkill, OnPath::Skill),
    Row::new(Method::POST, SKILL_UNDELETE, Act::DeleteSkill, OnPath::Skill),
    Row::new(Method::PUT, SKILL_DEPRECATION, Act::Deprecate, OnPath::Skill),
    Row::new(Method::DELETE, SKILL_DEPRECATION, Act::Deprecate, OnPath::Skill),
    Row::new(Method::PUT, TAG, Act::Tag, OnPath::Skill),
    Row::new(Method::DELETE, TAG, Act::Tag, OnPath::Skill),
    Row::new(Method::DELETE, V1_SKILL, Act::DeleteSkill, OnPath::Later),
    Row::new(Method::POST, V1_UNDELETE, Act::DeleteSkill, OnPath::Later),
    Row::new(Method::DELETE, V1_VERSION, Act::Withdraw, OnPath::Later),
    Row::new(Method::POST, V1_RESTORE, Act::Withdraw, OnPath::Later),
    Row::new(Method::POST, V1_TAG, Act::Tag, OnPath::Later),
];

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(registry::yank::yank))
        .routes(routes!(registry::yank::unyank))
        .routes(routes!(registry::lifecycle::withdraw))
        .routes(routes!(registry::lifecycle::restore))
        .routes(routes!(registry::lifecycle::delete))
        .routes(routes!(registry::lifecycle::undelete))
        .routes(routes!(registry::deprecation::deprecate, registry::deprecation::undeprecate))
        .routes(routes!(registry::tags::set_tag, registry::tags::remove_tag))
        .routes(routes!(v1::manage::delete))
        .routes(routes!(v1::manage::undelete))
        .routes(routes!(v1::manage::withdraw))
        .routes(routes!(v1::manage::restore))
        .routes(routes!(v1::manage::tag))
}
