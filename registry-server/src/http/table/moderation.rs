//! What moderators and administrators see and decide, and what people tell them.

use http::Method;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{OnPath, Row};
use crate::app::App;
use crate::auth::Act;
use crate::http::{registry, v1};

const APPEALS: &str = "/api/registry/v1/skills/{owner}/{slug}/versions/{version}/appeals";
const APPROVE: &str = "/api/registry/v1/moderation/proposals/{id}/approve";
const DECLINE: &str = "/api/registry/v1/moderation/proposals/{id}/decline";
const REPORTS: &str = "/api/registry/v1/skills/{owner}/{slug}/reports";

pub(super) const ROWS: &[Row] = &[
    Row::new(Method::GET, "/api/registry/v1/audit", Act::ReadAudit, OnPath::Nothing),
    Row::new(Method::GET, "/api/registry/v1/moderation/queue", Act::SeeQueue, OnPath::Nothing),
    Row::new(Method::GET, "/api/registry/v1/moderation/cases/{owner}/{slug}", Act::SeeQueue, OnPath::Nothing),
    Row::new(Method::POST, "/api/registry/v1/moderation/reports/{id}/decide", Act::Decide, OnPath::Nothing),
    Row::new(Method::POST, "/api/registry/v1/moderation/holds/{id}/pass", Act::Decide, OnPath::Nothing),
    Row::new(Method::POST, "/api/registry/v1/moderation/holds/{id}/refuse", Act::Decide, OnPath::Nothing),
    Row::new(
        Method::POST,
        "/api/registry/v1/moderation/releases/{owner}/{slug}/{version}/hide",
        Act::Close,
        OnPath::Skill,
    ),
    Row::new(
        Method::POST,
        "/api/registry/v1/moderation/releases/{owner}/{slug}/{version}/quarantine",
        Act::Close,
        OnPath::Skill,
    ),
    Row::new(
        Method::POST,
        "/api/registry/v1/moderation/releases/{owner}/{slug}/{version}/takedown",
        Act::Close,
        OnPath::Skill,
    ),
    Row::new(
        Method::POST,
        "/api/registry/v1/moderation/releases/{owner}/{slug}/{version}/restore",
        Act::Restore,
        OnPath::Skill,
    ),
    Row::new(Method::GET, "/api/registry/v1/moderation/proposals", Act::SeeQueue, OnPath::Nothing),
    // What they are about stands in a row.
    Row::new(Method::POST, APPROVE, Act::Restore, OnPath::Later),
    Row::new(Method::POST, DECLINE, Act::Restore, OnPath::Later),
    Row::new(Method::POST, "/api/registry/v1/moderation/appeals/{id}/decide", Act::Decide, OnPath::Later),
    Row::new(Method::POST, "/api/registry/v1/moderation/users/{user}/ban", Act::Ban, OnPath::Nothing),
    Row::new(Method::POST, "/api/registry/v1/moderation/users/{user}/unban", Act::Ban, OnPath::Nothing),
    Row::new(Method::PUT, "/api/registry/v1/moderation/users/{user}/role", Act::SetSiteRole, OnPath::Nothing),
    Row::new(Method::GET, APPEALS, Act::SeeHidden, OnPath::Skill),
    Row::new(Method::POST, APPEALS, Act::Appeal, OnPath::Skill),
    Row::new(Method::GET, "/api/v1/skills/-/reports", Act::SeeQueue, OnPath::Nothing),
    Row::new(Method::POST, "/api/v1/skills/-/reports/{id}/triage", Act::Decide, OnPath::Nothing),
    Row::read("/api/v1/skills/{slug}/moderation"),
    Row::new(Method::POST, REPORTS, Act::Report, OnPath::Skill),
    // Which skill a bare slug means is known only when it was asked for.
    Row::new(Method::POST, "/api/v1/skills/{slug}/report", Act::Report, OnPath::Later),
];

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(registry::audit::audit))
        .routes(routes!(registry::moderation::queue::queue))
        .routes(routes!(registry::moderation::case::case))
        .routes(routes!(registry::moderation::reports::decide))
        .routes(routes!(registry::moderation::holds::pass))
        .routes(routes!(registry::moderation::holds::refuse))
        .routes(routes!(registry::moderation::acts::hide))
        .routes(routes!(registry::moderation::acts::quarantine))
        .routes(routes!(registry::moderation::acts::takedown))
        .routes(routes!(registry::moderation::acts::restore))
        .routes(routes!(registry::moderation::proposals::proposals))
        .routes(routes!(registry::moderation::proposals::approve_proposal))
        .routes(routes!(registry::moderation::proposals::decline_proposal))
        .routes(routes!(registry::moderation::appeals::answer))
        .routes(routes!(registry::moderation::users::ban))
        .routes(routes!(registry::moderation::users::unban))
        .routes(routes!(registry::moderation::users::set_site_role))
        .routes(routes!(registry::appeals::appeals, registry::appeals::appeal))
        .routes(routes!(registry::reports::report))
        .routes(routes!(v1::moderation::details))
        .routes(routes!(v1::reports::reports))
        .routes(routes!(v1::reports::triage))
        .routes(routes!(v1::report::report))
}
