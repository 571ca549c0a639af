//! Own tokens: made, listed, revoked.

use insta::assert_snapshot;
use serde_json::{Value, json};
use skill_registry::store::audit;
use sqlx::Row as _;

use crate::support::{Caller, Skill, TestRegistry};

const TOKENS: &str = "/api/registry/v1/tokens";

async fn make(registry: &TestRegistry, maker: &Caller, wanted: Value) -> (Caller, Value) {
    let answer = maker.post(TOKENS, &wanted).await;
    assert_eq!(answer.status, 201, "{}", answer.shown());
    let made = answer.json();
    (registry.bearer(made["token"].as_str().unwrap()), made)
}

async fn revoke(caller: &Caller, which: &str) -> String {
    let answer = caller.delete(&format!("{TOKENS}/{which}")).await;
    let json = answer.json();
    format!("{} {}", answer.status.as_u16(), json.get("code").unwrap_or(&json["revoked"]))
}

on_both_engines! {
    async fn a_token_is_shown_once(registry) {
        let ada = registry.user("ada").await;
        let answer = ada.post(TOKENS, &json!({ "label": "ci", "publisher": "ada", "expires": "30d" })).await;
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let made = answer.json();
        let text = made["token"].as_str().unwrap().to_owned();
        assert_eq!(text[..12], *made["prefix"].as_str().unwrap());
        let shown = answer.shown().replace(&text, "TEXT").replace(&text[..12], "PREFIX");
        assert_snapshot!(shown.replace(made["id"].as_str().unwrap(), "ID"), @r#"
        201 application/json
        {
          "token": "TEXT",
          "id": "ID",
          "prefix": "PREFIX",
          "label": "ci",
          "scopes": [
            "read",
            "publish"
          ],
          "publisher": "ada",
          "skill": null,
          "createdAt": "2026-11-30T12:00:00Z",
          "expiresAt": "2026-12-30T12:00:00Z",
          "lastUsedAt": null
        }
        "#);

        let secret = &text[12..];
        let list = ada.get(TOKENS).await;
        assert!(list.text().contains(&text[..12]) && !list.text().contains(secret), "{}", list.text());
        let mut conn = registry.app.db().read().await.unwrap();
        let rows = sqlx::query("SELECT * FROM tokens").fetch_all(&mut *conn).await.unwrap();
        for (row, column) in rows.iter().flat_map(|row| (0..row.len()).map(move |column| (row, column))) {
            let value = row.try_get::<Option<String>, _>(column).ok().flatten().unwrap_or_default();
            assert!(!value.contains(secret), "column {column}");
        }
        let audit = format!("{:?}", audit::newest(&mut conn, 10).await.unwrap());
        assert!(audit.contains("token.create") && !audit.contains(secret));
    }

    /// Whoever finds a token that leaked has its text, and nothing else.
    async fn a_whole_text_is_revoked_and_never_repeated(registry) {
        let ada = registry.user("ada").await;
        let bob = registry.user("bob").await;
        let (_, made) = make(registry, &ada, json!({})).await;
        let text = made["token"].as_str().unwrap();
        let unknown = bob.delete(&format!("{TOKENS}/{text}")).await;
        assert_eq!(unknown.status, 404);
        assert!(!unknown.text().contains(&text[12..]), "{}", unknown.text());
        assert_eq!(revoke(&ada, text).await, "200 1");
    }

    /// A key that is spelt wrong would otherwise make a token that may do more than was meant.
    async fn keys_that_there_are_not_are_refused(registry) {
        let ada = registry.user("ada").await;
        for body in [json!({ "scope": ["read"] }), json!({ "expire": "30m" }), json!({ "skills": "ada/x" }), json!(["a", ["read"]]), json!([])] {
            let answer = ada.post(TOKENS, &body).await;
            assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (400, Some("body-unreadable")), "{body}");
        }
        Skill::new("demo").published(&ada).await;
        let whole = ada.send_json(http::Method::DELETE, "/api/registry/v1/skills/ada/demo", &json!({ "version": "1.0.0" })).await;
        assert_eq!(whole.status, 400);
        assert_eq!(ada.get("/api/v1/skills/demo").await.status, 200);
    }

    async fn the_list_holds_ones_own_that_are_good_newest_first(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        for label in ["first", "second", "third"] {
            registry.later(1);
            make(registry, &ada, json!({ "label": label })).await;
        }
        make(registry, &bob, json!({ "label": "his" })).await;
        let (_, gone) = make(registry, &ada, json!({ "label": "gone" })).await;
        assert_eq!(revoke(&ada, gone["id"].as_str().unwrap()).await, "200 1");

        let labels = |page: &Value| {
            let tokens = page["tokens"].as_array().unwrap().iter();
            tokens.map(|token| token["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let first = ada.get(&format!("{TOKENS}?limit=2")).await.json();
        assert_eq!(labels(&first), ["third", "second"]);
        let cursor = first["nextCursor"].as_str().unwrap();
        let rest = ada.get(&format!("{TOKENS}?limit=2&cursor={cursor}")).await.json();
        assert_eq!((labels(&rest), &rest["nextCursor"]), (vec!["first".to_owned(), "test".to_owned()], &Value::Null));
        // A cursor says where to go on, and shows nobody what is not theirs.
        assert_eq!(labels(&bob.get(&format!("{TOKENS}?cursor={cursor}")).await.json()), ["test"]);
        for bad in ["x", "1", ".", "1e9.id", "99999999999999999.id"] {
            let answer = bob.get(&format!("{TOKENS}?cursor={bad}")).await;
            assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (400, Some("usage")), "{bad}");
        }
    }

    /// Each request of a user is answered with what the user has: nobody has it without bound.
    async fn not_more_than_two_hundred_are_good_at_once(registry) {
        let ada = registry.user("ada").await;
        let (_, first) = make(registry, &ada, json!({})).await;
        for _ in 2..200 {
            make(registry, &ada, json!({ "expires": "1d" })).await;
        }
        let refused = ada.post(TOKENS, &json!({})).await;
        assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (409, Some("tokens-many")));
        assert_eq!(revoke(&ada, first["id"].as_str().unwrap()).await, "200 1");
        make(registry, &ada, json!({})).await;
        registry.later(86_400);
        make(registry, &ada, json!({})).await;
    }

    /// Whoever holds a token may give it up, whatever it is good for; nothing else is given up with it.
    async fn every_token_revokes_itself_and_no_other(registry) {
        let ada = registry.user("ada").await;
        let (_, other) = make(registry, &ada, json!({})).await;
        for wanted in [json!({ "scopes": ["read"] }), json!({ "publisher": "ada" }), json!({ "skill": "ada/demo" })] {
            let (token, own) = make(registry, &ada, wanted.clone()).await;
            let refused = revoke(&token, other["id"].as_str().unwrap()).await;
            assert!(refused.starts_with("403"), "{wanted}: {refused}");
            assert_eq!(revoke(&token, own["id"].as_str().unwrap()).await, "200 1", "{wanted}");
            assert_eq!(token.get("/api/registry/v1/whoami").await.status, 401);
        }
        assert_eq!(revoke(&ada, other["id"].as_str().unwrap()).await, "200 1");
    }

    /// What nobody has to show a token for, a token made for something else is good for too.
    async fn any_token_reads_what_everybody_reads(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let (publishes, _) = make(registry, &ada, json!({ "scopes": ["publish"] })).await;
        for path in ["/api/v1/skills/demo", "/index/ada/demo", "/api/registry/v1/whoami"] {
            assert_eq!(publishes.get(path).await.status, 200, "{path}");
        }
    }

    async fn what_a_token_made_is_revoked_with_it(registry) {
        let ada = registry.user("ada").await;
        let (parent, made) = make(registry, &ada, json!({})).await;
        let (child, _) = make(registry, &parent, json!({})).await;
        let (grandchild, _) = make(registry, &child, json!({})).await;
        let (sibling, _) = make(registry, &ada, json!({})).await;
        assert_eq!(revoke(&ada, made["prefix"].as_str().unwrap()).await, "200 3");
        assert_eq!(revoke(&ada, made["id"].as_str().unwrap()).await, "200 0");
        for gone in [&parent, &child, &grandchild] {
            assert_eq!(gone.get("/api/registry/v1/whoami").await.status, 401);
        }
        for good in [&ada, &sibling] {
            assert_eq!(good.get("/api/registry/v1/whoami").await.status, 200);
        }
    }

    async fn nobody_revokes_tokens_of_others(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        let (_, his) = make(registry, &bob, json!({})).await;
        for which in ["id", "prefix"] {
            assert_eq!(revoke(&ada, his[which].as_str().unwrap()).await, "404 \"token-not-found\"");
        }
        assert_eq!(revoke(&ada, "skr_00000000").await, "404 \"token-not-found\"");
        assert_eq!(revoke(&registry.admin(), his["id"].as_str().unwrap()).await, "404 \"token-not-found\"");
    }

    /// A token that is being revoked makes no other in the same moment that would stay.
    async fn a_token_that_is_revoked_meanwhile_leaves_no_child(registry) {
        let ada = registry.user("ada").await;
        for round in 0..8 {
            let (maker, made) = make(registry, &ada, json!({})).await;
            let id = made["id"].as_str().unwrap();
            let wanted = json!({ "label": round.to_string() });
            let (child, _) = tokio::join!(maker.post(TOKENS, &wanted), revoke(&ada, id));
            if child.status == 201 {
                let child = registry.bearer(child.json()["token"].as_str().unwrap());
                assert_eq!(child.get("/api/registry/v1/whoami").await.status, 401, "round {round}");
            } else {
                assert_eq!(child.status, 401, "{}", child.shown());
            }
        }
    }

    /// A token for one skill publishes that one, for one publisher its own, and both nothing else.
    async fn a_bound_token_is_good_for_what_it_is_bound_to(registry) {
        let ada = registry.user("ada").await;
        registry.organisation("team").await;
        registry.join("team", "ada", skill_registry::store::publishers::MemberRole::Owner).await;
        let (of_skill, _) = make(registry, &ada, json!({ "skill": "team/tool" })).await;
        let (of_team, _) = make(registry, &ada, json!({ "publisher": "team" })).await;
        let publish = async |caller: &Caller, owner: Option<&str>, slug: &str, version: &str| {
            let skill = Skill::new(slug).version(version);
            let skill = match owner {
                Some(owner) => skill.owner(owner),
                None => skill,
            };
            let answer = skill.publish(caller).await;
            format!("{} {}", answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or("-"))
        };
        assert_eq!(publish(&of_skill, Some("team"), "tool", "1.0.0").await, "201 -");
        // Without an owner it is the one that the token is bound to.
        assert_eq!(publish(&of_skill, None, "tool", "1.0.1").await, "201 -");
        assert_eq!(publish(&of_skill, Some("team"), "other", "1.0.0").await, "403 token-restricted");
        assert_eq!(publish(&of_skill, Some("ada"), "tool", "1.0.0").await, "403 token-restricted");
        assert_eq!(publish(&of_team, Some("team"), "other", "1.0.0").await, "201 -");
        assert_eq!(publish(&of_team, Some("ada"), "mine", "1.0.0").await, "403 token-restricted");
    }
}
