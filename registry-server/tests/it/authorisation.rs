//! Who may do what, at every route there is. The gate decides before the body is read, so that a body which nobody can
//! read tells who gets past it, and nothing changes.

mod callers;
mod targets;

use std::collections::BTreeSet;

use axum::body::Body;
use axum::routing::{get, post};
use http::{Method, StatusCode};
use insta::assert_snapshot;
use skill_registry::app::{gated, layered};
use skill_registry::auth::{Act, Binding, Who};
use skill_registry::http::{Row, Shown, rows};
use tower::ServiceExt as _;

use crate::support::{Caller, Skill, TestRegistry};
use callers::{COLUMNS, callers};

/// `in`, or the status with which somebody is turned away.
async fn cell(caller: &Caller, row: &Row) -> String {
    let path = targets::address(row.path);
    let request = caller.request(row.method.clone(), &path).body(Body::from("\"matrix\"")).unwrap();
    said(row, caller.send(request).await.status.as_u16())
}

/// The same for whoever is signed in with a browser. A form ends sessions, so that each cell has one of its own.
async fn cell_of_session(registry: &TestRegistry, row: &Row, has_form: bool) -> String {
    // So many sign-ins within a minute are more than one address is allowed.
    registry.later(1);
    let browser = registry.signed_in("olga").await;
    let path = targets::address(row.path);
    let answer = match (row.shown, has_form) {
        (Shown::Form, true) => browser.post(&path, &[]).await,
        _ => browser.send(row.method.clone(), &path, "\"matrix\"").await,
    };
    said(row, answer.status.as_u16())
}

fn said(row: &Row, status: u16) -> String {
    assert!(status < 500, "{} {}: {status}", row.method, row.path);
    if matches!(status, 401 | 403) { status.to_string() } else { "in".to_owned() }
}

async fn matrix(registry: &TestRegistry) -> String {
    targets::make(registry).await;
    let callers = callers(registry).await;
    let mut table = format!("{}\n", COLUMNS.map(|name| format!("{name:9}")).concat().trim_end());
    for row in rows() {
        // A minute for each, so that nobody is told that they ask too often.
        registry.later(60);
        for caller in &callers {
            table += &format!("{:9}", cell(caller, row).await);
        }
        for has_form in [true, false] {
            table += &format!("{:9}", cell_of_session(registry, row, has_form).await);
        }
        table += &format!("{} {}\n", row.method, row.path);
    }
    table
}

