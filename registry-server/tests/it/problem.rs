//! Errors as they are sent: ours as problem+json, ClawHub's as plain text, internals never.

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use http::Request;
use insta::assert_snapshot;
use skill_registry::app::layered;
use skill_registry::problem::ApiError;
use skill_registry::store::StoreError;
use tower::ServiceExt as _;

use crate::support::{Answer, TestRegistry};

/// One error, at one address, behind the layers that every route has.
async fn answer(path: &'static str, make: fn() -> ApiError) -> Answer {
    answer_at(path, path, make).await
}

/// The same on a route that takes more than one address.
async fn answer_at(route: &'static str, path: &'static str, make: fn() -> ApiError) -> Answer {
    let router: Router = layered(Router::new().route(route, get(async move || make())));
    let request = Request::builder().uri(path).header("x-request-id", "test").body(Body::empty()).unwrap();
    Answer::read(router.oneshot(request).await.unwrap()).await
}

#[tokio::test]
async fn one_error_has_two_faces() {
    let refused = || ApiError::NotMember { owner: "acme".parse().unwrap() };
    assert_snapshot!(answer("/api/registry/v1/publish", refused).await.shown(), @r#"
    403 application/problem+json
    {
      "type": "urn:skill-registry:problem:not-member",
      "status": 403,
      "code": "not-member",
      "title": "this account does not act for acme",
      "owner": "acme",
      "requestId": "test"
    }
    "#);
    assert_snapshot!(answer("/api/v1/skills", refused).await.shown(), @r"
    403 text/plain; charset=utf-8
    Forbidden: this account does not act for acme
    ");
    let envelope = "/api/v1/skills/{slug}/versions/{version}/envelope";
    assert_snapshot!(answer_at(envelope, "/api/v1/skills/x/versions/1.0.0/envelope", refused).await.shown(), @r#"
    403 application/problem+json
    {
      "type": "urn:skill-registry:problem:not-member",
      "status": 403,
      "code": "not-member",
      "title": "this account does not act for acme",
      "owner": "acme",
      "requestId": "test"
    }
    "#);
}

#[tokio::test]
async fn internals_are_not_sent() {
    let broken = || ApiError::internal("password hunter2 at /var/lib");
    assert_snapshot!(answer("/index/a/b", broken).await.shown(), @r#"
    500 application/problem+json
    {
      "type": "urn:skill-registry:problem:internal",
      "status": 500,
      "code": "internal",
      "title": "the registry met a state that should not be",
      "requestId": "test"
    }
    "#);
    assert_snapshot!(answer("/api/v1/search", broken).await.shown(), @r"
    500 text/plain; charset=utf-8
    Internal server error
    ");
}

#[tokio::test]
async fn a_panic_is_an_internal_error() {
    let panicked = answer("/index/a/b", || panic!("hunter2")).await;
    assert_eq!(panicked.status, 500);
    assert_eq!(panicked.json()["code"], "internal");
    assert!(!panicked.text().contains("hunter2"));
}

#[tokio::test]
async fn a_full_disk_says_when_to_come_back() {
    let full = answer("/api/registry/v1/publish", || StoreError::Full.into()).await;
    assert_eq!(full.header("retry-after"), Some("60"));
    assert_snapshot!(full.shown(), @r#"
    503 application/problem+json
    {
      "type": "urn:skill-registry:problem:registry-read-only",
      "status": 503,
      "code": "registry-read-only",
      "title": "the registry is read-only: its disk is full",
      "requestId": "test"
    }
    "#);
}

#[tokio::test]
async fn addresses_and_methods_that_are_not_there() {
    let registry = TestRegistry::on_sqlite().start().await;
    let nobody = registry.anonymous();
    assert_snapshot!(nobody.get("/.well-known/nothing").await.shown(), @r#"
    404 application/problem+json
    {
      "type": "urn:skill-registry:problem:route-not-found",
      "status": 404,
      "code": "route-not-found",
      "title": "there is nothing at this address",
      "requestId": "test"
    }
    "#);
    assert_snapshot!(nobody.get("/api/v1/nothing").await.shown(), @r"
    404 text/plain; charset=utf-8
    Not found
    ");
    let refused = nobody.delete("/healthz").await;
    assert_eq!(refused.header("allow"), Some("GET,HEAD"));
    assert_snapshot!(refused.shown(), @r#"
    405 application/problem+json
    {
      "type": "urn:skill-registry:problem:method-not-allowed",
      "status": 405,
      "code": "method-not-allowed",
      "title": "this address does not take DELETE",
      "requestId": "test"
    }
    "#);
}

#[tokio::test]
async fn request_ids_are_made_or_taken_if_harmless() {
    let registry = TestRegistry::on_sqlite().start().await;
    let nobody = registry.anonymous();
    let given = nobody.get("/healthz").await;
    assert_eq!(given.header("x-request-id"), Some("test"));
    for hostile in ["a b", "a\"b", &"x".repeat(65), ""] {
        let request = Request::builder().uri("/healthz").header("x-request-id", hostile).body(Body::empty());
        let answer = nobody.send(request.unwrap()).await;
        let made = answer.header("x-request-id").unwrap();
        assert_ne!(made, hostile);
        assert_eq!(made.len(), 32);
    }
}

/// The route decides how an error is told, not how a skill is called.
#[tokio::test]
async fn a_skill_called_envelope_has_the_errors_of_its_route() {
    let registry = TestRegistry::on_sqlite().start().await;
    let nobody = registry.anonymous();
    assert_snapshot!(nobody.get("/api/v1/skills/envelope").await.shown(), @r"
    404 text/plain; charset=utf-8
    Skill not found
    ");
    assert_snapshot!(nobody.get("/api/v1/skills/x/versions/envelope").await.shown(), @r"
    404 text/plain; charset=utf-8
    Version not found
    ");
    assert_snapshot!(nobody.get("/api/v1/skills/envelope/versions/1.0.0/envelope").await.shown(), @r#"
    404 application/problem+json
    {
      "type": "urn:skill-registry:problem:skill-not-found",
      "status": 404,
      "code": "skill-not-found",
      "title": "Skill not found",
      "requestId": "test"
    }
    "#);
}
