use serde_json::json;

use super::{HOOKS, LOCAL, Receiver, hook};
use crate::support::{Skill, TestRegistry};

on_both_engines! {
    async fn where_nothing_is_sent(registry) {
        let ada = registry.user("ada").await;
        let mut shown = String::new();
        for url in [
            "https://127.0.0.1/",
            "https://[::ffff:10.0.0.1]/",
            "https://169.254.169.254/latest/meta-data/",
            "http://hooks.example/",
            "https://user:word@hooks.example/",
            "ftp://hooks.example/",
            "hooks.example",
            "",
        ] {
            let refused = ada.post(HOOKS, &json!({ "url": url })).await;
            let problem = refused.json();
            shown += &format!("{url}: {} {} {}\n", refused.status.as_u16(), problem["code"], problem["title"]);
        }
        insta::assert_snapshot!(shown, @r#"
        https://127.0.0.1/: 422 "webhook-address" "127.0.0.1 is not on the public internet"
        https://[::ffff:10.0.0.1]/: 422 "webhook-address" "[::ffff:a00:1] is not on the public internet"
        https://169.254.169.254/latest/meta-data/: 422 "webhook-address" "169.254.169.254 is not on the public internet"
        http://hooks.example/: 422 "webhook-address" "hooks.example is asked over https only"
        https://user:word@hooks.example/: 422 "webhook-address" "only an https URL with a host and without user, password and fragment is asked"
        ftp://hooks.example/: 422 "webhook-address" "only an https URL with a host and without user, password and fragment is asked"
        hooks.example: 422 "webhook-address" "only an https URL with a host and without user, password and fragment is asked"
        : 422 "webhook-address" "only an https URL with a host and without user, password and fragment is asked"
        "#);
        let long = format!("https://hooks.example/{}", "x".repeat(2_000));
        assert_eq!(ada.post(HOOKS, &json!({ "url": long })).await.json()["code"], "webhook-address");
        let kind = json!({ "url": "https://hooks.example/", "kinds": ["all"] });
        assert_eq!(ada.post(HOOKS, &kind).await.json()["code"], "webhook-kind-unreadable");
        let key = json!({ "url": "https://hooks.example/", "secret": "x" });
        assert_eq!(ada.post(HOOKS, &key).await.json()["code"], "body-unreadable");
        assert_eq!(ada.get(HOOKS).await.json(), json!({ "webhooks": [] }));
    }

    async fn a_publisher_has_twenty_at_most(registry) {
        let ada = registry.user("ada").await;
        let url = json!({ "url": "https://hooks.example/" });
        for _ in 0..20 {
            assert_eq!(ada.post(HOOKS, &url).await.status, 201);
        }
        let many = ada.post(HOOKS, &url).await;
        assert_eq!((many.status.as_u16(), &many.json()["code"]), (409, &json!("webhooks-many")));
        assert_eq!(ada.get(HOOKS).await.json()["webhooks"].as_array().unwrap().len(), 20);
    }
}

#[tokio::test]
async fn nobody_touches_the_webhooks_of_others() {
    let registry = TestRegistry::on_sqlite().with(LOCAL).start().await;
    let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
    let (_receiver, address) = Receiver::start([]).await;
    let (id, _) = hook(&ada, address, &[]).await;
    let of_bob = format!("/api/registry/v1/publishers/bob/webhooks/{id}");
    for answer in [
        bob.delete(&of_bob).await,
        bob.get(&format!("{of_bob}/deliveries")).await,
        bob.post(&format!("{of_bob}/ping"), &json!({})).await,
    ] {
        assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (404, &json!("webhook-not-found")));
    }
    assert_eq!(ada.get(HOOKS).await.json()["webhooks"].as_array().unwrap().len(), 1);
}

/// A name that leads inside is told nothing, and who made the webhook learns that, and no address.
#[tokio::test]
async fn a_name_that_leads_inside_is_not_asked() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let made = ada.post(HOOKS, &json!({ "url": "https://localhost:1/hook" })).await.json();
    let id = made["id"].as_str().unwrap();
    let pinged = ada.post(&format!("{HOOKS}/{id}/ping"), &json!({})).await.json();
    assert!(pinged["error"] == "localhost is not on the public internet", "{pinged}");
    Skill::new("demo").published(&ada).await;
    let list = super::once(&ada, id, |list| list.iter().any(|one| one["attempts"] == 1)).await;
    assert_eq!(list[0]["error"], "localhost is not on the public internet");
}