on_both_engines! {
    /// Every route and everybody. What is expected was written by hand: a new route changes this table.
    async fn every_route_and_everybody(registry) {
        assert_snapshot!(matrix(registry).await, @r"
        nobody   other    invited  publisheradmin    owner    moderatorsite     expired  revoked  reads    elsewheresession  formless
        in       in       in       in       in       in       in       in       in       in       in       in       in       in       POST /api/cli/device/code
        in       in       in       in       in       in       in       in       in       in       in       in       in       in       POST /api/cli/device/token
        401      in       in       in       in       in       in       in       401      401      in       403      401      401      POST /api/registry/v1/sign-in-links
        401      in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/registry/v1/tokens
        401      in       in       in       in       in       in       in       401      401      403      403      401      401      POST /api/registry/v1/tokens
        401      in       in       in       in       in       in       in       401      401      in       in       401      401      DELETE /api/registry/v1/tokens/{id}
        401      in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/registry/v1/whoami
        401      in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/v1/whoami
        401      403      403      403      403      403      403      in       401      401      403      403      403      403      GET /api/registry/v1/audit
        401      403      403      403      403      403      in       in       401      401      403      403      403      403      GET /api/registry/v1/moderation/queue
        401      403      403      403      403      403      in       in       401      401      403      403      403      403      GET /api/registry/v1/moderation/cases/{owner}/{slug}
        401      403      403      403      403      403      in       in       401      401      403      403      401      401      POST /api/registry/v1/moderation/reports/{id}/decide
        401      403      403      403      403      403      in       in       401      401      403      403      401      401      POST /api/registry/v1/moderation/holds/{id}/pass
        401      403      403      403      403      403      in       in       401      401      403      403      401      401      POST /api/registry/v1/moderation/holds/{id}/refuse
        401      403      403      403      403      403      in       in       401      401      403      403      401      401      POST /api/registry/v1/moderation/releases/{owner}/{slug}/{version}/hide
        401      403      403      403      403      403      in       in       401      401      403      403      401      401      POST /api/registry/v1/moderation/releases/{owner}/{slug}/{version}/quarantine
        401      403      403      403      403      403      in       in       401      401      403      403      401      401      POST /api/registry/v1/moderation/releases/{owner}/{slug}/{version}/takedown
        401      403      403      403      403      403      in       in       401      401      403      403      401      401      POST /api/registry/v1/moderation/releases/{owner}/{slug}/{version}/restore
        401      403      403      403      403      403      in       in       401      401      403      403      403      403      GET /api/registry/v1/moderation/proposals
        401      403      403      403      403      403      in       in       401      401      403      403      401      401      POST /api/registry/v1/moderation/proposals/{id}/approve
        401      403      403      403      403      403      in       in       401      401      403      403      401      401      POST /api/registry/v1/moderation/proposals/{id}/decline
        401      403      403      403      403      403      in       in       401      401      403      403      401      401      POST /api/registry/v1/moderation/appeals/{id}/decide
        401      403      403      403      403      403      403      in       401      401      403      403      401      401      POST /api/registry/v1/moderation/users/{user}/ban
        401      403      403      403      403      403      403      in       401      401      403      403      401      401      POST /api/registry/v1/moderation/users/{user}/unban
        401      403      403      403      403      403      403      in       401      401      403      403      401      401      PUT /api/registry/v1/moderation/users/{user}/role
        401      403      403      in       in       in       403      403      401      401      in       403      in       in       GET /api/registry/v1/skills/{owner}/{slug}/versions/{version}/appeals
        401      403      403      in       in       in       403      403      401      401      403      403      401      401      POST /api/registry/v1/skills/{owner}/{slug}/versions/{version}/appeals
        401      403      403      403      403      403      in       in       401      401      403      403      403      403      GET /api/v1/skills/-/reports
        401      403      403      403      403      403      in       in       401      401      403      403      401      401      POST /api/v1/skills/-/reports/{id}/triage
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/v1/skills/{slug}/moderation
        401      in       in       in       in       in       in       in       401      401      in       403      401      401      POST /api/registry/v1/skills/{owner}/{slug}/reports
        401      in       in       in       in       in       in       in       401      401      in       403      401      401      POST /api/v1/skills/{slug}/report
        401      403      403      in       in       in       403      403      401      401      403      403      401      401      POST /api/registry/v1/skills/{owner}/{slug}/versions/{version}/yank
        401      403      403      in       in       in       403      403      401      401      403      403      401      401      POST /api/registry/v1/skills/{owner}/{slug}/versions/{version}/unyank
        401      403      403      in       in       in       403      403      401      401      403      403      401      401      POST /api/registry/v1/skills/{owner}/{slug}/versions/{version}/withdraw
        401      403      403      in       in       in       403      403      401      401      403      403      401      401      POST /api/registry/v1/skills/{owner}/{slug}/versions/{version}/restore
        401      403      403      403      in       in       403      403      401      401      403      403      401      401      DELETE /api/registry/v1/skills/{owner}/{slug}
        401      403      403      403      in       in       403      403      401      401      403      403      401      401      POST /api/registry/v1/skills/{owner}/{slug}/undelete
        401      403      403      in       in       in       403      403      401      401      403      403      401      401      PUT /api/registry/v1/skills/{owner}/{slug}/deprecation
        401      403      403      in       in       in       403      403      401      401      403      403      401      401      DELETE /api/registry/v1/skills/{owner}/{slug}/deprecation
        401      403      403      in       in       in       403      403      401      401      403      403      401      401      PUT /api/registry/v1/skills/{owner}/{slug}/tags/{tag}
        401      403      403      in       in       in       403      403      401      401      403      403      401      401      DELETE /api/registry/v1/skills/{owner}/{slug}/tags/{tag}
        401      in       in       in       in       in       in       in       401      401      403      in       401      401      DELETE /api/v1/skills/{slug}
        401      in       in       in       in       in       in       in       401      401      403      in       401      401      POST /api/v1/skills/{slug}/undelete
        401      in       in       in       in       in       in       in       401      401      403      in       401      401      DELETE /api/v1/skills/{slug}/versions/{version}
        401      in       in       in       in       in       in       in       401      401      403      in       401      401      POST /api/v1/skills/{slug}/versions/{version}/restore
        401      in       in       in       in       in       in       in       401      401      403      in       401      401      POST /api/v1/skills/{slug}/tags/{tag}
        401      in       in       in       in       in       in       in       401      401      in       403      401      401      PUT /api/registry/v1/skills/{owner}/{slug}/star
        401      in       in       in       in       in       in       in       401      401      in       403      401      401      DELETE /api/registry/v1/skills/{owner}/{slug}/star
        401      in       in       in       in       in       in       in       401      401      in       403      401      401      POST /api/v1/stars/{slug}
        401      in       in       in       in       in       in       in       401      401      in       403      401      401      DELETE /api/v1/stars/{slug}
        401      in       in       in       in       in       in       in       401      401      403      403      401      401      POST /api/registry/v1/publishers
        401      in       in       in       in       in       in       in       401      401      403      403      401      401      POST /api/v1/publishers
        401      403      403      in       in       in       403      403      401      401      in       in       in       in       GET /api/registry/v1/publishers/{owner}
        401      403      403      in       in       in       403      403      401      401      in       in       in       in       GET /api/registry/v1/publishers/{owner}/members
        401      403      403      403      403      in       403      403      401      401      403      403      401      401      PUT /api/registry/v1/publishers/{owner}/members/{user}
        401      403      403      403      403      in       403      403      401      401      403      403      401      401      DELETE /api/registry/v1/publishers/{owner}/members/{user}
        401      403      403      in       in       in       403      403      401      401      in       in       in       in       GET /api/registry/v1/publishers/{owner}/invitations
        401      403      403      403      in       in       403      403      401      401      403      403      401      401      POST /api/registry/v1/publishers/{owner}/invitations
        401      403      403      403      in       in       403      403      401      401      403      403      401      401      DELETE /api/registry/v1/publishers/{owner}/invitations/{id}
        401      in       in       in       in       in       in       in       401      401      in       403      in       in       GET /api/registry/v1/invitations
        401      in       in       in       in       in       in       in       401      401      in       403      401      401      POST /api/registry/v1/invitations/{id}/accept
        401      in       in       in       in       in       in       in       401      401      in       403      401      401      POST /api/registry/v1/invitations/{id}/decline
        401      in       in       in       in       in       in       in       401      401      403      in       401      401      POST /api/registry/v1/publish
        401      in       in       in       in       in       in       in       401      401      403      in       401      401      POST /api/registry/v1/publish/plan
        in       in       in       in       in       in       in       in       in       in       in       in       in       in       GET /.well-known/skill-registry.json
        in       in       in       in       in       in       in       in       in       in       in       in       in       in       GET /healthz
        401      403      403      403      403      403      403      in       401      401      403      403      403      403      GET /metrics
        in       in       in       in       in       in       in       in       in       in       in       in       in       in       GET /readyz
        in       in       in       in       in       in       in       in       in       in       in       in       in       in       GET /trust/root/{file}
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/registry/v1/limits
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/registry/v1/skills/{owner}/{slug}/downloads
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/registry/v1/skills/{owner}/{slug}/status
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/v1/download
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/v1/openapi.json
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/v1/resolve
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/v1/search
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/v1/skills
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/v1/skills/{slug}
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/v1/skills/{slug}/file
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/v1/skills/{slug}/versions
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/v1/skills/{slug}/versions/{version}
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /api/v1/skills/{slug}/versions/{version}/envelope
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /index/{owner}/{slug}
        401      403      403      403      in       in       403      403      401      401      403      403      in       in       GET /api/registry/v1/publishers/{owner}/webhooks
        401      403      403      403      in       in       403      403      401      401      403      403      401      401      POST /api/registry/v1/publishers/{owner}/webhooks
        401      403      403      403      in       in       403      403      401      401      403      403      401      401      DELETE /api/registry/v1/publishers/{owner}/webhooks/{id}
        401      403      403      403      in       in       403      403      401      401      403      403      in       in       GET /api/registry/v1/publishers/{owner}/webhooks/{id}/deliveries
        401      403      403      403      in       in       403      403      401      401      403      403      401      401      POST /api/registry/v1/publishers/{owner}/webhooks/{id}/ping
        in       in       in       in       in       in       in       in       in       in       in       in       in       in       GET /sign-in
        403      403      403      403      403      403      403      403      403      403      403      403      in       403      POST /sign-in
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /sign-in/again
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /sign-in/again
        in       in       in       in       in       in       in       in       in       in       in       in       in       in       GET /sign-in/link/{secret}
        403      403      403      403      403      403      403      403      403      403      403      403      in       403      POST /sign-in/link
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /sign-out
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /cli/device
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /cli/device
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /cli/device/decide
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /settings/sessions
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /settings/sessions/end
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /settings/sessions/end-all
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /dashboard
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /dashboard/invitations/accept
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /dashboard/invitations/decline
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /settings/publishers
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /settings/publishers
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /settings/publishers/{owner}
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /settings/publishers/{owner}/members/role
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /settings/publishers/{owner}/members/remove
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /settings/publishers/{owner}/members/remove
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /settings/publishers/{owner}/invitations
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /settings/publishers/{owner}/invitations/withdraw
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /settings/publishers/{owner}/webhooks
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /settings/publishers/{owner}/webhooks
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /settings/publishers/{owner}/webhooks/remove
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /settings/publishers/{owner}/webhooks/ping
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /settings/publishers/{owner}/webhooks/deliveries
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /settings
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /settings/tokens
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /settings/tokens
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /settings/tokens/revoke
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /settings/password
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /settings/password
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /{owner}/skills/{slug}/settings
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /{owner}/skills/{slug}/settings/tags
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /{owner}/skills/{slug}/settings/tags/remove
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /{owner}/skills/{slug}/settings/yank
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /{owner}/skills/{slug}/settings/yank
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /{owner}/skills/{slug}/settings/unyank
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /{owner}/skills/{slug}/settings/unyank
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /{owner}/skills/{slug}/settings/withdraw
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /{owner}/skills/{slug}/settings/withdraw
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /{owner}/skills/{slug}/settings/restore
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /{owner}/skills/{slug}/settings/restore
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /{owner}/skills/{slug}/settings/deprecate
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /{owner}/skills/{slug}/settings/deprecate
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /{owner}/skills/{slug}/settings/undeprecate
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /{owner}/skills/{slug}/settings/undeprecate
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /{owner}/skills/{slug}/settings/delete
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /{owner}/skills/{slug}/settings/delete
        401      401      401      401      401      401      401      401      401      401      401      401      in       in       GET /{owner}/skills/{slug}/settings/undelete
        401      401      401      401      401      401      401      401      401      401      401      401      in       403      POST /{owner}/skills/{slug}/settings/undelete
        in       in       in       in       in       in       in       in       in       in       in       in       in       in       GET /static/{file}
        in       in       in       in       in       in       in       in       in       in       in       in       in       in       GET /robots.txt
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /sitemap.xml
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /skills
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /search
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /{owner}
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /{owner}/skills/{slug}
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /{owner}/skills/{slug}/versions
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /{owner}/skills/{slug}/versions/{version}
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /{owner}/skills/{slug}/files
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /{owner}/skills/{slug}/diff
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /{owner}/skills/{slug}/security
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /feed.atom
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /{owner}/feed.atom
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /{owner}/skills/{slug}/feed.atom
        in       in       in       in       in       in       in       in       401      401      in       in       in       in       GET /{owner}/skills/{slug}/badge.svg
        ");
    }
}

#[tokio::test]
async fn a_private_registry_lets_nobody_in_without_a_token() {
    let registry = TestRegistry::on_sqlite().with("access.read = 'token'").start().await;
    targets::make(&registry).await;
    let nobody = registry.anonymous();
    let mut open = String::new();
    for row in rows() {
        match cell(&nobody, row).await.as_str() {
            "in" => open += &format!("{} {}\n", row.method, row.path),
            // The way in: what is refused is that the form comes from nowhere.
            "403" if row.shown == Shown::Form && row.act == Act::Open => {}
            refused => assert_eq!(refused, "401", "{} {}", row.method, row.path),
        }
    }
    assert_snapshot!(open, @r"
    POST /api/cli/device/code
    POST /api/cli/device/token
    GET /.well-known/skill-registry.json
    GET /healthz
    GET /readyz
    GET /trust/root/{file}
    GET /sign-in
    GET /sign-in/link/{secret}
    GET /static/{file}
    GET /robots.txt
    ");
}

/// A route of which the table knows nothing is for nobody, not even for an administrator.
#[tokio::test]
async fn a_route_without_a_row_is_never_let_through() {
    let registry = TestRegistry::on_sqlite().start().await;
    let admin = registry.admin();
    let forgotten = axum::Router::new().route("/forgotten", get(async || "secret"));
    let router = gated(forgotten, &registry.app).with_state(registry.app.clone());
    let request = admin.request(Method::GET, "/forgotten").body(Body::empty()).unwrap();
    let answer = router.oneshot(request).await.unwrap();
    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
}

/// What a path takes is what its rows say, also where a method has a handler.
#[tokio::test]
async fn a_method_without_a_row_is_not_taken() {
    let registry = TestRegistry::on_sqlite().start().await;
    for (path, takes) in [
        ("/healthz", "GET,HEAD"),
        ("/skills", "GET,HEAD"),
        ("/api/registry/v1/publish", "POST"),
        ("/api/registry/v1/skills/team/tool/tags/beta", "PUT,DELETE"),
    ] {
        let anyone = registry.anonymous();
        let answer = anyone.send(anyone.request(Method::PATCH, path).body(Body::empty()).unwrap()).await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, Some(takes)), "{path}");
    }
}

