//! What stock clients change: the shapes of the contract, and the owner wherever they say it.

use http::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Caller, Skill, TestRegistry};

const SKILL: &str = "/api/v1/skills/demo";

async fn published(registry: &TestRegistry) -> Caller {
    let ada = registry.user("ada").await;
    Skill::new("demo").version("1.0.0").published(&ada).await;
    Skill::new("demo").version("1.0.1").file("a.txt", "a").published(&ada).await;
    ada
}

fn said(answer: &Answer) -> String {
    let body = match serde_json::from_slice::<Value>(&answer.body) {
        Ok(value) => value.to_string(),
        Err(_) => answer.text().to_owned(),
    };
    format!("{} {body}\n", answer.status.as_u16())
}

on_both_engines! {
    async fn the_shapes_of_the_contract(registry) {
        let ada = published(registry).await;
        let mut shown = String::new();
        let version = format!("{SKILL}/versions/1.0.1");
        let body = json!({ "version": "1.0.1", "ownerHandle": "@Ada" });
        shown += &said(&ada.send_json(Method::DELETE, &version, &body).await);
        assert_eq!(registry.anonymous().get(&version).await.status, 410);
        shown += &said(&ada.post(&format!("{version}/restore"), &body).await);
        assert_eq!(registry.anonymous().get(&version).await.status, 200);
        shown += &said(&ada.post(&format!("{SKILL}/tags/stable"), &json!({ "version": "1.0.0" })).await);
        shown += &said(&ada.delete(SKILL).await);
        assert_eq!(registry.anonymous().get(SKILL).await.status, 404);
        shown += &said(&ada.get(SKILL).await);
        shown += &said(&ada.post(&format!("{SKILL}/undelete"), &json!({})).await);
        assert_eq!(registry.anonymous().get(SKILL).await.status, 200);
        insta::assert_snapshot!(shown, @r#"
        200 {"ok":true}
        200 {"ok":true}
        200 {"ok":true,"slug":"demo","tag":"stable","version":"1.0.0"}
        200 {"ok":true,"slugReservedUntil":1798632000000}
        410 Version not available: the skill was deleted, its owner can undelete it
        200 {"ok":true}
        "#);
    }

    /// The owner of a slug that several use stands in the body, where the contract's own server did not look, or in
    /// the query; in the body it wins.
    async fn whose_skill_it_is_may_be_said_anywhere(registry) {
        let ada = published(registry).await;
        let bob = registry.user("bob").await;
        Skill::new("demo").file("b.txt", "b").published(&bob).await;
        let gone = bob.send_json(Method::DELETE, SKILL, &json!({ "ownerHandle": "bob" })).await;
        // The bare slug is ada's, so that nothing is kept for bob.
        assert_eq!(gone.json(), json!({ "ok": true }));
        let back = bob.post(&format!("{SKILL}/undelete?ownerHandle=bob"), &json!({})).await;
        assert_eq!(back.json(), json!({ "ok": true }));
        let path = format!("{SKILL}?ownerHandle=ada");
        let both = bob.send_json(Method::DELETE, &path, &json!({ "ownerHandle": "bob" })).await;
        assert_eq!(both.status, 200, "{}", both.shown());
        assert_eq!(ada.get(SKILL).await.status, 200);
    }

    async fn what_is_refused(registry) {
        let ada = published(registry).await;
        let eve = registry.user("eve").await;
        let version = format!("{SKILL}/versions/1.0.1");
        let mut shown = String::new();
        shown += &said(&registry.anonymous().delete(SKILL).await);
        shown += &said(&eve.delete(SKILL).await);
        shown += &said(&eve.delete(&version).await);
        shown += &said(&eve.post(&format!("{SKILL}/tags/stable"), &json!({ "version": "1.0.0" })).await);
        shown += &said(&ada.send_json(Method::DELETE, &version, &json!({ "version": "1.0.0" })).await);
        shown += &said(&ada.post(&format!("{SKILL}/tags/stable"), &json!({})).await);
        shown += &said(&ada.delete("/api/v1/skills/nothing").await);
        shown += &said(&ada.delete(&format!("{SKILL}/versions/9.9.9")).await);
        insta::assert_snapshot!(shown, @r"
        401 Unauthorized: missing token
        403 Forbidden: this account does not act for ada
        403 Forbidden: this account does not act for ada
        403 Forbidden: this account does not act for ada
        400 the body names another version than the address
        400 the body does not say a version
        404 Skill not found
        404 there is no ada/demo@9.9.9
        ");
        assert_eq!(registry.anonymous().get(&version).await.status, 200);
    }
}
