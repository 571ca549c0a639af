//! What an owner changes about what is published. Each is a signed fact where it restricts.

use serde_json::{Value, json};
use skill_registry::store::head;
use skill_trust::{RootChain, TrustEnvelope};

use crate::support::{Caller, Skill, TestRegistry};

mod closed;
mod delete;
mod deprecate;
mod withdraw;

const DEMO: &str = "/api/registry/v1/skills/ada/demo";

async fn latest(caller: &Caller) -> Value {
    caller.get("/api/v1/skills/demo").await.json()["latestVersion"]["version"].take()
}

/// What a release's envelope says is in force, in the words of its statements, after everything in it was verified.
async fn in_force(registry: &TestRegistry, version: &str) -> Vec<String> {
    let anyone = registry.anonymous();
    let path = format!("/api/v1/skills/demo/versions/{version}/envelope?ownerHandle=ada");
    let envelope = TrustEnvelope::parse(&anyone.get(&path).await.body).unwrap();
    let root = anyone.get("/trust/root/1.json").await;
    let root = RootChain::verify(&[root.body.to_vec()], registry.app.registry_id()).unwrap();
    let expected = skill_trust::Expected {
        registry: registry.app.registry_id(),
        owner: "ada".parse().unwrap(),
        slug: "demo".parse().unwrap(),
        version: version.parse().unwrap(),
    };
    let verified = skill_trust::verify_release(&envelope, &root, &expected).unwrap();
    let said = verified.restrictions.in_force().iter();
    said.map(|one| format!("{} {}: {}", one.sequence, one.action.as_str(), one.reason)).collect()
}

async fn two_versions(registry: &TestRegistry) -> Caller {
    let ada = registry.user("ada").await;
    Skill::new("demo").version("1.0.0").published(&ada).await;
    Skill::new("demo").version("1.0.1").file("a.txt", "a").published(&ada).await;
    ada
}

