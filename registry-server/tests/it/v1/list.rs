use crate::support::{Caller, Skill};

async fn slugs(caller: &Caller, query: &str) -> (String, Option<String>) {
    let page = caller.get(&format!("/api/v1/skills?{query}")).await.json();
    let slugs: Vec<_> =
        page["items"].as_array().unwrap().iter().map(|i| i["slug"].as_str().unwrap().to_owned()).collect();
    (slugs.join(" "), page["nextCursor"].as_str().map(str::to_owned))
}

on_both_engines! {
    async fn an_item_in_full(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let answer = registry.anonymous().get("/api/v1/skills").await;
        insta::assert_snapshot!(answer.shown(), @r#"
        200 application/json
        {
          "items": [
            {
              "slug": "demo",
              "displayName": "demo",
              "summary": "What demo does",
              "topics": [],
              "tags": {
                "latest": "1.0.0"
              },
              "stats": {
                "downloads": 0,
                "stars": 0,
                "installs": 0,
                "versions": 1,
                "comments": 0
              },
              "createdAt": 1796040000000,
              "updatedAt": 1796040000000,
              "ownerHandle": "ada",
              "latestVersion": {
                "version": "1.0.0",
                "createdAt": 1796040000000,
                "changelog": ""
              },
              "metadata": {
                "setup": [],
                "os": null,
                "systems": null
              }
            }
          ],
          "nextCursor": null
        }
        "#);
    }

    async fn by_every_order_page_by_page(registry) {
        let ada = registry.user("ada").await;
        for slug in ["cat", "ant", "bee", "ape"] {
            Skill::new(slug).published(&ada).await;
            registry.later(1);
        }
        Skill::new("cat").file("a.txt", "a").published(&ada).await;
        let anyone = registry.anonymous();
        let mut shown = String::new();
        for query in ["", "sort=createdAt", "sort=name", "prefix=a"] {
            let mut pages = Vec::new();
            let mut cursor = None;
            loop {
                let after = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
                let (page, next) = slugs(&anyone, &format!("{query}&limit=3{after}")).await;
                pages.push(page);
                cursor = next;
                if cursor.is_none() {
                    break;
                }
            }
            shown += &format!("{query}: {}\n", pages.join(" | "));
        }
        for sort in ["downloads", "installsAllTime", "stars", "trending", "recommended"] {
            let (page, next) = slugs(&anyone, &format!("sort={sort}")).await;
            shown += &format!("{sort}: {} of them, next {next:?}\n", page.split(' ').count());
        }
        insta::assert_snapshot!(shown, @r"
        : cat ape bee | ant
        sort=createdAt: ape bee ant | cat
        sort=name: ant ape bee | cat
        prefix=a: ant ape
        downloads: 4 of them, next None
        installsAllTime: 4 of them, next None
        stars: 4 of them, next None
        trending: 4 of them, next None
        recommended: 4 of them, next None
        ");
    }

    async fn what_cannot_be_asked(registry) {
        let mut shown = String::new();
        for query in ["sort=random", "prefix=-a", "prefix=A", "prefix=a&sort=stars", "cursor=zzz"] {
            let answer = registry.anonymous().get(&format!("/api/v1/skills?{query}")).await;
            shown += &format!("{query}: {} {}\n", answer.status.as_u16(), answer.text());
        }
        insta::assert_snapshot!(shown, @r"
        sort=random: 400 Invalid sort query parameter
        prefix=-a: 400 Invalid prefix query parameter
        prefix=A: 400 Invalid prefix query parameter
        prefix=a&sort=stars: 400 Invalid prefix query parameter
        cursor=zzz: 400 Invalid cursor query parameter
        ");
    }
}

on_both_engines! {
    /// What an author wrote without measure does not make every list of it as long.
    async fn long_texts_are_cut_in_lists_and_searches(registry) {
        let ada = registry.user("ada").await;
        let (name, summary, changelog) = ("n".repeat(300), "ß".repeat(5000), "c".repeat(9000));
        let variables: Vec<String> = (0..200).map(|n| format!("  - name: VARIABLE_{n:0>90}\n")).collect();
        let text = format!("---\nname: {name}\ndescription: {summary}\nenvVars:\n{}---\n\nDo it.\n", variables.concat());
        Skill::new("demo").file("SKILL.md", text).meta("changelog", changelog.as_str()).published(&ada).await;
        let anyone = registry.anonymous();
        while anyone.get("/readyz").await.status != 200 {
            tokio::task::yield_now().await;
        }
        let lengths = |item: &serde_json::Value, keys: &[&str]| -> Vec<usize> {
            keys.iter().map(|key| item.pointer(key).unwrap().as_str().unwrap().chars().count()).collect()
        };
        let listed = anyone.get("/api/v1/skills").await.json()["items"][0].clone();
        let keys = ["/displayName", "/summary", "/latestVersion/changelog"];
        assert_eq!(lengths(&listed, &keys), [200, 1024, 1024]);
        assert_eq!(listed["metadata"], serde_json::Value::Null);
        let found = anyone.get("/api/v1/search?q=demo").await.json()["results"][0].clone();
        assert_eq!(lengths(&found, &["/displayName", "/summary"]), [200, 1024]);
        // The page of the one skill says what it needs and what changed in full.
        let shown = anyone.get("/api/v1/skills/demo").await.json();
        let keys = ["/skill/displayName", "/skill/summary", "/latestVersion/changelog"];
        assert_eq!(lengths(&shown, &keys), [200, 1024, 9000]);
        assert_eq!(shown["metadata"]["setup"].as_array().unwrap().len(), 200);
        let version = anyone.get("/api/v1/skills/demo/versions/1.0.0").await.json();
        assert_eq!(lengths(&version, &["/skill/displayName", "/version/changelog"]), [200, 9000]);
    }
}

/// Downloads are no event, and yet no list stays behind them for ever.
#[tokio::test]
async fn counts_in_a_list_are_half_a_minute_behind_at_most() {
    let registry = crate::support::TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    Skill::new("first").published(&ada).await;
    Skill::new("second").published(&ada).await;
    let anyone = registry.anonymous();
    let before = slugs(&anyone, "sort=downloads").await.0;
    let last = before.split(' ').next_back().unwrap().to_owned();
    assert_eq!(ada.get(&format!("/api/v1/download?slug={last}")).await.status, 200);
    // Written beside the requests. Each of these questions is a new one, so that no kept answer is given.
    let mut limit = 1;
    while !slugs(&anyone, &format!("sort=downloads&limit={limit}")).await.0.starts_with(&last) {
        limit = limit % 200 + 1;
        tokio::task::yield_now().await;
    }
    registry.later(29);
    assert_eq!(slugs(&anyone, "sort=downloads&unknown=1").await.0, before);
    registry.later(1);
    assert!(slugs(&anyone, "sort=downloads").await.0.starts_with(&last));
}
