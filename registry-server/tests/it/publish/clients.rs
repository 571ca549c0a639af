//! Old and new clients (bug report 86).

use http::header::USER_AGENT;
use http::{HeaderValue, Method};
use serde_json::json;

use crate::support::{Answer, Caller, Skill, TestRegistry};

async fn get_as(agent: Option<&'static str>, caller: &Caller, path: &str) -> Answer {
    let mut request = caller.request(Method::GET, path).body(axum::body::Body::empty()).unwrap();
    match agent {
        Some(agent) => request.headers_mut().insert(USER_AGENT, HeaderValue::from_static(agent)),
        None => request.headers_mut().remove(USER_AGENT),
    };
    caller.send(request).await
}

/// Bug report 86: what a client does not know yet it leaves out, and what a registry does not know yet it leaves alone.
#[tokio::test]
async fn keys_of_other_versions_break_nothing() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let skill = Skill::new("demo").meta("provenance", json!({ "kind": "later" }));
    assert_eq!(skill.published(&ada).await["version"], "1.0.0");
}

/// Bug report 86: a client that is too old is told so, and from which version on it is answered.
#[tokio::test]
async fn a_client_that_is_too_old_is_told_so() {
    let registry = TestRegistry::on_sqlite().with("clients.minimum = '0.2.0'").start().await;
    let ada = registry.user("ada").await;
    let refused = Skill::new("demo").publish(&ada).await;
    insta::assert_snapshot!(refused.shown(), @r#"
    426 application/problem+json
    {
      "type": "urn:skill-registry:problem:client-too-old",
      "status": 426,
      "code": "client-too-old",
      "title": "skill 0.1.0 is older than 0.2.0, the oldest that this registry answers",
      "minimum": "0.2.0",
      "requestId": "test"
    }
    "#);
    let contract = ada.get("/api/v1/skills").await;
    insta::assert_snapshot!(contract.shown(), @r"
    426 text/plain; charset=utf-8
    skill 0.1.0 is older than 0.2.0, the oldest that this registry answers
    ");
}

#[tokio::test]
async fn new_ones_and_other_programs_are_answered() {
    let registry = TestRegistry::on_sqlite().with("clients.minimum = '0.2.0'").start().await;
    let anyone = registry.anonymous();
    for agent in [
        Some("skill/0.2.0"),
        Some("skill/1.0.0 (ci)"),
        Some("skill/next"),
        Some("skill-mirror/0.1.0"),
        Some("curl/8.0.0"),
        Some("Mozilla/5.0"),
        None,
    ] {
        assert_eq!(get_as(agent, &anyone, "/api/v1/skills").await.status, 200, "{agent:?}");
    }
    for agent in ["skill/0.1.9", "skill/0.2.0-rc.1", "skill/0.1.0 (ci)"] {
        assert_eq!(get_as(Some(agent), &anyone, "/api/v1/skills").await.status, 426, "{agent}");
    }
    // Who the registry is and whom it trusts can be read by every client.
    for path in ["/.well-known/skill-registry.json", "/trust/root/1.json", "/healthz"] {
        assert_eq!(get_as(Some("skill/0.1.0"), &anyone, path).await.status, 200, "{path}");
    }
}
