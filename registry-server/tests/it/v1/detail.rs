use crate::support::Skill;

on_both_engines! {
    async fn a_skill_in_full(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        registry.later(60);
        Skill::new("demo").file("a.txt", "a").meta("changelog", "Adds a").tag("stable").published(&ada).await;
        let answer = registry.anonymous().get("/api/v1/skills/Demo?ownerHandle=@Ada").await;
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("ratelimit-reset"), None, "clients print it with every error");
        insta::assert_snapshot!(answer.shown(), @r#"
        200 application/json
        {
          "skill": {
            "slug": "demo",
            "displayName": "demo",
            "summary": "What demo does",
            "description": "---\nname: demo\ndescription: What demo does\n---\n\n# demo\n\nDo it.\n",
            "topics": [],
            "tags": {
              "latest": "1.0.1",
              "stable": "1.0.1"
            },
            "stats": {
              "downloads": 0,
              "stars": 0,
              "installs": 0,
              "versions": 2,
              "comments": 0
            },
            "createdAt": 1796040000000,
            "updatedAt": 1796040060000
          },
          "latestVersion": {
            "version": "1.0.1",
            "createdAt": 1796040060000,
            "changelog": "Adds a"
          },
          "owner": {
            "handle": "ada",
            "displayName": "ada",
            "image": null
          },
          "metadata": {
            "setup": [],
            "os": null,
            "systems": null
          },
          "requirements": {
            "bins": [],
            "anyBins": [],
            "env": [],
            "config": [],
            "tools": [],
            "skills": {}
          },
          "moderation": null
        }
        "#);
    }

    async fn what_is_not_there(registry) {
        registry.user("ada").await;
        let anyone = registry.anonymous();
        let mut shown = String::new();
        for path in [
            "/api/v1/skills/nothing",
            "/api/v1/skills/demo@1.0.0",
            "/api/v1/skills/no_slug",
            "/api/v1/skills/demo?ownerHandle=no.handle",
            "/api/v1/skills/demo/versions",
            "/api/v1/skills/demo/versions/1.0.0",
            "/api/v1/skills/demo/file?path=SKILL.md",
            "/api/v1/download?slug=demo",
            "/api/v1/download",
            "/api/v1/nothing",
            "/index/ada/demo",
            "/index/ada/no_slug",
            "/api/v1/skills/demo/versions/1.0.0/envelope",
        ] {
            let answer = anyone.get(path).await;
            let text = match answer.header("content-type") {
                Some("application/problem+json") => answer.json()["code"].to_string(),
                _ => answer.text().to_owned(),
            };
            shown += &format!("{path}: {} {text}\n", answer.status.as_u16());
        }
        insta::assert_snapshot!(shown, @r#"
        /api/v1/skills/nothing: 404 Skill not found
        /api/v1/skills/demo@1.0.0: 404 Skill not found
        /api/v1/skills/no_slug: 404 Skill not found
        /api/v1/skills/demo?ownerHandle=no.handle: 404 Skill not found
        /api/v1/skills/demo/versions: 404 Skill not found
        /api/v1/skills/demo/versions/1.0.0: 404 Skill not found
        /api/v1/skills/demo/file?path=SKILL.md: 404 Skill not found
        /api/v1/download?slug=demo: 404 Skill not found
        /api/v1/download: 400 Missing slug
        /api/v1/nothing: 404 Not found
        /index/ada/demo: 404 "skill-not-found"
        /index/ada/no_slug: 404 "skill-not-found"
        /api/v1/skills/demo/versions/1.0.0/envelope: 404 "skill-not-found"
        "#);
    }

    /// A bare slug whose holder gave it up means nobody; clients render the list.
    async fn a_bare_slug_that_nobody_holds(registry) {
        let (ada, bob) = (registry.user("ada").await, registry.user("bob").await);
        Skill::new("demo").published(&ada).await;
        Skill::new("demo").file("b.txt", "b").published(&bob).await;
        let db = registry.app.db();
        let name = "ada/demo".parse().unwrap();
        let mut tx = db.write().await.unwrap();
        let skill = skill_registry::store::skills::find(tx.conn(), &name).await.unwrap().unwrap();
        skill_registry::store::slugs::release(tx.conn(), &skill.id).await.unwrap();
        let kind = skill_registry::store::events::EventKind::SkillChanged;
        let event = skill_registry::store::events::NewEvent::of_skill(kind, skill.owner, &skill.id);
        tx.commit(event).await.unwrap();
        let answer = registry.anonymous().get("/api/v1/skills/demo").await;
        insta::assert_snapshot!(answer.shown(), @r#"
        409 application/json
        {
          "code": "AMBIGUOUS_SKILL_SLUG",
          "message": "demo is published by several owners; name one",
          "slug": "demo",
          "matches": [
            {
              "ownerHandle": "ada",
              "slug": "demo",
              "ref": "@ada/demo",
              "url": "http://127.0.0.1:8787/ada/skills/demo"
            },
            {
              "ownerHandle": "bob",
              "slug": "demo",
              "ref": "@bob/demo",
              "url": "http://127.0.0.1:8787/bob/skills/demo"
            }
          ]
        }
        "#);
        let ours = registry.anonymous().get("/api/v1/skills/demo/versions/1.0.0/envelope").await;
        insta::assert_snapshot!(ours.shown(), @r#"
        409 application/problem+json
        {
          "type": "urn:skill-registry:problem:slug-ambiguous",
          "status": 409,
          "code": "slug-ambiguous",
          "title": "demo is published by several owners; name one",
          "slug": "demo",
          "matches": [
            "ada/demo",
            "bob/demo"
          ],
          "requestId": "test"
        }
        "#);
    }
}
