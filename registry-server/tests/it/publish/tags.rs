//! Tags, `latest` and pre-releases at a publish.

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
}
