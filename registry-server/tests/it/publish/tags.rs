//! Tags, `latest` and pre-releases at a publish.

use skill_registry::store::head;

use crate::support::Skill;

on_both_engines! {
    /// Bug report 93: a pre-release never takes `latest` from a stable one, and asking for it is an error.
    async fn a_prerelease_does_not_take_latest(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").version("1.0.0").published(&ada).await;
        let beta = Skill::new("demo").version("1.1.0-beta.1").file("a.txt", "a");
        let refused = beta.clone().tag("latest").publish(&ada).await;
        insta::assert_snapshot!(refused.shown(), @r#"
        409 application/problem+json
        {
          "type": "urn:skill-registry:problem:tag-not-honoured",
          "status": 409,
          "code": "tag-not-honoured",
          "title": "`latest` cannot point to 1.1.0-beta.1: it is a pre-release; `latest` is 1.0.0",
          "tag": "latest",
          "version": "1.1.0-beta.1",
          "why": "a pre-release; `latest` is 1.0.0",
          "requestId": "test"
        }
        "#);
        // Nothing was stored: the number is still free.
        beta.tag("beta").published(&ada).await;
        let detail = registry.anonymous().get("/api/v1/skills/demo").await.json();
        assert_eq!(detail["skill"]["tags"], serde_json::json!({ "beta": "1.1.0-beta.1", "latest": "1.0.0" }));
    }

    async fn a_backport_does_not_take_latest(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").version("2.0.0").published(&ada).await;
        let refused = Skill::new("demo").version("1.9.0").file("a.txt", "a").tag("latest").publish(&ada).await;
        insta::assert_snapshot!(refused.shown(), @r#"
        409 application/problem+json
        {
          "type": "urn:skill-registry:problem:tag-not-honoured",
          "status": 409,
          "code": "tag-not-honoured",
          "title": "`latest` cannot point to 1.9.0: it is older; `latest` is 2.0.0",
          "tag": "latest",
          "version": "1.9.0",
          "why": "older; `latest` is 2.0.0",
          "requestId": "test"
        }
        "#);
    }

    async fn latest_is_honoured_where_it_is_true_anyway(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").version("1.0.0-rc.1").tag("latest").published(&ada).await;
        Skill::new("demo").version("1.0.0").file("a.txt", "a").tag("latest").published(&ada).await;
        let detail = registry.anonymous().get("/api/v1/skills/demo").await.json();
        assert_eq!(detail["latestVersion"]["version"], "1.0.0");
    }

    /// Tags count also where the content is there already: they are set, or the publish says why not.
    async fn tags_of_what_is_there_already_are_set(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let answer = Skill::new("demo").tag("stable").tag("good").tag("latest").publish(&ada).await;
        assert_eq!((answer.status.as_u16(), answer.json()["unchanged"].as_bool()), (200, Some(true)));
        let detail = registry.anonymous().get("/api/v1/skills/demo").await.json();
        let expected = serde_json::json!({ "good": "1.0.0", "latest": "1.0.0", "stable": "1.0.0" });
        assert_eq!(detail["skill"]["tags"], expected);
        let before = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
        Skill::new("demo").tag("stable").publish(&ada).await;
        let after = head::get(&mut registry.app.db().read().await.unwrap()).await.unwrap();
        assert_eq!(after, before, "nothing was written");
    }

    async fn a_latest_that_is_not_true_of_what_is_there_already_is_refused(registry) {
        let ada = registry.user("ada").await;
        let old = Skill::new("demo").version("1.0.0");
        old.published(&ada).await;
        Skill::new("demo").version("2.0.0").file("a.txt", "a").published(&ada).await;
        let refused = old.clone().tag("latest").tag("old").publish(&ada).await;
        insta::assert_snapshot!(refused.shown(), @r#"
        409 application/problem+json
        {
          "type": "urn:skill-registry:problem:tag-not-honoured",
          "status": 409,
          "code": "tag-not-honoured",
          "title": "`latest` cannot point to 1.0.0: it is older; `latest` is 2.0.0",
          "tag": "latest",
          "version": "1.0.0",
          "why": "older; `latest` is 2.0.0",
          "requestId": "test"
        }
        "#);
        let yank = "/api/registry/v1/skills/ada/demo/versions/1.0.0/yank";
        assert_eq!(ada.post(yank, &serde_json::json!({})).await.status, 200);
        let refused = old.tag("old").publish(&ada).await.json();
        assert_eq!((refused["code"].as_str(), refused["why"].as_str()), (Some("tag-not-honoured"), Some("yanked")));
        let detail = registry.anonymous().get("/api/v1/skills/demo").await.json();
        assert_eq!(detail["skill"]["tags"], serde_json::json!({ "latest": "2.0.0" }));
    }
}
