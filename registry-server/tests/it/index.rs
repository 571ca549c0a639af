//! `/index/{owner}/{slug}`.

use axum::body::Body;
use http::Method;
use serde_json::json;

use crate::support::Skill;

on_both_engines! {
    async fn a_line_for_every_version_lowest_first(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").version("1.10.0").published(&ada).await;
        Skill::new("demo").version("1.9.0").file("a.txt", "a").tag("old").published(&ada).await;
        registry.later(60);
        ada.post("/api/registry/v1/skills/ada/demo/versions/1.9.0/yank", &json!({ "reason": "broken" })).await;
        let answer = registry.anonymous().get("/index/ada/demo").await;
        assert!(answer.text().ends_with("}\n\n"));
        insta::assert_snapshot!(answer.shown(), @r#"
        200 application/jsonl
        {"owner":"ada","slug":"demo","version":"1.9.0","state":"yanked","verdict":"clean","treeDigest":"sha256:4b47a8bd9b5f6eb8d08cd24bffe2561d0aa0a808b140c18a17583d69f24aa0c8","archiveSha256":"6576ca6f4ebd65bcdd372eb432500aef5648edfcffdb33e202bf7fa6532017b2","archiveSize":261,"size":64,"files":2,"publishedAt":"2026-11-30T12:00:00Z","logIndex":3,"tags":["old"],"reason":"broken","restrictedAt":"2026-11-30T12:01:00Z"}
        {"owner":"ada","slug":"demo","version":"1.10.0","state":"visible","verdict":"clean","treeDigest":"sha256:20551ab66975def61a954411be3a94504d72940bc5d10ba070848ad740dcc019","archiveSha256":"c3999a7c3fc6d76592e41abaaee4aa42f423c46e7a1a2237845b6763f7d51094","archiveSize":172,"size":63,"files":1,"publishedAt":"2026-11-30T12:00:00Z","logIndex":1,"tags":["latest"]}
        "#);
    }

    async fn an_unchanged_index_is_not_sent_again(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").published(&ada).await;
        let anyone = registry.anonymous();
        let tag = anyone.get("/index/ada/demo").await.header("etag").unwrap().to_owned();
        let ask = |tag: String| {
            let request = anyone.request(Method::GET, "/index/ada/demo").header("if-none-match", tag);
            anyone.send(request.body(Body::empty()).unwrap())
        };
        let same = ask(tag.clone()).await;
        assert_eq!((same.status.as_u16(), same.body.len(), same.header("etag")), (304, 0, Some(tag.as_str())));
        Skill::new("demo").file("a.txt", "a").published(&ada).await;
        assert_eq!(ask(tag).await.status, 200);
    }
}