on_both_engines! {
    /// Bug report 94: one bad version is yanked; nothing chooses it, a lock still gets it, and it can be undone.
    async fn a_yank_and_its_undoing(registry) {
        let ada = two_versions(registry).await;
        let anyone = registry.anonymous();
        let answer = ada.post(&format!("{DEMO}/versions/1.0.1/yank"), &json!({ "reason": "deletes files" })).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        200 application/json
        {
          "owner": "ada",
          "slug": "demo",
          "version": "1.0.1",
          "status": "yanked"
        }
        "#);
        assert_eq!(latest(&anyone).await, "1.0.0");
        assert_eq!(anyone.get("/api/v1/download?slug=demo&version=1.0.1").await.status, 200);
        assert_eq!(in_force(registry, "1.0.1").await, ["1 yank: deletes files"]);
        let again = ada.post(&format!("{DEMO}/versions/1.0.1/yank"), &json!({ "reason": "again" })).await;
        assert_eq!(again.json()["status"], "yanked");

        let answer = ada.post(&format!("{DEMO}/versions/1.0.1/unyank"), &json!({})).await;
        assert_eq!(answer.json()["status"], "visible");
        assert_eq!(latest(&anyone).await, "1.0.1");
        assert!(in_force(registry, "1.0.1").await.is_empty());
    }

    async fn who_may_not(registry) {
        two_versions(registry).await;
        let eve = registry.user("eve").await;
        let mut shown = String::new();
        for (caller, path) in [
            (registry.anonymous(), format!("{DEMO}/versions/1.0.1/yank")),
            (eve, format!("{DEMO}/versions/1.0.1/yank")),
        ] {
            let answer = caller.post(&path, &json!({ "reason": "x" })).await;
            shown += &format!("{} {}\n", answer.status.as_u16(), answer.json()["code"]);
        }
        let ada = registry.token("ada", [skill_registry::auth::Scope::Publish]).await;
        for (path, body) in [
            (format!("{DEMO}/versions/9.9.9/yank"), json!({})),
            (format!("{DEMO}/versions/one/yank"), json!({})),
            ("/api/registry/v1/skills/ada/nothing/versions/1.0.0/yank".to_owned(), json!({})),
            (format!("{DEMO}/versions/1.0.1/yank"), json!({ "reason": "x".repeat(501) })),
            (format!("{DEMO}/versions/1.0.1/yank"), json!("why not")),
        ] {
            let answer = ada.post(&path, &body).await;
            let problem = answer.json();
            shown += &format!("{} {} {}\n", answer.status.as_u16(), problem["code"], problem["title"]);
        }
        insta::assert_snapshot!(shown, @r#"
        401 "login-needed"
        403 "not-member"
        404 "version-not-found" "there is no ada/demo@9.9.9"
        404 "version-not-found" "Version not found"
        404 "skill-not-found" "there is no ada/nothing"
        422 "reason-long" "the reason has 501 bytes, at most 500 are kept"
        400 "body-unreadable" "the body is not the JSON that is expected: invalid type: string \"why not\", expected struct ReasonRequest at line 1 column 9"
        "#);
    }

    /// A reason is signed, so what it weighs there counts, whatever its characters are.
    async fn a_reason_that_is_long_when_written_is_refused(registry) {
        let ada = two_versions(registry).await;
        let yank = format!("{DEMO}/versions/1.0.1/yank");
        for long in ["x".repeat(501), "\u{1F600}".repeat(126), "\u{1}".repeat(84)] {
            let answer = ada.post(&yank, &json!({ "reason": long })).await;
            assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (422, Some("reason-long")));
        }
        let answer = ada.post(&yank, &json!({ "reason": "\u{1F600}".repeat(125) })).await;
        assert_eq!(answer.json()["status"], "yanked");
    }

    async fn tags_point_where_they_are_told(registry) {
        let ada = two_versions(registry).await;
        let anyone = registry.anonymous();
        let answer = ada.put(&format!("{DEMO}/tags/stable"), &json!({ "version": "1.0.0" })).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        200 application/json
        {
          "owner": "ada",
          "slug": "demo",
          "tag": "stable",
          "version": "1.0.0"
        }
        "#);
        let tags = anyone.get("/api/v1/skills/demo").await.json()["skill"]["tags"].take();
        assert_eq!(tags, json!({ "latest": "1.0.1", "stable": "1.0.0" }));
        assert_eq!(ada.delete(&format!("{DEMO}/tags/stable")).await.status, 204);
        // The answer may have been lost, and the request sent again.
        let before = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
        assert_eq!(ada.delete(&format!("{DEMO}/tags/stable")).await.status, 204);
        assert_eq!(ada.delete(&format!("{DEMO}/tags/latest")).await.status, 204);
        let after = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
        assert_eq!(after, before, "nothing was written");
        let bad = ada.put(&format!("{DEMO}/tags/Stable!"), &json!({ "version": "1.0.0" })).await;
        assert_eq!((bad.status.as_u16(), bad.json()["code"].as_str()), (422, Some("tag-unreadable")));
    }

    async fn latest_can_be_set_back_until_something_higher_comes(registry) {
        let ada = two_versions(registry).await;
        let anyone = registry.anonymous();
        ada.put(&format!("{DEMO}/tags/latest"), &json!({ "version": "1.0.0" })).await;
        assert_eq!(latest(&anyone).await, "1.0.0");
        Skill::new("demo").version("1.0.2").file("a.txt", "c").published(&ada).await;
        assert_eq!(latest(&anyone).await, "1.0.2");
        ada.put(&format!("{DEMO}/tags/latest"), &json!({ "version": "1.0.0" })).await;
        assert_eq!(ada.delete(&format!("{DEMO}/tags/latest")).await.status, 204);
        assert_eq!(latest(&anyone).await, "1.0.2");
        ada.post(&format!("{DEMO}/versions/1.0.0/yank"), &json!({})).await;
        let closed = ada.put(&format!("{DEMO}/tags/latest"), &json!({ "version": "1.0.0" })).await;
        insta::assert_snapshot!(closed.shown(), @r#"
        409 application/problem+json
        {
          "type": "urn:skill-registry:problem:tag-not-honoured",
          "status": 409,
          "code": "tag-not-honoured",
          "title": "`latest` cannot point to 1.0.0: it is yanked",
          "requestId": "test"
        }
        "#);
    }
}
