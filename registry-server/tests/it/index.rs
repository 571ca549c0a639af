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
        insta::assert_snapshot!(answer.shown(), @"");
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
