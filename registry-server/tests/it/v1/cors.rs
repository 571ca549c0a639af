use axum::body::Body;
use http::Method;

use crate::support::TestRegistry;

#[tokio::test]
async fn pages_of_any_origin_may_ask() {
    let registry = TestRegistry::on_sqlite().start().await;
    let anyone = registry.anonymous();
    let request = anyone
        .request(Method::OPTIONS, "/api/v1/skills")
        .header("access-control-request-headers", "authorization")
        .body(Body::empty())
        .unwrap();
    let answer = anyone.send(request).await;
    let headers = [
        "access-control-allow-origin",
        "access-control-allow-methods",
        "access-control-allow-headers",
        "access-control-max-age",
    ];
    let shown: Vec<_> =
        headers.iter().map(|name| format!("{name}: {}", answer.header(name).unwrap_or("-"))).collect();
    assert_eq!(answer.status, 204);
    insta::assert_snapshot!(shown.join("\n"), @r"
    access-control-allow-origin: *
    access-control-allow-methods: GET, POST, PUT, DELETE, OPTIONS, PATCH, HEAD
    access-control-allow-headers: authorization
    access-control-max-age: 86400
    ");
    let missing = anyone.get("/api/v1/skills/nothing").await;
    assert_eq!((missing.status.as_u16(), missing.header("access-control-allow-origin")), (404, Some("*")));
}
