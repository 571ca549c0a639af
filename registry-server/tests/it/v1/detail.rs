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
        insta::assert_snapshot!(answer.shown(), @"");
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
        insta::assert_snapshot!(shown, @"");
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
        insta::assert_snapshot!(answer.shown(), @"");
    }
}
