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
