use std::time::Duration;

use serde_json::Value;

use crate::support::{Caller, Skill, TestRegistry};

async fn found(caller: &Caller, query: &str) -> Vec<String> {
    let answer = caller.get(&format!("/api/v1/search?{query}")).await.json();
    let name =
        |hit: &Value| format!("{}/{}", hit["ownerHandle"].as_str().unwrap(), hit["slug"].as_str().unwrap());
    answer["results"].as_array().unwrap().iter().map(name).collect()
}

/// Full-text search follows within a moment; this waits for it, and for nothing else.
async fn until_found(caller: &Caller, query: &str, name: &str) {
    until(async || found(caller, query).await.contains(&name.to_owned())).await;
}

/// Asks until the answer is yes; gives up where something must be broken.
async fn until(asked: impl AsyncFn() -> bool) {
    for _ in 0..12_000 {
        if asked().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("search never followed");
}

on_both_engines! {
    async fn an_answer_in_full(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let mut answer = registry.anonymous().get("/api/v1/search?q=demo&limit=5").await.json();
        // How well it fits hangs on how far the index is.
        assert!(answer["results"][0]["score"].take().is_number());
        insta::assert_snapshot!(format!("{answer:#}"), @r#"
        {
          "results": [
            {
              "score": null,
              "id": "1c25d91c66bda217ae2e22c2112c86f8",
              "slug": "demo",
              "displayName": "demo",
              "summary": "What demo does",
              "version": "1.0.0",
              "ownerHandle": "ada",
              "owner": {
                "handle": "ada",
                "displayName": "ada",
                "image": null,
                "kind": "user"
              },
              "downloads": 0,
              "updatedAt": 1796040000000,
              "canonicalUrl": "http://127.0.0.1:8787/ada/skills/demo",
              "verdict": "clean"
            }
          ]
        }
        "#);
        let empty = registry.anonymous().get("/api/v1/search?q=").await;
        insta::assert_snapshot!(empty.shown(), @r#"
        200 application/json
        {
          "results": []
        }
        "#);
        let mode = registry.anonymous().get("/api/v1/search?q=a&mode=fuzzy").await;
        insta::assert_snapshot!(mode.shown(), @r"
        400 text/plain; charset=utf-8
        Invalid search mode
        ");
    }

    /// Bug report 103: the skill that is called exactly so comes first, whatever the others say of it.
    async fn the_exact_slug_is_first(registry) {
        let ada = registry.user("ada").await;
        for n in 0..20 {
            let text = format!(
                "---\nname: self-improving-agent-{n}\ndescription: A self-improving agent, self-improving agent\n---\nself-improving-agent\n"
            );
            Skill::new(&format!("self-improving-agent-{n}")).file("SKILL.md", text).published(&ada).await;
        }
        Skill::new("self-improving-agent").published(&ada).await;
        let anyone = registry.anonymous();
        until_found(&anyone, "q=self-improving+agent&limit=200", "ada/self-improving-agent-19").await;
        for query in ["q=self-improving-agent", "q=Self-Improving-Agent", "q=ada/self-improving-agent",
            "q=@ada/self-improving-agent"] {
            assert_eq!(found(&anyone, query).await.first().map(String::as_str), Some("ada/self-improving-agent"), "{query}");
        }
        assert_eq!(found(&anyone, "q=self-improving-agent&mode=exact").await, ["ada/self-improving-agent"]);
    }

    /// Bug report 104: where the word stands decides; what is used much is not found for words it does not have.
    async fn where_a_word_stands_decides(registry) {
        let ada = registry.user("ada").await;
        let skill = |slug: &str, name: &str, description: &str, body: &str| {
            let text = format!("---\nname: {name}\ndescription: {description}\n---\n\n# Page\n\n{body}\n");
            Skill::new(slug).file("SKILL.md", text)
        };
        for n in 0..16 {
            skill(&format!("used-much-{n}"), "Much used", "Does this and that", "Do it.").published(&ada).await;
        }
        // Published in the order that is the wrong one.
        skill("in-body", "Body", "Does this and that", "Open the calendar.").published(&ada).await;
        skill("in-summary", "Summary", "Reads a calendar", "Do it.").published(&ada).await;
        skill("in-title", "Calendar", "Does this and that", "Do it.").published(&ada).await;
        skill("calendar-sync", "Sync", "Does this and that", "Do it.").published(&ada).await;
        for n in 0..16 {
            let path = format!("/api/v1/download?slug=used-much-{n}");
            assert_eq!(ada.get(&path).await.status, 200);
            assert_eq!(registry.anonymous().get(&path).await.status, 200);
        }
        let anyone = registry.anonymous();
        until_found(&anyone, "q=calendar", "ada/in-body").await;
        let order = ["ada/calendar-sync", "ada/in-title", "ada/in-summary", "ada/in-body"];
        until(async || found(&anyone, "q=calendar").await.len() == order.len()).await;
        assert_eq!(found(&anyone, "q=calendar").await, order);
    }

    async fn words_chinese_and_beginnings_and_what_is_yanked(registry) {
        let ada = registry.user("ada").await;
        let chinese = "---\nname: 天气\ndescription: 查询天气预报\n---\n把天气写成一句话。\n";
        Skill::new("weather").file("SKILL.md", chinese).published(&ada).await;
        Skill::new("notes").published(&ada).await;
        let anyone = registry.anonymous();
        until_found(&anyone, "q=%E9%A2%84%E6%8A%A5", "ada/weather").await;
        assert_eq!(found(&anyone, "q=%E4%B8%80%E5%8F%A5%E8%AF%9D").await, ["ada/weather"]);
        until_found(&anyone, "q=no", "ada/notes").await;
        let yank = "/api/registry/v1/skills/ada/notes/versions/1.0.0/yank";
        assert_eq!(ada.post(yank, &serde_json::json!({ "reason": "broken" })).await.status, 200);
        until(async || found(&anyone, "q=no").await.is_empty()).await;
    }
}

/// What was published before a process began is found by it.
#[tokio::test]
async fn a_new_process_makes_the_index_anew() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("demo").published(&ada).await;
    let copy = registry.copied().await;
    until_found(&copy.anonymous(), "q=dem", "ada/demo").await;
    until(async || copy.app.search_is_current()).await;
}

on_both_engines! {
    /// Downloads are no event that the index follows.
    async fn counts_are_half_a_minute_behind_at_most(registry) {
        let ada = registry.user("ada").await;
        for slug in ["first-demo", "second-demo"] {
            Skill::new(slug).published(&ada).await;
        }
        let anyone = registry.anonymous();
        while anyone.get("/readyz").await.status != 200 {
            tokio::task::yield_now().await;
        }
        let counts = async || {
            let found = anyone.get("/api/v1/search?q=demo").await.json();
            let mut counts: Vec<_> = found["results"].as_array().unwrap().iter().map(|i| i["downloads"].as_i64().unwrap()).collect();
            counts.sort_unstable();
            counts
        };
        assert_eq!(counts().await, [0, 0]);
        assert_eq!(ada.get("/api/v1/download?slug=first-demo").await.status, 200);
        // Written beside the requests, some time.
        while counts().await != [0, 1] {
            registry.later(30);
            tokio::task::yield_now().await;
        }
    }
}
