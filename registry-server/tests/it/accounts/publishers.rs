//! Publishers of several people, by both faces.

use insta::assert_snapshot;
use serde_json::json;
use skill_registry::store::audit;
use skill_registry::store::grants::{self, GrantKind};

use crate::support::{Caller, Skill};

const PUBLISHERS: &str = "/api/registry/v1/publishers";

async fn made(caller: &Caller, handle: &str) -> String {
    let answer = caller.post(PUBLISHERS, &json!({ "handle": handle })).await;
    format!("{} {}", answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or("made"))
}

on_both_engines! {
    async fn whoever_makes_a_publisher_owns_it(registry) {
        let ada = registry.user("ada").await;
        let answer = ada.post(PUBLISHERS, &json!({ "handle": "acme", "displayName": " Acme Works " })).await;
        assert_snapshot!(answer.shown(), @r#"
        201 application/json
        {
          "handle": "acme",
          "kind": "org",
          "displayName": "Acme Works",
          "createdAt": "2026-11-30T12:00:00Z",
          "role": "owner"
        }
        "#);
        assert_eq!(ada.get(&format!("{PUBLISHERS}/acme")).await.json(), answer.json());
        Skill::new("tool").owner("acme").version("1.0.0").published(&ada).await;
        let mut conn = registry.app.db().read().await.unwrap();
        assert!(audit::newest(&mut conn, 9).await.unwrap().iter().any(|row| row.action == "publisher.create"));
    }

    /// A handle is never given twice, whoever has it: a user, a publisher, or one that is gone.
    async fn a_taken_handle_is_refused(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        assert_eq!(made(&ada, "acme").await, "201 made");
        for handle in ["acme", "bob", "ada"] {
            assert_eq!(made(&bob, handle).await, "409 owner-taken", "{handle}");
        }
        let mut tx = registry.app.db().quiet().await.unwrap();
        sqlx::query("UPDATE publishers SET deleted_at = 1 WHERE handle = 'acme'").execute(tx.conn()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(made(&bob, "acme").await, "409 owner-taken");
    }

    async fn a_reserved_handle_is_for_whom_it_was_granted(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        for handle in ["official", "docs", "api"] {
            assert_eq!(made(&ada, handle).await, "409 owner-reserved", "{handle}");
        }
        let mut tx = registry.app.db().quiet().await.unwrap();
        let now = tx.now();
        let to = "ada".parse().unwrap();
        grants::insert(tx.conn(), GrantKind::Owner, "official", &to, "admin", now).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(made(&bob, "official").await, "409 owner-reserved");
        assert_eq!(made(&ada, "official").await, "201 made");
    }

    /// A handle is never given twice, and each request of a user reads all that the user acts for.
    async fn nobody_makes_more_than_a_hundred(registry) {
        let ada = registry.user("ada").await;
        // The personal one is the first.
        for number in 1..100 {
            assert_eq!(made(&ada, &format!("team{number}")).await, "201 made", "{number}");
        }
        assert_eq!(made(&ada, "team100").await, "409 publishers-many");
        assert_eq!(made(&registry.user("bob").await, "team100").await, "201 made");
    }

    async fn what_is_no_publisher(registry) {
        let ada = registry.user("ada").await;
        for (body, expected) in [
            (json!({}), "400 body-unreadable"),
            (json!(null), "400 body-unreadable"),
            (json!({ "handle": "No Handle" }), "400 body-unreadable"),
            (json!({ "handle": "acme", "displayName": "x".repeat(201) }), "422 display-name-long"),
            (json!({ "handle": "acme", "displayName": "a\0b" }), "400 body-unreadable"),
        ] {
            let answer = ada.post(PUBLISHERS, &body).await;
            let found = format!("{} {}", answer.status.as_u16(), answer.json()["code"].as_str().unwrap());
            assert_eq!(found, expected, "{body}");
        }
    }

    /// Whether a publisher exists is nobody's business who does not act for it.
    async fn others_are_not_told_whether_it_is_there(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        assert_eq!(made(&ada, "acme").await, "201 made");
        let there = bob.get(&format!("{PUBLISHERS}/acme")).await;
        let nowhere = bob.get(&format!("{PUBLISHERS}/nowhere")).await;
        assert_eq!(there.status, 403);
        assert_eq!(there.text().replace("acme", "nowhere"), nowhere.text());
    }

    /// The contract's way (C1.13): handles as its clients send them, plain text where it is refused.
    async fn a_stock_client_makes_one(registry) {
        let ada = registry.user("ada").await;
        let path = "/api/v1/publishers";
        assert_snapshot!(ada.post(path, &json!({ "handle": "@Acme", "displayName": null })).await.shown(), @r#"
        201 application/json
        {
          "ok": true,
          "publisherId": "acme",
          "handle": "acme",
          "created": true,
          "trusted": false
        }
        "#);
        assert_snapshot!(ada.post(path, &json!({ "handle": "acme" })).await.shown(), @r"
        409 text/plain; charset=utf-8
        the handle acme is taken
        ");
        assert_eq!(ada.post(path, &json!({})).await.status, 400);
        assert_eq!(registry.anonymous().post(path, &json!({ "handle": "octo" })).await.status, 401);
    }
}
