//! A registry that only shows itself to token holders.

use skill_registry::auth::Scope;

use crate::support::{Skill, TestRegistry};

/// Bug report 106: without a token nothing is shown, not even names; who it is, and its root,
/// are, because they are compared before a token is sent.
#[tokio::test]
async fn nothing_leaks_without_a_token() {
    let registry = TestRegistry::on_sqlite().with("access.read = \"token\"").start().await;
    let ada = registry.user("ada").await;
    Skill::new("secret").published(&ada).await;
    registry.add_user("bob").await;
    let reader = registry.token("bob", [Scope::Read]).await;
    let anyone = registry.anonymous();
    let mut shown = String::new();
    for path in [
        "/api/v1/search?q=secret",
        "/api/v1/skills",
        "/api/v1/skills/secret",
        "/api/v1/skills/nothing",
        "/api/v1/skills/secret/versions",
        "/api/v1/skills/secret/versions/1.0.0",
        "/api/v1/skills/secret/versions/1.0.0/envelope",
        "/api/v1/skills/secret/file?path=SKILL.md",
        "/api/v1/download?slug=secret",
        "/api/v1/resolve?slug=secret&hash=0",
        "/api/v1/whoami",
        "/api/v1/openapi.json",
        "/api/registry/v1/limits",
        "/api/registry/v1/whoami",
        "/index/ada/secret",
        "/.well-known/skill-registry.json",
        "/trust/root/1.json",
        "/healthz",
    ] {
        // Asked with a token first: what is kept for one must not be given to the other.
        let with = reader.get(path).await;
        let without = anyone.get(path).await;
        assert!(without.status == 401 || without.status == 200, "{path}");
        assert!(!String::from_utf8_lossy(&without.body).contains("secret"), "{path}");
        shown += &format!("{path}: {} {}\n", with.status.as_u16(), without.status.as_u16());
    }
    insta::assert_snapshot!(shown, @r"
    /api/v1/search?q=secret: 200 401
    /api/v1/skills: 200 401
    /api/v1/skills/secret: 200 401
    /api/v1/skills/nothing: 404 401
    /api/v1/skills/secret/versions: 200 401
    /api/v1/skills/secret/versions/1.0.0: 200 401
    /api/v1/skills/secret/versions/1.0.0/envelope: 200 401
    /api/v1/skills/secret/file?path=SKILL.md: 200 401
    /api/v1/download?slug=secret: 200 401
    /api/v1/resolve?slug=secret&hash=0: 400 401
    /api/v1/whoami: 200 401
    /api/v1/openapi.json: 200 401
    /api/registry/v1/limits: 200 401
    /api/registry/v1/whoami: 200 401
    /index/ada/secret: 200 401
    /.well-known/skill-registry.json: 200 200
    /trust/root/1.json: 200 200
    /healthz: 200 200
    ");
    insta::assert_snapshot!(anyone.get("/api/v1/skills/secret").await.shown(), @r"
    401 text/plain; charset=utf-8
    Unauthorized: missing token
    ");
    insta::assert_snapshot!(anyone.get("/index/ada/secret").await.shown(), @r#"
    401 application/problem+json
    {
      "type": "urn:skill-registry:problem:login-needed",
      "status": 401,
      "code": "login-needed",
      "title": "a login is needed",
      "requestId": "test"
    }
    "#);
}
