//! Which names may be taken.

use skill_registry::store::events::{EventKind, NewEvent};
use skill_registry::store::grants::{self, GrantKind};

use crate::support::Skill;

on_both_engines! {
    /// Bug report 26: no text becomes a slug, an owner or a number that could be read as a path.
    async fn a_name_is_no_path(registry) {
        let ada = registry.user("ada").await;
        for name in ["../evil", "..", ".", "a/b", "a\\b", "/etc", "C:evil", "a\u{0}b", "%2e%2e", "a..b", "", "A", "-a", "con", "nul"] {
            for (key, valid) in [("slug", "demo"), ("owner", "ada"), ("version", "1.0.0")] {
                let answer = Skill::new(valid).meta("slug", "demo").meta(key, name).publish(&ada).await;
                assert!((400..500).contains(&answer.status.as_u16()), "{key} {name:?}: {}", answer.shown());
            }
        }
        assert_eq!(registry.anonymous().get("/api/v1/skills").await.json()["items"], serde_json::json!([]));
    }

    async fn reserved_slugs_are_kept_unless_granted(registry) {
        let ada = registry.user("ada").await;
        let answer = Skill::new("verified-github").publish(&ada).await;
        insta::assert_snapshot!(answer.shown(), @r#"
        409 application/problem+json
        {
          "type": "urn:skill-registry:problem:slug-reserved",
          "status": 409,
          "code": "slug-reserved",
          "title": "the slug verified-github is reserved",
          "slug": "verified-github",
          "requestId": "test"
        }
        "#);
        let mut tx = registry.app.db().write().await.unwrap();
        let now = tx.now();
        let owner: skill_core::name::Owner = "ada".parse().unwrap();
        grants::insert(tx.conn(), GrantKind::Slug, "verified-github", &owner, "operator", now).await.unwrap();
        tx.commit(NewEvent::of_publisher(EventKind::PublisherChanged, owner)).await.unwrap();
        Skill::new("verified-github").published(&ada).await;
    }

    async fn a_bare_slug_belongs_to_its_first_publisher(registry) {
        let ada = registry.user("ada").await;
        let bob = registry.user("bob").await;
        Skill::new("demo").published(&ada).await;
        Skill::new("demo").file("b.txt", "b").published(&bob).await;
        let bare = registry.anonymous().get("/api/v1/skills/demo").await.json();
        assert_eq!(bare["owner"]["handle"], "ada");
        let found = registry.anonymous().get("/api/v1/search?q=demo").await.json();
        let owners: Vec<_> = found["results"].as_array().unwrap().iter().map(|r| &r["ownerHandle"]).collect();
        assert_eq!(owners, ["ada", "bob"]);
    }
}
