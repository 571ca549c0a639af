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
    let router: Router = layered(Router::new().route(path, get(async move || make())));
    let request = Request::builder().uri(path).header("x-request-id", "test").body(Body::empty()).unwrap();
    Answer::read(router.oneshot(request).await.unwrap()).await
}

#[tokio::test]
async fn one_error_has_two_faces() {
    let refused = || ApiError::NotMember { owner: "acme".parse().unwrap() };
    assert_snapshot!(answer("/api/registry/v1/publish", refused).await.shown(), @"");
    assert_snapshot!(answer("/api/v1/skills", refused).await.shown(), @"");
    assert_snapshot!(answer("/api/v1/skills/x/versions/1.0.0/envelope", refused).await.shown(), @"");
}

#[tokio::test]
async fn internals_are_not_sent() {
    let broken = || ApiError::internal("password hunter2 at /var/lib");
    assert_snapshot!(answer("/index/a/b", broken).await.shown(), @"");
    assert_snapshot!(answer("/api/v1/search", broken).await.shown(), @"");
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
    assert_snapshot!(full.shown(), @"");
}

#[tokio::test]
async fn addresses_and_methods_that_are_not_there() {
    let registry = TestRegistry::on_sqlite().start().await;
    let nobody = registry.anonymous();
    assert_snapshot!(nobody.get("/.well-known/nothing").await.shown(), @"");
    assert_snapshot!(nobody.get("/api/v1/nothing").await.shown(), @"");
    let refused = nobody.delete("/healthz").await;
    assert_eq!(refused.header("allow"), Some("GET,HEAD"));
    assert_snapshot!(refused.shown(), @"");
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