/// The description and the table know the same routes.
#[tokio::test]
async fn every_route_has_a_row_and_every_row_a_route() {
    let registry = TestRegistry::on_sqlite().start().await;
    let api = registry.anonymous().get("/api/v1/openapi.json").await.json();
    let mut routes = BTreeSet::new();
    for (path, methods) in api["paths"].as_object().unwrap() {
        routes.extend(
            methods.as_object().unwrap().keys().map(|method| format!("{} {path}", method.to_uppercase())),
        );
    }
    routes.extend(["GET /healthz", "GET /metrics", "GET /readyz"].map(str::to_owned));
    routes.extend(skill_registry::web::paths().map(|path| format!("GET {path}")));
    routes.extend(skill_registry::web::account_paths().map(|(method, path)| format!("{method} {path}")));
    let mut known: Vec<String> = rows().map(|row| format!("{} {}", row.method, row.path)).collect();
    known.sort();
    assert_eq!(known, Vec::from_iter(routes));
}

/// Whoever is turned away has no byte of the body read before: one that panics when it is asked for is not asked for.
#[tokio::test]
async fn a_caller_is_refused_before_the_body_is_read() {
    const PUBLISH: &str = "/api/registry/v1/publish";
    const YANK: &str = "/api/registry/v1/skills/{owner}/{slug}/versions/{version}/yank";
    let registry = TestRegistry::on_sqlite().start().await;
    targets::make(&registry).await;
    let stranger = registry.user("mallory").await;
    let read = || post(async |body: String| body);
    let routes = axum::Router::new().route(PUBLISH, read()).route(YANK, read());
    let gated = layered(gated(routes, &registry.app)).with_state(registry.app.clone());
    for (caller, route, expected) in
        [(&registry.anonymous(), PUBLISH, 401), (&registry.anonymous(), YANK, 401), (&stranger, YANK, 403)]
    {
        let body = Body::from_stream(futures_util::stream::poll_fn(
            |_| -> std::task::Poll<Option<Result<String, std::io::Error>>> { panic!("the body was read") },
        ));
        let request = caller.request(Method::POST, &targets::address(route)).body(body).unwrap();
        let answer = gated.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status().as_u16(), expected, "{route}");
        assert_eq!(answer.headers().contains_key("www-authenticate"), expected == 401);
    }
}

/// Whoever shows nothing is not told which addresses could be.
#[tokio::test]
async fn an_address_that_cannot_be_is_not_told_to_nobody() {
    let registry = TestRegistry::on_sqlite().start().await;
    let path = "/api/registry/v1/skills/team/..%2Fx/versions/1.0.0/yank";
    assert_eq!(registry.anonymous().post(path, &serde_json::json!({})).await.status, 401);
    let ada = registry.user("ada").await;
    assert_eq!(ada.post(path, &serde_json::json!({})).await.status, 404);
}

/// Publishing asks again when the body has said where to.
#[tokio::test]
async fn what_only_the_body_says_is_decided_again() {
    let registry = TestRegistry::on_sqlite().start().await;
    targets::make(&registry).await;
    let stranger = registry.user("mallory").await;
    let answer = Skill::new("tool").version("1.0.1").owner("team").publish(&stranger).await;
    assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (403, Some("not-member")));
}

/// docs/API.md, "Who may do what", is the table of the program.
#[test]
fn the_page_has_the_table() {
    let page = include_str!("../../../docs/API.md");
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for act in Act::ALL {
        let needs = act.needs();
        let scope = needs.scope.map_or("-".to_owned(), |scope| format!("`{scope}`"));
        let who = match needs.who {
            Who::Anybody => "everybody, on a private registry too".to_owned(),
            Who::Reader => "whoever may read".to_owned(),
            Who::SignedIn => "every user".to_owned(),
            Who::Member(role) => format!("member: {role}"),
            Who::Site(role) => format!("site: {role}"),
        };
        let token = match needs.token {
            Binding::Any => "any",
            Binding::Own => "what it is bound to",
            Binding::Unbound => "not bound",
        };
        let rest = format!("| {scope} | {who} | {token} |");
        match lines.iter_mut().find(|(known, _)| *known == rest) {
            Some((_, acts)) => acts.push(words(act)),
            None => lines.push((rest, vec![words(act)])),
        }
    }
    let lines: Vec<String> =
        lines.iter().map(|(rest, acts)| format!("| {} {rest}", acts.join(", "))).collect();
    let table = lines.join("\n");
    assert!(page.contains(&table), "docs/API.md does not hold this table:\n{table}");
}

/// `DeleteSkill` as people read it.
fn words(act: Act) -> String {
    let mut words = String::new();
    for letter in format!("{act:?}").chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}
